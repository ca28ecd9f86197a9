"""The gateway for a client that starts it: lines come in by stdin, and only lines leave by stdout."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

from mooring.errors import LineTooLong
from mooring.gateway.faults import fault
from mooring.gateway.messages import failure
from mooring.gateway.talk import Talk
from mooring.upstream.stdio.lines import Lines

__all__ = ["channel", "stdio"]

LIMIT = 16 * 1024 * 1024
HIGH_WATER = 4 * 1024 * 1024
LAST_WORDS = 5.0


def channel() -> tuple[int, int]:
    """Where lines come from and go to; from now on what anybody prints by accident lands on stderr."""
    out = os.dup(1)
    os.dup2(2, 1)
    return os.dup(0), out


async def stdio(begin: Callable[[Callable[[bytes], None]], Talk], inward: int, outward: int) -> None:
    """Until the client closes its end; what it had asked for is not finished then."""
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    writer, _ = await loop.connect_write_pipe(lambda: _Out(over), os.fdopen(outward, "wb", 0))
    writer.set_write_buffer_limits(high=HIGH_WATER)

    def say(message: bytes) -> None:
        if b"\n" in message or b"\r" in message:
            # Outside of strings, where a message cannot have them, they are only white space.
            message = message.replace(b"\n", b" ").replace(b"\r", b" ")
        writer.write(message + b"\n")

    talk = begin(say)

    def too_long(_part: bytes, size: int) -> None:
        if _part:
            error = LineTooLong(f"a message of more than {LIMIT >> 20} MiB ({size} bytes)", hint="Send less")
            say(failure(b"", fault(error)))

    lines = Lines(LIMIT, talk.hear, too_long)
    reader, _ = await loop.connect_read_pipe(lambda: _In(lines, over), os.fdopen(inward, "rb", 0))
    try:
        await over.wait()
    finally:
        reader.close()
        running = talk.close()
        if running:
            await asyncio.wait(running, timeout=LAST_WORDS)
        writer.close()
        sys.stderr.flush()


class _In(asyncio.Protocol):
    def __init__(self, lines: Lines, over: asyncio.Event) -> None:
        self._lines = lines
        self._over = over

    def data_received(self, data: bytes) -> None:
        self._lines.feed(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the loop's signature
        self._over.set()


class _Out(asyncio.BaseProtocol):
    def __init__(self, over: asyncio.Event) -> None:
        self._over = over

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the loop's signature
        self._over.set()
