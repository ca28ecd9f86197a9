"""Commands that come over the socket of a running `serve`, each carried out in a thread of its own."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mooring import __version__
from mooring.cli.frames import ATTACH, frame, frames, unpacked
from mooring.cli.guest import Guest, In, Out, Place
from mooring.cli.here import Here
from mooring.cli.sameness import difference, named, unlike
from mooring.errors import MooringError
from mooring.system.dirs import Dirs

if TYPE_CHECKING:
    import click

    from mooring.host import Host

__all__ = ["Reception"]

MOST = 64
LIVING = 4.0
LETS_GO = 3.0


class Reception:
    """`here` is where the `serve` runs. It must end before the loop of its host does."""

    def __init__(self, here: Here, host: Host) -> None:
        self.here = here
        self.host = host
        self.loop = asyncio.get_running_loop()
        self._program: click.Group | None = None
        self._guests: dict[Guest, asyncio.Event] = {}

    @property
    def program(self) -> click.Group:
        """All that commands need, imported before the first of them comes."""
        if self._program is None:
            from mooring.cli.app import program

            self._program = program()
        return self._program

    def protocol(self) -> asyncio.Protocol:
        return _Connection(self)

    def refusal(self, guest: Guest, version: str) -> str:
        """Why this command has to run elsewhere; it may block. Where it says nothing, the files are read."""
        if version != __version__:
            return f"it is version {__version__}, and this is {version}"
        if len(self._guests) >= MOST:
            return f"it runs {MOST} commands already"
        here = Here(*guest.place)
        found = difference(self.here, here)
        if found:
            return found
        # What is wrong with the files the command itself says.
        with suppress(MooringError):
            guest.loaded = here.load()
            name = unlike(named(guest.loaded.config), here.env, self.here.env)
            return f"`{name}`, which the configuration refers to, has another value there" if name else ""
        return ""

    async def carried_out(self, guest: Guest, words: list[str]) -> int:
        """In a thread that nobody waits for at the end: it may hang in something that blocks."""
        from mooring.cli.away import opened
        from mooring.cli.run import run_program

        guest.host = partial(opened, self.host, self.loop)
        ended: asyncio.Future[int] = self.loop.create_future()
        program = self.program

        def run() -> None:
            code = 1
            try:
                with guest.present():
                    code = run_program(program, words)
            finally:
                with suppress(RuntimeError):
                    self.loop.call_soon_threadsafe(ended.set_result, code)

        gone = self._guests[guest] = asyncio.Event()
        threading.Thread(target=run, daemon=True, name=f"attached {words[0]}").start()
        try:
            return await ended
        finally:
            del self._guests[guest]
            gone.set()

    async def close(self, within: float) -> None:
        """No command is taken any more; those that run may finish, and are interrupted where they do not."""
        for seconds in (within, LETS_GO):
            waiting = [asyncio.ensure_future(gone.wait()) for gone in self._guests.values()]
            if not waiting:
                return
            _, late = await asyncio.wait(waiting, timeout=seconds)
            for each in late:
                each.cancel()
            for guest in list(self._guests):
                guest.interrupt()


class _Connection(asyncio.Protocol):
    def __init__(self, reception: Reception) -> None:
        self._reception = reception
        self._loop = reception.loop
        self._buffer = bytearray()
        self._guest: Guest | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_first = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._thread = threading.get_ident()
        self._put(b"a")

    def data_received(self, data: bytes) -> None:
        self._buffer += data[len(ATTACH) :] if self._is_first else data
        self._is_first = False
        try:
            for kind, content in frames(self._buffer):
                self._heard(kind, content)
        except (ValueError, IndexError):
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's own signature
        if self._guest is not None:
            self._guest.interrupt()

    def _heard(self, kind: bytes, content: bytes) -> None:
        if kind == b"h" and self._task is None:
            self._task = self._loop.create_task(self._received(content))
        elif self._guest is not None and kind == b"i":
            self._guest.interrupt()
        elif self._guest is not None:
            self._guest.heard(kind, content)

    async def _received(self, hello: bytes) -> None:
        version, folder, terminals, *rest = unpacked(hello)
        words, env = (unpacked(each) for each in rest[4:6])
        variables = dict(os.fsdecode(each).split("=", 1) for each in env)
        place = Place(Path(os.fsdecode(folder)), variables, Dirs.of(variables))
        guest = self._guest = Guest(place, self._streams(terminals, rest), self._send)
        why = await asyncio.to_thread(self._refusal, guest, version.decode(errors="replace"))
        if why:
            self._put(b"r", why.encode())
            self._transport.close()
            return
        self._put(b"k")
        alive = self._loop.create_task(self._alive())
        try:
            code = await self._reception.carried_out(guest, [os.fsdecode(word) for word in words])
        finally:
            alive.cancel()
        self._put(b"x", bytes([code & 255]))
        self._transport.close()

    def _refusal(self, guest: Guest, version: str) -> str:
        with guest.present():
            return self._reception.refusal(guest, version)

    def _streams(self, terminals: bytes, rest: list[bytes]) -> Mapping[str, Any]:
        encodings, sizes = rest[:2], rest[2:4]
        found: dict[str, Any] = {}
        for at, (name, kind) in enumerate((("stdout", b"o"), ("stderr", b"e"))):
            room = tuple(map(int, sizes[at].split() or (0, 0)))
            size = (room[0], room[1]) if terminals[at + 1 : at + 2] == b"1" else None
            found[name] = Out(self._sends(kind), encodings[at].decode(), size)
        found["stdin"] = In(self._asked, is_terminal=terminals[:1] == b"1")
        return found

    def _sends(self, kind: bytes) -> Callable[[bytes], None]:
        return lambda content: self._send(kind, content)

    def _asked(self, kind: bytes, content: bytes) -> bytes:
        return b"" if self._guest is None else self._guest.asked(kind, content)

    async def _alive(self) -> None:
        """Whoever waits for a slow server knows that we live."""
        while True:
            await asyncio.sleep(LIVING)
            self._put(b"a")

    def _send(self, kind: bytes, content: bytes = b"") -> None:
        """From the thread of a command; in their order."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._put, kind, content)

    def _put(self, kind: bytes, content: bytes = b"") -> None:
        if not self._transport.is_closing():
            self._transport.write(frame(kind, content))
