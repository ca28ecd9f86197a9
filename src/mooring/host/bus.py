"""Publish and subscribe: whoever listens too slowly loses events, and blocks nobody."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import contextmanager
from typing import ClassVar, TypeAlias

from mooring.core.events import Event
from mooring.core.frozen import frozen

__all__ = ["Bus", "Missed", "Subscription"]

ROOM = 1024


@frozen
class Missed:
    """So many events were lost here, because nobody took them: look at the whole again."""

    kind: ClassVar[str] = "events.missed"
    count: int


Heard: TypeAlias = "Event | Missed"


class Subscription:
    """One listener's events, the oldest first."""

    def __init__(self, room: int) -> None:
        self._waiting: deque[Event] = deque()
        self._room = room
        self._missed = 0
        self._some = asyncio.Event()

    def put(self, event: Event) -> None:
        if len(self._waiting) == self._room:
            self._missed += len(self._waiting)
            self._waiting.clear()
        self._waiting.append(event)
        self._some.set()

    def __aiter__(self) -> AsyncIterator[Heard]:
        return self

    async def __anext__(self) -> Heard:
        await self._some.wait()
        if self._missed:
            missed, self._missed = self._missed, 0
            return Missed(missed)
        event = self._waiting.popleft()
        if not self._waiting:
            self._some.clear()
        return event


class Bus:
    """It belongs to the event loop's thread."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Event], None]] = []

    def publish(self, event: Event) -> None:
        for listener in tuple(self._listeners):
            listener(event)

    @contextmanager
    def subscribe(self, room: int = ROOM) -> Generator[Subscription]:
        """Everything that is published from now on, until the block ends."""
        subscription = Subscription(room)
        with self.hear(subscription.put):
            yield subscription

    @contextmanager
    def hear(self, listener: Callable[[Event], None]) -> Generator[None]:
        """The same for a function; it must not block, and must not raise."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)
