"""What happens at the servers, told to every client that it concerns."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Generator, Iterable
from contextlib import contextmanager, suppress

from mooring.core.changes import Changes
from mooring.core.events import CatalogChanged, ConfigReloaded, Event, LogMessage, ResourceUpdated
from mooring.core.items import Kind
from mooring.errors import MooringError
from mooring.gateway.ear import CHANGED, Ear
from mooring.host import Host

__all__ = ["Hears", "Relay"]

Hears = Callable[[LogMessage], None]


class Relay:
    """A resource is followed at its server for as long as one client wants that."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._ears: dict[Ear, None] = {}
        self._readers: dict[Hears, None] = {}
        self._followers: Counter[tuple[str, str]] = Counter()
        self._chores: set[asyncio.Task[None]] = set()

    @contextmanager
    def running(self) -> Generator[None]:
        with self._host.bus.hear(self._heard):
            try:
                yield
            finally:
                for chore in self._chores:
                    chore.cancel()

    # --- who listens

    def add(self, ear: Ear) -> None:
        self._ears[ear] = None

    def remove(self, ear: Ear) -> None:
        self._ears.pop(ear, None)
        for place in tuple(ear.follows):
            self._chore(self.unfollow(ear, place))

    def read_log(self, hears: Hears) -> None:
        self._readers[hears] = None

    def leave_log(self, hears: Hears) -> None:
        self._readers.pop(hears, None)

    async def follow(self, ear: Ear, place: tuple[str, str], known: str) -> None:
        """Raises what the server says where it does not tell of changes."""
        if place in ear.follows:
            return
        self._followers[place] += 1
        ear.follows[place] = known
        if self._followers[place] > 1:
            return
        is_followed = False
        try:
            await self._host.follow(*place)
            is_followed = True
        finally:
            if not is_followed:
                ear.follows.pop(place, None)
                self._followers[place] -= 1

    async def unfollow(self, ear: Ear, place: tuple[str, str]) -> None:
        if ear.follows.pop(place, None) is None:
            return
        self._followers[place] -= 1
        if not self._followers[place]:
            del self._followers[place]
            # A server that is gone tells nothing any more.
            with suppress(MooringError):
                await self._host.follow(*place, wanted=False)

    def _chore(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    # --- what happens

    def _heard(self, event: Event) -> None:
        match event:
            case CatalogChanged(server=server, changes=changes):
                kinds = tuple(_kinds(changes))
                for ear in self._ears:
                    if ear.concerns(server):
                        ear.changed(kinds, self._host.catalog)
            case ConfigReloaded():
                # Other rules may show other tools.
                for ear in self._ears:
                    ear.changed(CHANGED)
            case ResourceUpdated(server=server, uri=uri):
                for ear in self._ears:
                    ear.updated(server, uri)
            case LogMessage():
                for hears in tuple(self._readers):
                    hears(event)
            case _:
                pass


def _kinds(changes: Changes) -> Iterable[Kind]:
    """An address that a second server offers too is written differently from then on, and pages name it."""
    if changes.tools or changes.resources:
        yield Kind.TOOL
    if changes.resources or changes.templates:
        yield Kind.RESOURCE
    if changes.prompts:
        yield Kind.PROMPT
