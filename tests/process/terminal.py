"""A program on a terminal of its own, typed into and read from."""

from __future__ import annotations

import errno
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MOORING = (sys.executable, "-m", "mooring")


class Terminal:
    """A program on a terminal of its own; what it says is collected."""

    def __init__(self, *words: str, columns: int = 80) -> None:
        import fcntl
        import struct
        import termios

        self.fd, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = os.environ | {"TERM": "xterm"}
        self.child = subprocess.Popen(
            [*MOORING, *words], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        os.close(theirs)
        self.text = ""

    def until(self, expected: str) -> None:
        """Read until `expected` has been said."""
        limit = time.monotonic() + 30
        while expected not in self.text:
            if not self._read(limit - time.monotonic()):
                raise AssertionError(f"never said {expected!r}: {self.text}")

    def until_it_reads(self) -> None:
        """Until the program waits for what is typed: Python loses an interrupt that comes just before."""
        calls = Path(f"/proc/{self.child.pid}/syscall")
        limit = time.monotonic() + 30
        while calls.exists() and not re.match(r"(0|63) 0x0 ", calls.read_text()):
            assert time.monotonic() < limit, "it never read its terminal"
            os.sched_yield()

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def echoes(self) -> bool:
        """Whether what is typed shows."""
        import termios

        return bool(termios.tcgetattr(self.fd)[3] & termios.ECHO)

    def end(self) -> int:
        while self._read(30):
            pass
        return self.child.wait(30)

    def close(self) -> None:
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait(30)
        os.close(self.fd)

    def _read(self, wait: float) -> bool:
        """Whether there was more; the end of a terminal is an error of the system's."""
        if not select.select([self.fd], [], [], max(wait, 0))[0]:
            return False
        try:
            piece = os.read(self.fd, 65536)
        except OSError as error:
            if error.errno == errno.EIO:
                return False
            raise
        self.text += piece.decode()
        return bool(piece)


@contextmanager
def terminal(*words: str, columns: int = 80) -> Iterator[Terminal]:
    opened = Terminal(*words, columns=columns)
    try:
        yield opened
    finally:
        opened.close()
