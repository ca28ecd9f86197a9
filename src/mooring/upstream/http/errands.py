"""Requests under way: each in a task of its own, so many at once and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine

from mooring.errors import MooringError, internal
from mooring.upstream.http.effects import told
from mooring.upstream.wire import Slot

__all__ = ["Errands"]

MOST_AT_ONCE = 32
# What lasts as long as the session would keep a place from calls.
_LASTING = frozenset({"subscriptions/listen"})


class Errands:
    """They end with the session."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(MOST_AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()

    def start(
        self, work: Coroutine[None, None, None], failed: Callable[[MooringError], None] | None = None
    ) -> asyncio.Task[None]:
        """`failed` hears of what nobody foresaw, so that nobody waits for work that will not be done."""

        def ended(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            if failed is not None and not task.cancelled() and (error := task.exception()) is not None:
                failed(internal(error))

        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(ended)
        return task

    def run(self, slot: Slot, work: Callable[[Slot], Awaitable[None]]) -> None:
        """`work` gets the answer; where nobody waits for it any more it is given up."""
        task = self.start(self._run(slot, work), slot.fail)
        slot.abort = lambda: _give_up(task)

    async def _run(self, slot: Slot, work: Callable[[Slot], Awaitable[None]]) -> None:
        try:
            if slot.method in _LASTING:
                await work(slot)
            else:
                async with self._places:
                    await work(slot)
        except MooringError as error:
            slot.fail(told(error, slot))

    async def aclose(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _give_up(task: asyncio.Task[None]) -> None:
    """Not from inside: there the answer has just been heard, and the connection can still be kept."""
    if task is not asyncio.current_task():
        task.cancel()
