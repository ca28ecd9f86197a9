"""The gateway for a client that starts it: lines come in by stdin, and only lines leave by stdout."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable

from mooring.errors import LineTooLong, NothingRead
from mooring.gateway.faults import fault
from mooring.gateway.messages import failure
from mooring.gateway.talk import Talk
from mooring.upstream.stdio.lines import Lines

__all__ = ["channel", "stdio"]

LIMIT = 16 * 1024 * 1024
HIGH_WATER = 4 * 1024 * 1024
MOST_UNREAD = 256 * 1024 * 1024
LAST_WORDS = 5.0


def channel() -> tuple[int, int]:
    """Where lines come from and go to; from now on what anybody prints by accident lands on stderr."""
    out = os.dup(1)
    os.dup2(2, 1)
    return os.dup(0), out


async def stdio(begin: Callable[[Callable[[bytes], None]], Talk], inward: int, outward: int) -> None:
    """Until the client closes its end; what it had asked for is not finished then.

    Nothing more is heard from a client that does not take its answers; one that takes none at all is left.
    """
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    gate = _Gate()
    writer, _ = await loop.connect_write_pipe(lambda: _Out(over, gate), os.fdopen(outward, "wb", 0))
    writer.set_write_buffer_limits(high=HIGH_WATER)
    unread = 0

    def say(message: bytes) -> None:
        nonlocal unread
        if writer.is_closing():
            return
        if b"\n" in message or b"\r" in message:
            # Outside of strings, where a message cannot have them, they are only white space.
            message = message.replace(b"\n", b" ").replace(b"\r", b" ")
        writer.write(message + b"\n")
        if writer.get_write_buffer_size() > MOST_UNREAD:
            # What the client has asked for before is answered, and servers tell things by themselves.
            unread = writer.get_write_buffer_size()
            writer.abort()

    talk = begin(say)
    gate.deliver = talk.hear

    def too_long(_part: bytes, size: int) -> None:
        if _part:
            error = LineTooLong(f"a message of more than {LIMIT >> 20} MiB ({size} bytes)", hint="Send less")
            say(failure(b"", fault(error)))

    lines = Lines(LIMIT, gate.hear, too_long)
    reader, _ = await loop.connect_read_pipe(lambda: _In(lines, over, gate), os.fdopen(inward, "rb", 0))
    try:
        await over.wait()
    finally:
        reader.close()
        running = talk.close()
        if running:
            await asyncio.wait(running, timeout=LAST_WORDS)
        writer.close()
        sys.stderr.flush()
    if unread:
        raise NothingRead(f"the client left {unread >> 20} MiB of answers unread", hint="Start it again")


class _Gate:
    """Lines wait here, and the rest of them in the pipe, while the client does not take its answers."""

    deliver: Callable[[bytes], None]

    def __init__(self) -> None:
        self.reader: asyncio.ReadTransport | None = None
        self._waiting: deque[bytes] = deque()
        self._is_shut = False

    def hear(self, line: bytes) -> None:
        """One chunk may bring thousands of lines, and an answer to one may be large."""
        if self._is_shut:
            self._waiting.append(line)
        else:
            self.deliver(line)

    def shut(self) -> None:
        self._is_shut = True
        if self.reader is not None:
            self.reader.pause_reading()

    def reopen(self) -> None:
        self._is_shut = False
        while self._waiting and not self._is_shut:
            self.deliver(self._waiting.popleft())
        if self.reader is not None and not self._is_shut:
            self.reader.resume_reading()


class _In(asyncio.Protocol):
    def __init__(self, lines: Lines, over: asyncio.Event, gate: _Gate) -> None:
        self._lines = lines
        self._over = over
        self._gate = gate

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.ReadTransport):
            self._gate.reader = transport

    def data_received(self, data: bytes) -> None:
        self._lines.feed(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the loop's signature
        self._over.set()


class _Out(asyncio.BaseProtocol):
    def __init__(self, over: asyncio.Event, gate: _Gate) -> None:
        self._over = over
        self._gate = gate

    def pause_writing(self) -> None:
        self._gate.shut()

    def resume_writing(self) -> None:
        self._gate.reopen()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the loop's signature
        self._over.set()
