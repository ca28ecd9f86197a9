"""What one server offers: all that can be used of it, and what was wrong with the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias, TypedDict, TypeVar, Unpack

from mooring.core.frozen import frozen
from mooring.core.intake import LIMITS, Limits, tidy
from mooring.core.items import Item, Kind, Prompt, Resource, Template, Tool
from mooring.core.redact import clean
from mooring.core.values import JSON, is_map
from mooring.errors import MooringError

__all__ = ["Finding", "Flaw", "Listing", "Offered"]

Flaw: TypeAlias = Literal["dropped", "duplicate", "too_many", "cut", "unclean", "unchecked", "unlisted"]
_I = TypeVar("_I", Tool, Resource, Template, Prompt)


class Offered(TypedDict, total=False):
    """The lists as the server sent them, item by item."""

    tools: Sequence[JSON]
    resources: Sequence[JSON]
    templates: Sequence[JSON]
    prompts: Sequence[JSON]
    instructions: str | None


@frozen
class Finding:
    """Something about one item that its author should know; the sentence is safe to show."""

    flaw: Flaw
    kind: Kind | Literal["instructions"]
    item: str
    sentence: str


@frozen
class Listing:
    """One server's offer at one moment, in the server's own order."""

    server: str
    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[Template, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    instructions: str = ""
    findings: tuple[Finding, ...] = ()

    @staticmethod
    def read(server: str, limits: Limits = LIMITS, **offered: Unpack[Offered]) -> Listing:
        """Item by item, so that a bad one hides no other."""
        found: list[Finding] = []
        written = offered.get("instructions") or ""
        instructions = tidy(written, limits.instructions)
        found.extend(_about_text("instructions", "instructions", written, instructions))
        reading = _Reading(limits, found)
        return Listing(
            server,
            reading.all(Kind.TOOL, Tool.read, offered.get("tools", ()), limits.tools),
            reading.all(Kind.RESOURCE, Resource.read, offered.get("resources", ()), limits.others),
            reading.all(Kind.TEMPLATE, Template.read, offered.get("templates", ()), limits.others),
            reading.all(Kind.PROMPT, Prompt.read, offered.get("prompts", ()), limits.others),
            instructions,
            tuple(found),
        )


@frozen
class _Reading:
    limits: Limits
    found: list[Finding]

    def all(
        self, kind: Kind, read: Callable[[JSON, Limits], _I], raws: Sequence[JSON], most: int
    ) -> tuple[_I, ...]:
        items: dict[str, _I] = {}
        for position, raw in enumerate(raws[:most]):
            try:
                item = read(raw, self.limits)
            except MooringError as error:
                self.found.append(Finding("dropped", kind, _label(raw, position), error.sentence))
                continue
            if item.key in items:
                sentence = f"`{item.key}` is there twice, the second one is dropped"
                self.found.append(Finding("duplicate", kind, item.key, sentence))
                continue
            items[item.key] = item
            self.found.extend(_about(kind, item))
        if len(raws) > most:
            sentence = f"{len(raws)} {kind}s, of which only the first {most} are used"
            self.found.append(Finding("too_many", kind, "", sentence))
        return tuple(items.values())


def _about(kind: Kind, item: Item) -> Iterator[Finding]:
    yield from _about_text(kind, item.key, item.raw.get("title"), item.title, "title of ")
    yield from _about_text(kind, item.key, item.raw.get("description"), item.description, "description of ")
    if isinstance(item, Tool):
        if item.unchecked:
            sentence = f"arguments of `{item.key}` are not checked: {item.unchecked}"
            yield Finding("unchecked", kind, item.key, sentence)
        written = item.raw.get("inputSchema")
        if written is not None and item.input_schema is not written:
            yield _unclean(kind, item.key, "schema of ")


def _about_text(
    kind: Kind | Literal["instructions"], item: str, written: JSON, kept: str, what: str = ""
) -> Iterator[Finding]:
    if not isinstance(written, str) or written in ("", kept):
        return
    cleaned = clean(written)
    if cleaned != written:
        yield _unclean(kind, item, what)
    if cleaned != kept:
        yield Finding(
            "cut", kind, item, f"{what}`{item}` is too long and was cut after {len(kept)} characters"
        )


def _unclean(kind: Kind | Literal["instructions"], item: str, what: str) -> Finding:
    return Finding("unclean", kind, item, f"{what}`{item}` had invisible characters, which are dropped")


def _label(raw: JSON, position: int) -> str:
    name = (raw.get("name") or raw.get("uri") or raw.get("uriTemplate")) if is_map(raw) else None
    return tidy(name, 60, characters=True).replace("\n", " ") or f"item {position}"
