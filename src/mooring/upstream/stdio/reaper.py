"""Nothing that a host has started outlives it: a small process waits for its death, however it comes."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from mooring.upstream.stdio import reap
from mooring.upstream.stdio.environment import TAG
from mooring.upstream.stdio.process import let_go

__all__ = ["Reaper"]


class Reaper:
    """One for each host, started with its first local server."""

    def __init__(self) -> None:
        self._tag = secrets.token_hex(8)
        self._count = 0
        self._process: subprocess.Popen[bytes] | None = None

    def mark(self) -> dict[str, str]:
        """What a server has to have in its environment to be found again, even in another session."""
        self._count += 1
        return {TAG: f"{self._tag}-{self._count}"}

    def add(self, group: int) -> None:
        if self._process is None and sys.executable and os.name == "posix":
            with suppress(OSError):
                self._process = subprocess.Popen(
                    [sys.executable, "-S", "-E", str(Path(reap.__file__)), self._tag],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env={},
                    start_new_session=True,
                    bufsize=0,
                )
        self._tell(f"+ {group}\n")

    def remove(self, group: int, mark: dict[str, str]) -> None:
        """The group is empty; whoever left it goes now."""
        for process in reap.tagged(f"{mark[TAG]}\0".encode()[:-1]):
            if self._is_exactly(process, mark[TAG]):
                with suppress(OSError):
                    os.kill(process, signal.SIGKILL)
        self.forget(group)

    def forget(self, group: int) -> None:
        """The group is empty; whoever left it goes at the end, when all are looked for at once."""
        self._tell(f"- {group}\n")

    def _is_exactly(self, process: int, tag: str) -> bool:
        """`…-1` is the beginning of `…-12` too."""
        with suppress(OSError):
            return f"{TAG}={tag}".encode() in Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
        return False

    def _tell(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.write(line.encode())

    def close(self) -> None:
        """It ends whatever is still there by itself, and then itself."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            let_go(self._process)
            self._process = None
