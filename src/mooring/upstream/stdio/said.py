"""What a local server says on stderr: its last lines at hand, more of it in a file that stays small."""

from __future__ import annotations

import os
import time
from collections import deque
from pathlib import Path

from mooring.core.redact import clean, mask, mask_shapes
from mooring.errors import StorageError
from mooring.system.files import private_dir

__all__ = ["Said", "log_file"]

LINES = 200
LONGEST = 4096
PER_SECOND = 64 * 1024
ROTATE_AT = 5 * 1024 * 1024


def log_file(folder: Path, server: str) -> Path:
    """Where it is kept; a name that could leave the folder is spelt so that it cannot."""
    safe = "".join(c if c.isalnum() or c in "._- " else f"%{ord(c):02x}" for c in server)
    return folder / f"{safe.lstrip('.') or '%2e'}.log"


class Said:
    """`file` is where it is kept too, if anywhere; a disk that refuses costs the file, not the server.

    To look for secrets takes time, and a server may say a gigabyte: what is too much is left out.
    """

    def __init__(self, file: Path | None = None, secrets: tuple[str, ...] = ()) -> None:
        self._file = file
        self._secrets = secrets
        self._most = LONGEST + 4 * max(map(len, secrets), default=0)
        self._recent: deque[bytes] = deque(maxlen=LINES)
        self._open = b""
        self._descriptor = -1
        self._written = 0
        self._since = 0.0
        self._room = 0
        self._left_out = 0

    def feed(self, data: bytes) -> None:
        *whole, rest = (self._open + data).split(b"\n")
        self._open = rest[: self._most]
        self._recent.extend(line[: self._most] for line in whole[-LINES:])
        if self._file is not None and whole:
            self._keep(self._admitted(whole))

    def end(self) -> None:
        if self._open.strip():
            self.feed(b"\n")
        if self._left_out:
            self._keep([self._omission(), *self.last()])
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self._file = None

    def last(self, count: int = 20) -> tuple[str, ...]:
        found = [line for line in self._recent if line.strip()][-count:]
        return tuple(self._tidy(line) for line in found)

    def _admitted(self, lines: list[bytes]) -> list[str]:
        """What goes to the file: all of it, unless the server says more than anybody could read."""
        found: list[str] = []
        now = time.monotonic()
        if now - self._since >= 1:
            self._since, self._room = now, PER_SECOND
            if self._left_out:
                found.append(self._omission())
        for number, line in enumerate(lines):
            if self._room <= 0:
                self._left_out += len(lines) - number
                break
            self._room -= min(len(line), self._most) + 1
            found.append(self._tidy(line))
        return found

    def _omission(self) -> str:
        count, self._left_out = self._left_out, 0
        return f"({count} lines were left out here)"

    def _tidy(self, line: bytes) -> str:
        """Cut after it was masked: half a secret would be none that is known."""
        text = line[: self._most].decode("utf-8", "replace").rstrip("\r")
        text = mask_shapes(mask(clean(text), self._secrets))
        if len(line) > LONGEST:
            margin = max(map(len, self._secrets), default=0)
            text = text[: max(min(len(text) - margin, LONGEST), 0)]
        return text

    def _keep(self, lines: list[str]) -> None:
        if self._file is None or not lines:
            return
        try:
            if self._descriptor < 0 or self._written > ROTATE_AT:
                self._begin(self._file)
            data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
            self._written += os.write(self._descriptor, data)
        except (OSError, StorageError):
            self._file = None

    def _begin(self, file: Path) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        private_dir(file.parent)
        if file.exists() and file.stat().st_size > ROTATE_AT:
            file.replace(file.with_suffix(".log.1"))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        self._descriptor = os.open(file, flags | getattr(os, "O_CLOEXEC", 0), 0o600)
        self._written = os.fstat(self._descriptor).st_size
