"""What is said over time, kept in a file that stays small, whoever else writes to it at the same moment."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from mooring.errors import Busy, MooringError
from mooring.system.files import private_dir
from mooring.system.locks import locked

__all__ = ["Journal", "journal_file", "older"]

Record = Mapping[str, object]

PER_SECOND = 64 * 1024
ROTATE_AT = 5 * 1024 * 1024


def journal_file(folder: Path, name: str) -> Path:
    """Where it is kept; a name that could leave the folder is spelt so that it cannot."""
    safe = "".join(c if c.isalnum() or c in "._- " else f"%{ord(c):02x}" for c in name)
    return folder / f"{safe.lstrip('.') or '%2e'}.log"


def older(file: Path) -> Path:
    """Where that which came before goes, once, when the file has grown too long."""
    return file.with_suffix(".log.1")


class Journal:
    """Records of one `run`, each a line of JSON; a disk that refuses costs the file, and nothing else.

    Somebody may say a gigabyte: what is too much for a second is left out, and counted.
    """

    def __init__(self, file: Path | None, run: str) -> None:
        self._file = file
        self._run = run
        self._began = time.time()
        self._descriptor = -1
        self._looked = 0.0
        self._since = 0.0
        self._room = 0
        self._left_out = 0
        self._gap = 0
        self.is_begun = False

    def admit(self, sizes: Sequence[int]) -> int:
        """How many of these, from the first on, there is room for now; the others are left out."""
        now = time.monotonic()
        if now - self._since >= 1:
            self._since, self._room = now, PER_SECOND
            self.close_gap()
        for number, size in enumerate(sizes):
            if self._room <= 0:
                self._left_out += len(sizes) - number
                return number
            self._room -= size
        return len(sizes)

    def close_gap(self) -> bool:
        """Whether something was left out; what is written next comes after it."""
        self._gap, self._left_out = self._gap + self._left_out, 0
        return self._gap > 0

    def write(self, source: str, texts: Iterable[str], **more: str) -> None:
        """`source` is who said it; `more` is what else is known of it."""
        found = [self._record(source, text, more) for text in texts]
        if self._file is None or not found:
            return
        if self._gap:
            found.insert(0, self._record("mooring", f"({self._gap} lines were left out here)", {}))
            self._gap = 0
        if not self.is_begun:
            self.is_begun = True
            found.insert(0, self._record("mooring", "connecting", {}) | {"at": round(self._began, 3)})
        self._append(found)

    def end(self, text: str | None) -> None:
        """Why it ended, if that has to be told; a run in which nothing was said ends in silence."""
        self.close_gap()
        if text is not None:
            self.write("mooring", [text])
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self._file = None

    def _record(self, source: str, text: str, more: Mapping[str, str]) -> dict[str, object]:
        return {"at": round(time.time(), 3), "run": self._run, "from": source, **more, "text": text}

    def _append(self, records: Iterable[Record]) -> None:
        if self._file is None:
            return
        lines = "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)
        data = lines.encode("utf-8", "replace")
        try:
            if os.write(self._opened(self._file), data) < len(data):
                self._file = None
        except (OSError, MooringError):
            self._file = None

    def _opened(self, file: Path) -> int:
        """Somebody else may have begun a new file meanwhile."""
        now = time.monotonic()
        if self._descriptor >= 0 and now - self._looked < 1:
            return self._descriptor
        self._looked = now
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        private_dir(file.parent)
        if _is_long(file):
            _rotate(file)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        self._descriptor = os.open(file, flags | getattr(os, "O_CLOEXEC", 0), 0o600)
        return self._descriptor


def _is_long(file: Path) -> bool:
    try:
        return file.stat().st_size > ROTATE_AT
    except FileNotFoundError:
        return False


def _rotate(file: Path) -> None:
    """One at a time, and the second one finds that it is done."""
    with suppress(Busy), locked(file, wait=0):
        if _is_long(file):
            file.replace(older(file))
