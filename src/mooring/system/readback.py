"""What a journal holds, and what comes to it while one waits."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from mooring.errors import StorageError
from mooring.system.journal import older

__all__ = ["Tail", "come", "kept"]

PIECE = 256 * 1024


class Tail:
    """The lines of one file from where it was last read; a file put in its place is begun anew."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor = -1
        self._open = b""

    def records(self) -> Iterator[dict[str, Any]]:
        """Everything that is there by now."""
        if self._descriptor < 0:
            self._descriptor = self._opened()
        while self._descriptor >= 0:
            yield from self._rest()
            if not self._is_another():
                return
            # what was written between the last look and the change of files
            yield from self._rest()
            os.close(self._descriptor)
            self._open = b""
            self._descriptor = self._opened()

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _opened(self) -> int:
        try:
            return os.open(
                self._file, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
            )
        except FileNotFoundError:
            return -1
        except OSError as error:
            reason = (error.strerror or "unknown error").lower()
            raise StorageError(
                f"`{self._file}` cannot be read: {reason}", hint=f"ls -l {self._file}"
            ) from error

    def _rest(self) -> Iterator[dict[str, Any]]:
        while piece := os.read(self._descriptor, PIECE):
            *whole, self._open = (self._open + piece).split(b"\n")
            for line in whole:
                record = _record(line)
                if record is not None:
                    yield record

    def _is_another(self) -> bool:
        with suppress(OSError):
            return not os.path.samestat(os.fstat(self._descriptor), self._file.stat())
        return False


def kept(file: Path, tail: Tail, count: int) -> list[dict[str, Any]]:
    """The last `count` records of all that is there; `tail`, which is that file's, goes on behind them."""
    last: deque[dict[str, Any]] = deque(maxlen=count)
    before = Tail(older(file))
    try:
        last.extend(before.records())
    finally:
        before.close()
    last.extend(tail.records())
    return list(last)


def come(tail: Tail, pause: float) -> Generator[dict[str, Any]]:
    """Records as they are written, without an end."""
    while True:
        yield from tail.records()
        time.sleep(pause)


def _record(line: bytes) -> dict[str, Any] | None:
    """A disk that was full may have left half of one."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    record = cast("dict[str, Any]", found)
    at, text = record.get("at"), record.get("text")
    return record if isinstance(at, int | float) and isinstance(text, str) else None
