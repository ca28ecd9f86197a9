"""Vectors that were computed once, kept on disk under the hash of their text; the text itself is not kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

__all__ = ["Kept"]

_WAIT = 5.0
_TOGETHER = 500
_TABLE = "create table if not exists vectors (hash blob primary key, vector blob not null) without rowid"


class Kept:
    """`model` tells vectors of one from those of another. A cache that cannot be used is an empty one."""

    def __init__(self, file: Path, model: str) -> None:
        self._file = file
        self._model = model.encode()

    def get(self, texts: Sequence[str]) -> Mapping[str, bytes]:
        names = {self._name(text): text for text in texts}
        hashes = list(names)
        found: dict[str, bytes] = {}
        try:
            with closing(self._open()) as database:
                for begin in range(0, len(hashes), _TOGETHER):
                    some = hashes[begin : begin + _TOGETHER]
                    marks = ",".join("?" * len(some))
                    query = f"select hash, vector from vectors where hash in ({marks})"  # noqa: S608 - only marks
                    found.update((names[name], vector) for name, vector in database.execute(query, some))
        except (sqlite3.Error, OSError):
            return {}
        return found

    def put(self, vectors: Mapping[str, bytes]) -> None:
        rows = [(self._name(text), vector) for text, vector in vectors.items()]
        try:
            with closing(self._open()) as database, database:
                database.executemany("insert or replace into vectors values (?, ?)", rows)
        except (sqlite3.Error, OSError):
            return

    def _open(self) -> sqlite3.Connection:
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        database = sqlite3.connect(self._file, timeout=_WAIT)
        try:
            database.execute(_TABLE)
        except sqlite3.Error:
            database.close()
            raise
        return database

    def _name(self, text: str) -> bytes:
        return sha256(self._model + b"\0" + text.encode("utf-8", "surrogatepass")).digest()
