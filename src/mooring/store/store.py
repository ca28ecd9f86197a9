"""Everything that is kept goes through one thread: nobody waits for a disk who did not ask it something."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, TypeVar

from mooring.core.audit import Call, Kept
from mooring.core.grant import Grant
from mooring.core.pins import Pin, PinChanges, Pinned
from mooring.core.values import JSON
from mooring.errors import MooringError
from mooring.store import calls, grants, pins
from mooring.store.calls import Asked

if TYPE_CHECKING:
    import sqlite3

    from mooring.store.database import Database

__all__ = ["Store"]

T = TypeVar("T")

ROOM = 10_000
MOST = 50_000
BATCH = 500
TRIM_AFTER = 1_000
TOGETHER = 0.05
PATIENCE = 3.0


class Store:
    """A call that was recorded is on its way to the disk within 50 ms, together with those that came with it.

    `troubles` are what stood in the way, each told once.
    """

    def __init__(self, file: Path, *, room: int = ROOM) -> None:
        self.file = file
        self.troubles: list[MooringError] = []
        self._room = room
        self._calls: deque[Call] = deque()
        self._jobs: deque[Callable[[Database], None]] = deque()
        self._some = Event()
        self._now = Event()
        self._is_closing = False
        self._lost = 0
        self._since_trim = TRIM_AFTER
        self._thread: Thread | None = None

    # --- what never waits

    def record(self, call: Call) -> None:
        """It is kept, or counted among those that could not be."""
        if len(self._calls) >= self._room:
            self._lost += 1
            return
        self._calls.append(call)
        if not self._some.is_set():
            self._wake()

    def trouble(self, error: MooringError) -> None:
        """Something stood in the way; it is told once."""
        if all(error.sentence != known.sentence for known in self.troubles):
            self.troubles.append(error)

    # --- what is waited for

    def close(self) -> None:
        """What was recorded is written first; a disk that does not answer is given three seconds."""
        self._is_closing = True
        if self._thread is not None:
            self._now.set()
            self._some.set()
            self._thread.join(PATIENCE)

    async def calls(self, asked: Asked) -> Sequence[Kept]:
        return await self._ask(lambda database: database.look(lambda it: calls.find(it, asked), ()))

    async def missing(self) -> int:
        """How many calls could not be kept."""
        return await self._ask(lambda database: database.look(calls.missing, 0))

    async def look(self, server: str, mark: str, tools: Sequence[JSON]) -> PinChanges:
        """What differs from what was approved; what is seen for the first time is approved as it is."""
        return await self._ask(lambda database: _look(database, server, mark, tools))

    async def pins(self, mark: str) -> Mapping[str, Pin]:
        return await self._ask(lambda database: database.look(lambda it: pins.known(it, mark), {}))

    async def pin(self, server: str, mark: str, approved: Sequence[Pin], gone: Sequence[str] = ()) -> None:
        """Approve exactly these; those that are gone are forgotten."""
        await self._ask(lambda database: database.use(lambda it: pins.pin(it, server, mark, approved, gone)))

    async def pinned(self) -> Sequence[Pinned]:
        return await self._ask(lambda database: database.look(pins.everything, ()))

    async def unpin(self, server: str | None) -> int:
        """Of how many servers the pins were forgotten; None is all of them."""
        return await self._ask(lambda database: database.use(lambda it: pins.forget(it, server)))

    async def allow(self, grant: Grant) -> None:
        """From now on, in every process."""
        await self._ask(lambda database: database.use(lambda it: grants.add(it, grant)))

    async def allows(self, grant: Grant) -> bool:
        return await self._ask(lambda database: database.look(lambda it: grants.has(it, grant), False))

    async def _ask(self, job: Callable[[Database], T]) -> T:
        future: Future[T] = Future()

        def run(database: Database) -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(job(database))
            except MooringError as error:
                future.set_exception(error)

        self._jobs.append(run)
        self._now.set()
        self._wake()
        return await asyncio.wrap_future(future)

    # --- the thread

    def _wake(self) -> None:
        if self._thread is None:
            # Whoever ends at once must not be held by a disk that hangs.
            self._thread = Thread(target=self._run, name="mooring store", daemon=True)
            self._thread.start()
        self._some.set()

    def _run(self) -> None:
        from mooring.store.database import Database  # noqa: PLC0415 - sqlite3 is imported where nobody waits

        database = Database(self.file, self.trouble)
        try:
            while True:
                self._some.wait()
                self._now.wait(TOGETHER)
                self._some.clear()
                self._now.clear()
                self._work(database)
                if self._is_closing and not (self._calls or self._jobs):
                    return
        finally:
            database.close()

    def _work(self, database: Database) -> None:
        while True:
            # Taken first: what was recorded before somebody asked is there for the answer.
            job = self._jobs.popleft() if self._jobs else None
            while self._calls:
                batch = [self._calls.popleft() for _ in range(min(BATCH, len(self._calls)))]
                if not self._written(database, batch):
                    self._lost += len(batch)
            if job is None:
                return
            job(database)

    def _written(self, database: Database, batch: Sequence[Call]) -> bool:
        lost, trims = self._lost, self._since_trim >= TRIM_AFTER

        def write(connection: sqlite3.Connection) -> None:
            if lost:
                calls.lost(connection, time.time(), lost)
            calls.add(connection, batch)
            if trims:
                calls.trim(connection, MOST)

        try:
            database.use(write)
        except MooringError as error:
            self.trouble(error)
            return False
        self._lost -= lost
        self._since_trim = 0 if trims else self._since_trim + len(batch)
        return True


def _look(database: Database, server: str, mark: str, tools: Sequence[JSON]) -> PinChanges:
    """As often as not there is nothing to write, and whoever only reads waits for nobody."""
    found = database.look(lambda it: pins.look(it, mark, tools), None)
    if found is not None and not (found.same and not (found.changed or found.new)):
        return found
    return database.use(lambda it: pins.remember(it, server, mark, tools))
