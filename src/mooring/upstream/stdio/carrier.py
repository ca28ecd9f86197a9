"""Messages as lines through the pipes of a program."""

from __future__ import annotations

import asyncio
import fcntl
import sys
from collections.abc import Callable
from contextlib import suppress
from shlex import quote
from typing import cast

from mooring.errors import ConnectionLost, LineTooLong, NotReading, ServerExited, ServerFailure
from mooring.upstream.stdio.lines import Lines
from mooring.upstream.stdio.outlet import Outlet
from mooring.upstream.stdio.process import LocalProcess
from mooring.upstream.stdio.said import Said
from mooring.upstream.wire import Slot, Wire

__all__ = ["StdioCarrier"]

LIMIT = 16 * 1024 * 1024
HOPELESS = 16 * LIMIT
HIGH_WATER = 1024 * 1024
WRITE_WITHIN = 5.0
LAST_WORDS = 0.5
F_SETPIPE_SZ = 1031


class StdioCarrier:
    """One connection to one process; the wire hears why it ended."""

    def __init__(self, wire: Wire, process: LocalProcess, said: Said) -> None:
        self._wire = wire
        self._process = process
        self._said = said
        self._input: asyncio.WriteTransport | None = None
        self._outlets: list[Outlet] = []
        self._room = asyncio.Event()
        self._room.set()
        self._ending: asyncio.Task[None] | None = None
        self._lines = Lines(LIMIT, wire.receive, self._too_long)
        self.is_ready = False

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        stdin, stdout, stderr = self._process.pipes()
        if sys.platform == "linux":
            with suppress(OSError):
                fcntl.fcntl(cast("int", stdout), F_SETPIPE_SZ, HIGH_WATER)
        transport, _ = await loop.connect_write_pipe(lambda: _Input(self._room, self._await_exit), stdin)
        transport.set_write_buffer_limits(high=HIGH_WATER)
        self._input = transport
        for pipe, feed in ((stdout, self._lines.feed), (stderr, self._said.feed)):
            self._outlets.append(Outlet(pipe, feed))
        # A closed pipe is most often a program about to end, whose exit code says more.
        self._outlets[0].ended.add_done_callback(lambda _: self._await_exit())
        self._process.exited.add_done_callback(lambda _: self._await_exit())

    # --- out

    async def carry(self, message: bytes, slot: Slot | None) -> None:
        if b"\n" in message or b"\r" in message:
            # Outside of strings, where a message cannot have them, they are only white space.
            message = message.replace(b"\n", b" ").replace(b"\r", b" ")
        while not self._room.is_set():
            if not await self._has_room(slot):
                return
        if self._input is None or self._input.is_closing():
            raise self._gone()
        self._input.write(message + b"\n")
        if slot is not None:
            # A pipe that nobody reads from any more refuses at once.
            slot.written = not self._input.is_closing()

    async def _has_room(self, slot: Slot | None) -> bool:
        """False when whoever asks has given up meanwhile."""
        room = asyncio.ensure_future(self._room.wait())
        waiting = [room] if slot is None else [room, slot.future]
        try:
            await asyncio.wait(waiting, timeout=WRITE_WITHIN, return_when=asyncio.FIRST_COMPLETED)
        finally:
            room.cancel()
        if slot is not None and slot.future.done():
            return False
        if room.done():
            return True
        name = self._wire.name
        failure = NotReading(
            f"`{name}` has taken nothing of what was sent to it for {WRITE_WITHIN:g} s",
            hint=f"It is stopped and started again: mooring logs {quote(name)}",
        )
        self._end(failure)
        raise failure

    def abandon(self, slot: Slot, notice: bytes) -> None:  # noqa: ARG002 - what it takes is the wire's to say
        """A pipe that is full is no reason: what was written before takes more room than its notice."""
        if self._input is not None and not self._input.is_closing():
            self._input.write(notice + b"\n")

    # --- in

    def _too_long(self, part: bytes, size: int) -> None:
        """It costs the call that it answers; a line without any end costs the connection."""
        name = self._wire.name
        if size > HOPELESS:
            self._end(
                LineTooLong(f"`{name}` sends a line without an end", hint=f"mooring logs {quote(name)}")
            )
        elif part:
            sentence = f"`{name}` sent a message of more than {LIMIT // 1024 // 1024} MiB"
            error = LineTooLong(sentence, hint="Ask for less at once")
            self._wire.lose(part, error)

    # --- the end

    def _await_exit(self) -> None:
        if self._ending is None and not self._wire.ended.done():
            self._ending = asyncio.create_task(self._last_words())

    async def _last_words(self) -> None:
        """What it wrote before may still be in a pipe, and a child of its may keep that pipe open."""
        drained = [outlet.ended for outlet in self._outlets]
        await asyncio.wait([*drained, self._process.exited], timeout=LAST_WORDS)
        self._end(self._gone())

    def _gone(self) -> ServerExited:
        name = self._wire.name
        exited = self._process.exited
        code = exited.result() if exited.done() else None
        when = "" if self.is_ready else " before the handshake was done"
        if code is None:
            pipe = "input" if self._input is None or self._input.is_closing() else "output"
            what = f"`{name}` closed its {pipe}{when}"
        elif code < 0:
            what = f"`{name}` was ended by signal {-code}{when}"
        else:
            what = f"`{name}` ended with exit code {code}{when}"
        hint = f"mooring logs {quote(name)}"
        if not self.is_ready and code:
            hint = f"A variable it needs? `mcp.{name}.inherit` passes more of them on; {hint}"
        return ServerExited(what, hint=hint, exit_code=code, stderr=self._said.last())

    def _end(self, error: ServerFailure) -> None:
        error.stderr = error.stderr or self._said.last()
        self._wire.end(error)
        self._close_input()

    def _close_input(self) -> None:
        if self._input is not None and not self._input.is_closing():
            # What is still unwritten would keep a server that does not read alive for ever.
            self._input.close() if self._room.is_set() else self._input.abort()

    async def aclose(self, *, leave: bool = False) -> None:
        """With `leave` somebody else ends what does not end at once."""
        stopped = ConnectionLost(f"`{self._wire.name}` was stopped")
        self._wire.end(self._gone() if self._process.exited.done() else stopped)
        if self._ending is not None:
            self._ending.cancel()
        self._close_input()
        try:
            await (self._process.has_left() if leave else self._process.stop())
        finally:
            for outlet in self._outlets:
                outlet.close()
            if self._input is not None and self._input.get_write_buffer_size():
                self._input.abort()
            self._said.end()


class _Input(asyncio.BaseProtocol):
    """Hears whether the pipe to the program is full, and when nobody reads from it any more."""

    def __init__(self, room: asyncio.Event, lost: Callable[[], None]) -> None:
        self._room = room
        self._lost = lost

    def pause_writing(self) -> None:
        self._room.clear()

    def resume_writing(self) -> None:
        self._room.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's own signature
        self._room.set()
        self._lost()
