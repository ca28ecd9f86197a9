"""The running `serve` of a project, found by its socket: how it stands, and how it is told to end."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from mooring.errors import StillServed
from mooring.system.peer import connect, process_of, user_of
from mooring.system.rendezvous import socket_path

if TYPE_CHECKING:
    from mooring.cli.here import Here

__all__ = ["ABOUT", "Running", "running"]

ABOUT = b"\1"
ANSWERS_WITHIN = 5.0
ENDS_WITHIN = 30.0


class Running:
    """One that listens; whether it also answers shows in what it says of itself."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._rest = b""
        self.process = process_of(end)
        end.sendall(ABOUT)
        self.about = self._line(ANSWERS_WITHIN)

    def stop(self) -> dict[str, int] | None:
        """Told to end, and waited for; what became of its calls, where it says so."""
        if self.process is None:
            raise StillServed("The system does not tell which process listens", hint="Stop it by hand")
        with _watching(self.process) as watched:
            os.kill(self.process, signal.SIGTERM)
            told = self._line(ENDS_WITHIN)
            if not watched(ENDS_WITHIN):
                raise StillServed(
                    f"Process {self.process} was told to end, and has not within {ENDS_WITHIN:g} s",
                    hint=f"kill -KILL {self.process}",
                )
        return told

    def _line(self, within: float) -> Any:
        """What it says next; None where it says nothing in time, or never will."""
        until = time.monotonic() + within
        while b"\n" not in self._rest:
            self._end.settimeout(max(until - time.monotonic(), 0.001))
            try:
                more = self._end.recv(65_536)
            except OSError:
                return None
            if not more:
                return None
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)


@contextmanager
def running(here: Here) -> Generator[Running | None]:
    """The one of this project; None where nobody listens, or where it is not ours."""
    path = socket_path(str(here.cwd), here.env)
    if path is None:
        yield None
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
        found = None
        with suppress(OSError):
            connect(end, path, ANSWERS_WITHIN)
            if user_of(end) == os.geteuid():
                found = Running(end)
        yield found


@contextmanager
def _watching(process: int) -> Generator[Callable[[float], bool]]:
    """A function that waits for its end: by a handle that no other process can come to have."""
    if not hasattr(os, "pidfd_open"):
        yield lambda within: _is_gone(process, within)
        return
    handle = os.pidfd_open(process)
    try:
        yield lambda within: bool(select.select([handle], [], [], within)[0])
    finally:
        os.close(handle)


def _is_gone(process: int, within: float) -> bool:
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            os.kill(process, 0)
        except OSError:
            return True
        time.sleep(0.05)
    return False
