"""A session with a server in this very process: no program, no socket, the same bytes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

from mooring.core.redact import clean
from mooring.errors import ConnectionLost, LineTooLong
from mooring.upstream.order import Order
from mooring.upstream.session import Session, agree
from mooring.upstream.stdio.lines import Lines
from mooring.upstream.wire import Slot, Wire

__all__ = ["Speak", "memory"]

Speak: TypeAlias = Callable[[AsyncIterator[bytes], Callable[[bytes], None]], Awaitable[None]]

LIMIT = 16 * 1024 * 1024
MOST_WAITING = 64
LEAVE_WITHIN = 2.0


@asynccontextmanager
async def memory(order: Order, speak: Speak) -> AsyncGenerator[Session]:
    """`speak` is the server: it hears lines, says bytes, and leaves when there are no more lines."""
    wire = Wire(order.spec.name, order.frames)
    carrier = MemoryCarrier(wire)
    wire.carrier = carrier
    if order.notice is not None:
        wire.on_notice = order.notice
    serving = asyncio.ensure_future(speak(carrier.lines(), carrier.say))
    serving.add_done_callback(carrier.has_left)
    order.took("start")
    try:
        agreed = await agree(wire, order.us, order.protocol, order.spec.timeouts.start)
        order.took("handshake")
        yield Session(wire, agreed, order.us, order.spec.timeouts)
    finally:
        order.took("end")
        wire.end(ConnectionLost(f"`{wire.name}` was stopped"))
        carrier.hang_up()
        await asyncio.wait([serving], timeout=LEAVE_WITHIN)
        if not serving.done():
            serving.cancel()
            await asyncio.wait([serving], timeout=LEAVE_WITHIN)


class MemoryCarrier:
    """Takes messages to the server, as many as it hears; what it says is cut into lines again."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_WAITING)
        self._cut = Lines(LIMIT, wire.receive, self._too_long)
        self._rooms: list[asyncio.Future[None]] = []
        self._is_open = True

    async def carry(self, message: bytes, slot: Slot | None) -> None:
        if self._waiting.full() and not await self._has_room(slot):
            return
        self._waiting.put_nowait(message)
        if slot is not None:
            slot.written = True

    async def _has_room(self, slot: Slot | None) -> bool:
        """False when whoever asks has given up meanwhile."""
        while self._waiting.full():
            # It waits from this moment on: a task would do so only when it has begun.
            room: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._rooms.append(room)
            waiting = [room, self._wire.ended] if slot is None else [room, slot.future]
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                room.cancel()
            if self._wire.ended.done() or (slot is not None and slot.future.done()):
                return False
        return True

    def abandon(self, slot: Slot, notice: bytes) -> None:  # noqa: ARG002 - what it takes is the wire's to say
        with suppress(asyncio.QueueFull):
            self._waiting.put_nowait(notice)

    async def lines(self) -> AsyncIterator[bytes]:
        while (line := await self._waiting.get()) is not None:
            rooms, self._rooms = self._rooms, []
            for room in rooms:
                if not room.done():
                    room.set_result(None)
            yield line

    def say(self, data: bytes) -> None:
        if self._is_open:
            self._cut.feed(data)

    def _too_long(self, part: bytes, _size: int) -> None:
        sentence = f"`{self._wire.name}` sent a message of more than {LIMIT // 1024 // 1024} MiB"
        self._wire.lose(part, LineTooLong(sentence, hint="Ask for less at once"))

    def has_left(self, serving: asyncio.Future[None]) -> None:
        name = self._wire.name
        why = None if serving.cancelled() else serving.exception()
        words = f": {type(why).__name__}: {clean(str(why))[:200]}" if why else " by itself"
        gone = ConnectionLost(f"`{name}` ended{words}", hint="It lives in this process: look there")
        gone.__cause__ = why
        self._wire.end(gone)

    def hang_up(self) -> None:
        """What fits is heard still, and then the end."""
        self._is_open = False
        while self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait(None)
