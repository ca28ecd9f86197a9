"""One answer over HTTP: JSON, unless something has to be said before it; then a stream of events."""

from __future__ import annotations

import asyncio
from collections import deque

from mooring.system.door import Send
from mooring.system.door.asgi import Header, answer

__all__ = ["Outlet"]

ROOM = 1024
HEARTBEAT = 15.0
JSON: Header = (b"content-type", b"application/json")
# The door counts a request until its stream begins, and knows it by exactly this.
STREAM: tuple[Header, ...] = ((b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"))


class Outlet:
    """What is said while nobody takes it is kept up to a bound, and dropped beyond; the answer never is."""

    def __init__(self, send: Send, headers: tuple[Header, ...] = ()) -> None:
        self._send = send
        self._headers = headers
        self._waiting: deque[bytes] = deque()
        self._more = asyncio.Event()
        self._is_over = False
        self._writer: asyncio.Task[None] | None = None

    def begin(self) -> asyncio.Task[None]:
        """A stream, whether or not there is something to say yet; it ends with `over`."""
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        return self._writer

    def say(self, message: bytes) -> None:
        if self._is_over or len(self._waiting) >= ROOM:
            return
        self._waiting.append(message)
        self._more.set()
        self.begin()

    def over(self) -> None:
        self._is_over = True
        self._more.set()

    async def end(self, message: bytes, status: int = 200) -> None:
        """The answer itself, after everything that was said before."""
        if self._writer is None:
            await answer(self._send, status, message, (JSON, *self._headers))
            return
        self._waiting.append(message)
        self.over()
        await self._writer

    async def nothing(self) -> None:
        """The end of a request that its client has given up: a stream that ends without an answer."""
        writer = self.begin()
        self.over()
        await writer

    async def stop(self) -> None:
        """Whoever listened has gone."""
        if self._writer is not None and not self._writer.done():
            self._writer.cancel()
            await asyncio.wait([self._writer])

    async def _write(self) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": [*STREAM, *self._headers]}
        await self._send(start)
        while True:
            while self._waiting:
                await self._piece(b"event: message\ndata: %b\n\n" % _line(self._waiting.popleft()))
            if self._is_over:
                await self._send({"type": "http.response.body", "body": b""})
                return
            self._more.clear()
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await self._more.wait()
            except TimeoutError:
                await self._piece(b": still here\n\n")

    async def _piece(self, data: bytes) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": True})


def _line(message: bytes) -> bytes:
    """Outside of strings, where a message cannot have them, ends of lines are only white space."""
    if b"\n" in message or b"\r" in message:
        return message.replace(b"\n", b" ").replace(b"\r", b" ")
    return message
