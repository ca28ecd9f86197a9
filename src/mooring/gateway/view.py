"""What one kind of client sees of the catalogue, as the bytes that it is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property, partial

from mooring.core.catalog import Catalog, Entry
from mooring.core.exposure import CALL, DESCRIBE, SEARCH, Exposure
from mooring.core.exposure import definitions as helpers
from mooring.core.frozen import frozen
from mooring.core.items import Prompt, Tool
from mooring.core.tokens import tokens
from mooring.gateway import definitions
from mooring.gateway.addresses import Addresses
from mooring.gateway.results import TEMPLATE as RESULT
from mooring.upstream.session.mirrors import Mirrors
from mooring.upstream.wire import encode

__all__ = ["Scope", "View"]

EVERYTHING = Exposure()
FINDING = f"Most tools are not listed: find them with `{SEARCH}`, use them with `{CALL}`."


@frozen
class Scope:
    """Which of the servers, under whose names, for which agent, and how much of it at once.

    `longest_result` is in tokens; 0 is no limit.
    """

    server: str | None = None
    plain: bool = False
    agent: str = "build"
    exposure: Exposure = EVERYTHING
    longest_result: int = 0


class View:
    """Of one moment's catalogue; each list is written when it is asked for, and then kept."""

    def __init__(self, catalog: Catalog, scope: Scope, shows: Callable[[Entry[Tool]], bool]) -> None:
        self.catalog = catalog
        self.scope = scope
        self._shows = shows

    # --- names

    @cached_property
    def entries(self) -> dict[str, Entry[Tool]]:
        """By the name that clients use; tools that would share a plain one keep their public ones."""
        shown = [entry for entry in self.catalog.tools(self.scope.server) if self._shows(entry)]
        if not self.scope.plain:
            return {entry.name: entry for entry in shown}
        uses = Counter(entry.item.name for entry in shown)
        public = {entry.name for entry in shown}
        return {
            entry.item.name
            if uses[entry.item.name] == 1 and entry.item.name not in public
            else entry.name: entry
            for entry in shown
        }

    @cached_property
    def _prompts(self) -> dict[str, Entry[Prompt]]:
        found = self.catalog.prompts(self.scope.server)
        uses = Counter(entry.item.name for entry in found)
        return {self._prompt_name(entry, uses): entry for entry in found}

    def _prompt_name(self, entry: Entry[Prompt], uses: Counter[str]) -> str:
        if self.scope.plain and uses[entry.item.name] == 1:
            return entry.item.name
        is_only = self.catalog.prompt(entry.name) is entry
        return entry.name if is_only else f"{entry.server}:{entry.item.name}"

    def tool(self, name: str) -> tuple[str, str]:
        """The public name and the server; one that is not here may still come up, as it would be called."""
        entry = self.entries.get(name)
        if entry is not None:
            return entry.name, entry.server
        server = self.scope.server
        return (name, "") if server is None else (self.catalog.names.of(server, name), server)

    def prompt(self, name: str) -> tuple[str, str]:
        """Its server and its own name there; without a server it is not known yet."""
        entry = self._prompts.get(name)
        if entry is not None:
            return entry.server, entry.item.name
        return self.scope.server or "", name

    @cached_property
    def mirrors(self) -> Mirrors:
        """Arguments that clients of the new era say in headers too."""
        return Mirrors.of({**entry.item.raw, "name": name} for name, entry in self.entries.items())

    @cached_property
    def addresses(self) -> Addresses:
        return Addresses(self.catalog, self.scope.server)

    # --- lists

    def definition(self, name: str) -> bytes:
        """One tool's, by the name that clients use."""
        entry = self.entries[name]
        shown = partial(self.addresses.shown, entry.server)
        return definitions.tool(entry.item, name, shown, is_promised=not self.scope.longest_result)

    @cached_property
    def _definitions(self) -> dict[str, bytes]:
        return {name: self.definition(name) for name in self.entries}

    @cached_property
    def searches(self) -> bool:
        """Whether a client finds tools by asking, because all of them would be too much."""
        exposure = self.scope.exposure
        return exposure.mode != "all" and exposure.searches(
            sum(tokens(each.decode()) for each in self._definitions.values())
        )

    @cached_property
    def servers(self) -> dict[str, int]:
        """How many tools each server has here."""
        return dict(Counter(entry.server for entry in self.entries.values()))

    @cached_property
    def tools(self) -> bytes:
        if not self.searches:
            return definitions.joined(list(self._definitions.values()))
        favourites = [
            written
            for name, written in self._definitions.items()
            if self.scope.exposure.is_favourite(name) and name not in (SEARCH, DESCRIBE, CALL)
        ]
        return definitions.joined([*map(encode, helpers(self.servers)), *favourites])

    @cached_property
    def prompts(self) -> bytes:
        return definitions.joined(
            [definitions.prompt(entry.item, name) for name, entry in self._prompts.items()]
        )

    @cached_property
    def resources(self) -> bytes:
        shown = self.addresses.shown
        found = self.catalog.resources(self.scope.server)
        return definitions.joined(
            [definitions.resource(entry.item, shown(entry.server, entry.item.uri)) for entry in found]
        )

    @cached_property
    def templates(self) -> bytes:
        shown = self.addresses.shown
        found = self.catalog.templates(self.scope.server)
        ours = [encode(RESULT)] if self.scope.longest_result else []
        return definitions.joined(
            [
                *ours,
                *(
                    definitions.template(entry.item, shown(entry.server, entry.item.uri_template))
                    for entry in found
                ),
            ]
        )

    @cached_property
    def instructions(self) -> str:
        """What the servers say of themselves, each under its name; one alone speaks for itself."""
        scope = self.scope
        found = {
            name: offer.listing.instructions
            for name, offer in self.catalog.offers.items()
            if offer.listing.instructions and scope.server in (None, name)
        }
        if scope.server is not None:
            said = list(found.values())
        else:
            said = [f"# {name}\n\n{text}" for name, text in found.items()]
        return "\n\n".join([FINDING, *said] if self.searches else said)
