"""Everything that one server lists, read as far as it can be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace

from mooring.core.frozen import frozen
from mooring.core.items import Kind
from mooring.core.listing import Finding, Listing
from mooring.core.spec import ToolFilter
from mooring.core.values import JSON, is_map
from mooring.errors import MooringError
from mooring.upstream.session import Pages, Session

__all__ = ["ALL", "Lists", "has", "look"]

ALL = tuple(Kind)
_CAPABILITY = {
    Kind.TOOL: "tools",
    Kind.RESOURCE: "resources",
    Kind.TEMPLATE: "resources",
    Kind.PROMPT: "prompts",
}


@frozen
class Lists:
    """What the server sent, list by list, so that one can be taken anew without the others."""

    items: Mapping[Kind, Sequence[JSON]] = field(default_factory=dict[Kind, Sequence[JSON]])
    instructions: str = ""
    findings: tuple[Finding, ...] = ()
    fresh_for: float | None = None

    def listing(self, server: str, only: ToolFilter, held: Collection[str] = ()) -> Listing:
        """The items that can be used, of those that the configuration lets in; without what is held."""
        listing = Listing.read(
            server,
            tools=[tool for tool in self.items.get(Kind.TOOL, ()) if _is_let_in(tool, only, held)],
            resources=self.items.get(Kind.RESOURCE, ()),
            templates=self.items.get(Kind.TEMPLATE, ()),
            prompts=self.items.get(Kind.PROMPT, ()),
            instructions=self.instructions,
        )
        return replace(listing, findings=(*listing.findings, *self.findings)) if self.findings else listing


async def look(session: Session, kinds: Collection[Kind] = ALL, before: Callable[[], Lists] = Lists) -> Lists:
    """Ask for all lists at once; one that cannot be had is what it was before, and noted.

    `before` is asked only where something is missing. Without its tools a server that has some is of no use:
    that is an error, unless they are known.
    """
    wanted = [kind for kind in kinds if has(session, kind)]
    found = await asyncio.gather(*(_one(session, kind) for kind in wanted))
    is_whole = set(kinds) == set(ALL) and not any(isinstance(answer, MooringError) for answer in found)
    known = Lists() if is_whole else before()
    items = {kind: raws for kind, raws in known.items.items() if kind not in kinds}
    findings = [each for each in known.findings if each.kind not in kinds]
    ages = [known.fresh_for] if known.fresh_for is not None else []
    for kind, answer in zip(wanted, found, strict=True):
        if isinstance(answer, MooringError):
            if kind in known.items:
                items[kind] = known.items[kind]
            elif kind is Kind.TOOL:
                raise answer
            findings.append(Finding("unlisted", kind, "", f"its {kind}s cannot be listed: {answer.sentence}"))
            continue
        items[kind] = answer.items
        if answer.cut:
            findings.append(Finding("cut", kind, "", answer.cut))
        if answer.fresh_for is not None:
            ages.append(answer.fresh_for)
    return Lists(items, session.agreed.instructions, tuple(findings), min(ages, default=None))


async def _one(session: Session, kind: Kind) -> Pages | MooringError:
    try:
        return await session.all(kind)
    except MooringError as error:
        return error


def has(session: Session, kind: Kind) -> bool:
    """A server that says nothing at all of what it can do may still have tools."""
    capabilities = session.agreed.capabilities
    return _CAPABILITY[kind] in capabilities or (kind is Kind.TOOL and not capabilities)


def _is_let_in(tool: JSON, only: ToolFilter, held: Collection[str]) -> bool:
    name = tool.get("name") if is_map(tool) else None
    if not isinstance(name, str):
        return True
    return name not in held and only.lets_in(name)
