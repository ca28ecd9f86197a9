"""All links of a host, and what they offer together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

from mooring.core.catalog import Catalog
from mooring.core.changes import changes
from mooring.core.events import (
    CatalogChanged,
    Event,
    LogMessage,
    ResourceUpdated,
    StatusChanged,
    ToolsUnapproved,
)
from mooring.core.intake import tidy
from mooring.core.names import Names
from mooring.core.nearest import no_server
from mooring.core.pins import Unapproved
from mooring.core.plan import Plan, plan
from mooring.core.questions import Caller
from mooring.core.spec import Config
from mooring.core.status import Status
from mooring.core.values import JSON
from mooring.host.link import Link
from mooring.host.notices import Message
from mooring.host.yard import Yard

__all__ = ["Fleet"]

TOGETHER = 0.02


class Fleet:
    """`publish` hears what happens; `only` are the servers that start by themselves, None for all."""

    def __init__(self, config: Config, publish: Callable[[Event], None]) -> None:
        self.config = config
        self.links: dict[str, Link] = {}
        self._publish = publish
        self._loop = asyncio.get_running_loop()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._names = Names(tuple(config.servers))
        self._catalog = self._announced = Catalog.build((), self._names)
        self._is_stale = False
        self._timer: asyncio.TimerHandle | None = None

    def start(self, yard: Yard, group: asyncio.TaskGroup, only: frozenset[str] | None) -> None:
        self._yard = yard
        self._group = group
        for name in self.config.servers:
            self._add(name, asleep=only is not None and name not in only)

    def _add(self, name: str, *, asleep: bool = False) -> None:
        link = self.links[name] = Link(self.config.servers[name], self._yard, asleep=asleep)
        self._tasks[name] = self._group.create_task(link.run(), name=f"server {name}")
        self.listed(name)

    def _drop(self, name: str) -> asyncio.Task[None]:
        self.links.pop(name).end()
        task = self._tasks.pop(name)
        task.cancel()
        self.listed(name)
        return task

    # --- looked at

    @property
    def catalog(self) -> Catalog:
        if self._is_stale:
            listings = [
                offered for link in self.links.values() if (offered := link.offer.listing) is not None
            ]
            self._catalog = Catalog.build(listings, self._names, self._catalog)
            self._is_stale = False
        return self._catalog

    def link(self, name: str) -> Link:
        link = self.links.get(name)
        if link is None:
            raise no_server(name, self.links)
        return link

    def owners(self, tool: str) -> tuple[Link, ...]:
        """The servers that may have a tool of this public name."""
        return tuple(self.links[server] for server in self._names.owners(tool) if server in self.links)

    def held(self, name: str) -> Link | None:
        """The server whose tool of this public name is kept back, because nobody has approved it."""
        for link in self.owners(name):
            if any(self._names.of(link.name, tool) == name for tool in link.offer.unapproved.held):
                return link
        return None

    async def settled(self, names: Iterable[str] | None = None) -> None:
        for link in [self.link(name) for name in names] if names is not None else list(self.links.values()):
            await link.settled()

    # --- changed

    async def change(self, config: Config) -> Plan:
        """Only what is different: whoever is not concerned notices nothing.

        All of it happens at once, so that two changes never mix; then it is waited for whoever has to go.
        """
        found = plan(self.config, config)
        self.config = config
        leaving = [self._drop(name) for name in list(self.links) if name not in config.servers]
        self._names = Names(tuple(config.servers))
        self._is_stale = True
        for name, entry in config.servers.items():
            if name not in self.links:
                self._add(name)
            elif name in found.restart:
                self.links[name].restart(entry)
            elif name in found.start:
                self.links[name].change(entry)
                self.links[name].want()
            elif name in found.stop:
                self.links[name].change(entry)
                self.links[name].rest()
            elif self.links[name].entry != entry:
                self.links[name].change(entry)
        # Whoever lists them sees the order of the files, however they came to be there.
        self.links = {name: self.links[name] for name in config.servers}
        self._announce_soon()
        if leaving:
            await asyncio.wait(leaving)
        return found

    # --- heard from links

    def moved(self, server: str, before: Status, after: Status) -> None:
        self._publish(StatusChanged(server, before, after))

    def listed(self, server: str) -> None:  # noqa: ARG002 - which one it was shows in the comparison
        self._is_stale = True
        self._announce_soon()

    def pinned(self, server: str, unapproved: Unapproved) -> None:
        self._publish(ToolsUnapproved(server, unapproved))

    def logged(self, server: str, message: Message, cause: object) -> None:
        self._publish(LogMessage(server, *message, cause if isinstance(cause, Caller) else None))

    def noticed(self, server: str, method: str, params: Mapping[str, JSON]) -> None:
        match method:
            case "notifications/resources/updated":
                uri = params.get("uri")
                if isinstance(uri, str):
                    self._publish(ResourceUpdated(server, tidy(uri, 8192)))
            case _:
                pass

    def _announce_soon(self) -> None:
        """Many servers come up at once; what they bring is compared once."""
        if self._timer is None:
            self._timer = self._loop.call_later(TOGETHER, self._announce)

    def _announce(self) -> None:
        self._timer = None
        before, self._announced = self._announced, self.catalog
        for server, found in changes(before, self._announced).items():
            self._publish(CatalogChanged(server, found))

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for name, task in self._tasks.items():
            self.links[name].end()
            task.cancel()
