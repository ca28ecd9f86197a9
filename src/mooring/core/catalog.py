"""Everything the servers offer, as one immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from operator import attrgetter
from typing import Generic, TypeVar

from mooring.core.frozen import frozen
from mooring.core.items import Prompt, Resource, Template, Tool
from mooring.core.listing import Listing
from mooring.core.names import Names, prompt_name

__all__ = ["Catalog", "Entry", "Offer"]

T = TypeVar("T", Tool, Resource, Template, Prompt)
_by_name = attrgetter("name", "server")


@frozen
class Entry(Generic[T]):
    """One offered item; `name` is the public one, by which everybody outside asks for it."""

    server: str
    name: str
    item: T


@frozen
class Offer:
    """One server's listing under its public names."""

    listing: Listing
    tools: tuple[Entry[Tool], ...]
    resources: tuple[Entry[Resource], ...]
    templates: tuple[Entry[Template], ...]
    prompts: tuple[Entry[Prompt], ...]

    @staticmethod
    def of(listing: Listing, names: Names) -> Offer:
        server = listing.server
        return Offer(
            listing,
            _sorted(Entry(server, names.of(server, tool.name), tool) for tool in listing.tools),
            _sorted(Entry(server, f"{server}:{item.uri}", item) for item in listing.resources),
            _sorted(Entry(server, f"{server}:{item.uri_template}", item) for item in listing.templates),
            _sorted(Entry(server, prompt_name(server, prompt.name), prompt) for prompt in listing.prompts),
        )


@frozen
class Catalog:
    """A snapshot: whoever holds one may look things up for as long as they like."""

    names: Names
    offers: Mapping[str, Offer]
    _tools: Mapping[str, Entry[Tool]] = field(repr=False)
    _resources: Mapping[tuple[str, str], Entry[Resource]] = field(repr=False)
    _prompts: Mapping[str, Entry[Prompt]] = field(repr=False)

    @staticmethod
    def build(listings: Iterable[Listing], names: Names, before: Catalog | None = None) -> Catalog:
        """What did not change since `before` is taken from there: one new listing costs one listing."""
        known: Mapping[str, Offer] = before.offers if before and before.names == names else {}
        offers: dict[str, Offer] = {}
        for listing in sorted(listings, key=attrgetter("server")):
            offer = known.get(listing.server)
            if offer is None or offer.listing is not listing:
                offer = Offer.of(listing, names)
            offers[listing.server] = offer
        return Catalog(
            names,
            offers,
            {
                entry.name: entry
                for entry in _sorted(entry for offer in offers.values() for entry in offer.tools)
            },
            {(entry.server, entry.item.uri): entry for offer in offers.values() for entry in offer.resources},
            _spelled(entry for offer in offers.values() for entry in offer.prompts),
        )

    def tool(self, name: str) -> Entry[Tool] | None:
        return self._tools.get(name)

    def prompt(self, name: str) -> Entry[Prompt] | None:
        """By public name, or by `server:prompt` exactly as the server spells it."""
        return self._prompts.get(name)

    def resource(self, server: str, uri: str) -> Entry[Resource] | None:
        return self._resources.get((server, uri))

    def tools(self, server: str | None = None) -> tuple[Entry[Tool], ...]:
        """By public name; that order never depends on who answered first."""
        if server is None:
            return tuple(self._tools.values())
        return self.offers[server].tools if server in self.offers else ()

    def resources(self, server: str | None = None) -> tuple[Entry[Resource], ...]:
        return _sorted(entry for offer in self._of(server) for entry in offer.resources)

    def templates(self, server: str | None = None) -> tuple[Entry[Template], ...]:
        return _sorted(entry for offer in self._of(server) for entry in offer.templates)

    def prompts(self, server: str | None = None) -> tuple[Entry[Prompt], ...]:
        return _sorted(entry for offer in self._of(server) for entry in offer.prompts)

    def _of(self, server: str | None) -> Iterable[Offer]:
        if server is None:
            return self.offers.values()
        return (self.offers[server],) if server in self.offers else ()


def _sorted(entries: Iterable[Entry[T]]) -> tuple[Entry[T], ...]:
    return tuple(sorted(entries, key=_by_name))


def _spelled(entries: Iterable[Entry[Prompt]]) -> Mapping[str, Entry[Prompt]]:
    """Two prompts can share a public name (`a b`, `a_b`); their own spelling still finds each of them."""
    found = list(entries)
    exact = {f"{entry.server}:{entry.item.name}": entry for entry in found}
    return {**{entry.name: entry for entry in reversed(found)}, **exact}
