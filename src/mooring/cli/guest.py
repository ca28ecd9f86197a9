"""Whose command this is, where it came to a running `serve`: its terminal, its folder, its environment."""

from __future__ import annotations

import asyncio
import io
import os
import queue
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from mooring.config.load import Loaded
    from mooring.core.spec import Config
    from mooring.host import Host
    from mooring.system.dirs import Dirs

__all__ = ["Guest", "In", "Out", "Place", "environment", "here_and_there", "visiting"]

_GUEST: ContextVar[Guest | None] = ContextVar("guest", default=None)
_STREAMS = ("stdin", "stdout", "stderr")


def visiting() -> Guest | None:
    """None where a command runs in the process that was started for it."""
    return _GUEST.get()


def environment() -> Mapping[str, str]:
    """That of whoever typed the command."""
    guest = visiting()
    return os.environ if guest is None else guest.place.env


class Place(NamedTuple):
    """Where the command was typed."""

    cwd: Path
    env: Mapping[str, str]
    dirs: Dirs


class Guest:
    """It has a thread and a loop of its own, so that its command may block as it does anywhere.

    `send` takes a kind and its content; what comes back arrives in `heard` and `interrupt`."""

    def __init__(
        self, place: Place, streams: Mapping[str, Any], send: Callable[[bytes, bytes], None]
    ) -> None:
        self.place = place
        self.loaded: Loaded | None = None
        self.host: Callable[[Config], AbstractAsyncContextManager[Host]] = _nowhere
        self.streams = streams
        self.send = send
        self._answers: queue.SimpleQueue[tuple[bytes, bytes]] = queue.SimpleQueue()
        self._stop: Callable[[], None] | None = None
        self._waiter: Callable[[bytes, bytes], None] | None = None
        self.is_interrupted = False

    @contextmanager
    def present(self) -> Generator[None]:
        """In this thread, everything is done for this guest."""
        token = _GUEST.set(self)
        try:
            yield
        finally:
            _GUEST.reset(token)

    # --- heard from there, in the thread of the connection

    def heard(self, kind: bytes, content: bytes) -> None:
        if self._waiter is not None:
            self._waiter(kind, content)
        else:
            self._answers.put((kind, content))

    def interrupt(self) -> None:
        """Ctrl-C, or nobody is there any more."""
        self.is_interrupted = True
        self._answers.put((b"g", b""))
        if self._stop is not None:
            self._stop()

    # --- done here, in the guest's own thread

    def run(self, work: Callable[[], Any]) -> Any:
        """As `asyncio.run` does, with the guest's Ctrl-C in place of the process's."""

        async def whole() -> Any:
            task, loop = asyncio.current_task(), asyncio.get_running_loop()

            def stop() -> None:
                if task is not None:
                    loop.call_soon_threadsafe(task.cancel)

            self._stop = stop
            if self.is_interrupted:
                raise asyncio.CancelledError
            try:
                return await work()
            finally:
                self._stop = None

        try:
            return asyncio.run(whole())
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None

    async def line(self) -> str:
        """What is typed next; empty where the question was given up."""
        loop = asyncio.get_running_loop()
        typed: asyncio.Future[str] = loop.create_future()

        def answer(kind: bytes, content: bytes) -> None:
            text = content.decode(errors="replace") if kind == b"l" else ""
            loop.call_soon_threadsafe(lambda: None if typed.done() else typed.set_result(text))

        self._waiter = answer
        self.send(b"q", b"")
        try:
            return await typed
        finally:
            self._waiter = None
            if typed.cancelled():
                self.send(b"n", b"")

    def asked(self, kind: bytes, content: bytes = b"") -> bytes:
        """The same for whoever may block."""
        self.send(kind, content)
        answer, content = self._answers.get()
        if answer == b"g":
            raise KeyboardInterrupt
        return content


class Out(io.TextIOBase):
    """A stream of the guest's that takes text."""

    def __init__(self, put: Callable[[bytes], None], encoding: str, size: tuple[int, int] | None) -> None:
        self._put = put
        self._encoding = encoding
        self._is_terminal = size is not None
        self.terminal_size = os.terminal_size(size or (0, 0))

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._is_terminal

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        self._put(text.encode(self._encoding, "backslashreplace"))
        return len(text)


class In(io.TextIOBase):
    """The guest's stdin, which is asked for when somebody wants to read it."""

    def __init__(self, asked: Callable[[bytes, bytes], bytes], *, is_terminal: bool) -> None:
        self._asked = asked
        self._is_terminal = is_terminal
        self.buffer = self

    def isatty(self) -> bool:
        return self._is_terminal

    def readable(self) -> bool:
        return True

    def readline(self, _size: int = -1, /) -> str:  # type: ignore[override]
        return self._asked(b"q", b"").decode(errors="replace")

    def read(self, most: int | None = -1, /) -> Any:
        """Bytes, since it is read as `sys.stdin.buffer`."""
        return self._asked(b"s", str(most).encode())


class _Either:
    """A guest's stream for whoever works for one, else the process's own."""

    def __init__(self, name: str, own: Any) -> None:
        self._name = name
        self._own = own

    def __getattr__(self, name: str) -> Any:
        guest = visiting()
        return getattr(self._own if guest is None else guest.streams[self._name], name)


@contextmanager
def here_and_there() -> Generator[None]:
    """What is written goes to whom it is for, until the block ends."""
    own = {name: getattr(sys, name) for name in _STREAMS}
    for name, stream in own.items():
        setattr(sys, name, _Either(name, stream))
    try:
        yield
    finally:
        for name, stream in own.items():
            setattr(sys, name, stream)


def _nowhere(_: Config) -> AbstractAsyncContextManager[Host]:
    raise RuntimeError("this guest has no host")
