"""What differs between two catalogues, server by server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mooring.core.catalog import Catalog, Entry, Offer
from mooring.core.frozen import frozen
from mooring.core.items import Prompt, Resource, Template, Tool

__all__ = ["Changes", "Delta", "changes"]


@frozen
class Delta:
    """Public names, sorted, each in one list only."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


@frozen
class Changes:
    """What is different about one server."""

    tools: Delta = Delta()
    resources: Delta = Delta()
    templates: Delta = Delta()
    prompts: Delta = Delta()
    instructions: bool = False

    def __bool__(self) -> bool:
        return any((self.tools, self.resources, self.templates, self.prompts, self.instructions))


def changes(old: Catalog, new: Catalog) -> Mapping[str, Changes]:
    """Every server with a difference; one that appears has everything added, one that goes has it removed."""
    servers = sorted({*old.offers, *new.offers})
    compared = {server: _between(old.offers.get(server), new.offers.get(server)) for server in servers}
    return {server: found for server, found in compared.items() if found}


def _between(old: Offer | None, new: Offer | None) -> Changes:
    if old is new:
        return Changes()
    return Changes(
        _delta(old.tools if old else (), new.tools if new else ()),
        _delta(old.resources if old else (), new.resources if new else ()),
        _delta(old.templates if old else (), new.templates if new else ()),
        _delta(old.prompts if old else (), new.prompts if new else ()),
        (old.listing.instructions if old else "") != (new.listing.instructions if new else ""),
    )


def _delta(
    old: Sequence[Entry[Tool] | Entry[Resource] | Entry[Template] | Entry[Prompt]],
    new: Sequence[Entry[Tool] | Entry[Resource] | Entry[Template] | Entry[Prompt]],
) -> Delta:
    before = {(entry.name, entry.item.key): entry.item.raw for entry in old}
    after = {(entry.name, entry.item.key): entry.item.raw for entry in new}
    return Delta(
        tuple(name for name, key in after if (name, key) not in before),
        tuple(name for name, key in before if (name, key) not in after),
        tuple(name for (name, key), raw in after.items() if before.get((name, key), raw) != raw),
    )
