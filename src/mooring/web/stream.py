"""Events as a stream for everybody who listens: numbered, replayed, and never slower for one's neighbour."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from mooring.core.events import Event
from mooring.errors import TooManyRequests
from mooring.system.door import Receive, Send
from mooring.system.door.asgi import Header

__all__ = ["Stream"]

ROOM = 1_000
HEARTBEAT = 15.0
PATIENCE = 10.0
MOST = 4_096
_START: tuple[Header, ...] = ((b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"))


class Stream:
    """`shape` is an event as bytes, or None where it is of no interest; the last thousand can be replayed.

    A listener is a place in that list and little else, so a thousand of them cost next to nothing, and one
    that does not take what it is sent for ten seconds is cut off.
    """

    def __init__(self, shape: Callable[[str, Event], bytes | None], missed: Callable[[str], bytes]) -> None:
        self._shape = shape
        self._missed = missed
        self._run = secrets.token_hex(4)
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=ROOM)
        self._last = 0
        self._listeners: set[asyncio.Event] = set()
        self._is_closed = False

    def put(self, event: Event) -> None:
        frame = self._shape(self._name(self._last + 1), event)
        if frame is not None:
            self._last += 1
            self._kept.append((self._last, frame))
            self._wake()

    def close(self) -> None:
        """Every listener's stream ends."""
        self._is_closed = True
        self._wake()

    def _wake(self) -> None:
        for listener in self._listeners:
            listener.set()

    def _name(self, number: int) -> str:
        """Numbers of another run of the server are not these."""
        return f"{self._run}-{number}"

    async def serve(
        self, receive: Receive, send: Send, first: bytes, heartbeat: bytes, after: str = ""
    ) -> None:
        """Until the listener is gone or too slow, or everything ends; `after` is the last id that it saw."""
        if len(self._listeners) >= MOST:
            raise TooManyRequests(f"More than {MOST} listen already", hint="Close one of the streams")
        moved = asyncio.Event()
        self._listeners.add(moved)
        leaving = asyncio.create_task(_left(receive, moved))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": list(_START)})
            with suppress(TimeoutError):
                await self._feed(send, first, heartbeat, self._place(after), moved, leaving)
        finally:
            self._listeners.discard(moved)
            leaving.cancel()

    async def _feed(
        self,
        send: Send,
        frames: bytes,
        heartbeat: bytes,
        place: int | None,
        moved: asyncio.Event,
        leaving: asyncio.Task[None],
    ) -> None:
        while not (self._is_closed or leaving.done()):
            moved.clear()
            frames += self._since(place)
            place = self._last
            if frames:
                async with asyncio.timeout(PATIENCE):
                    await send({"type": "http.response.body", "body": frames, "more_body": True})
            frames = b""
            if place == self._last:
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await moved.wait()
                except TimeoutError:
                    frames = heartbeat
        async with asyncio.timeout(PATIENCE):
            await send({"type": "http.response.body", "body": b""})

    def _since(self, place: int | None) -> bytes:
        """What came after that; or that something is missing, where it is not kept any more."""
        if place == self._last:
            return b""
        if place is None or (self._kept and place < self._kept[0][0] - 1):
            return self._missed(self._name(self._last))
        return b"".join(frame for number, frame in self._kept if number > place)

    def _place(self, after: str) -> int | None:
        """From where on; None where what was seen last is of another run."""
        if not after:
            return self._last
        run, _, number = after.partition("-")
        known = run == self._run and number.isdecimal() and int(number) <= self._last
        return int(number) if known else None


async def _left(receive: Receive, moved: asyncio.Event) -> None:
    """The connection ends, which nobody says to whoever only sends."""
    while (await receive())["type"] != "http.disconnect":
        pass
    moved.set()
