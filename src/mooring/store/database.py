"""One SQLite file, which several processes use at once; a damaged one is set aside and begun anew."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TypeVar

from mooring.errors import MooringError, StorageError, StoreDamaged
from mooring.system.files import private_dir
from mooring.system.locks import locked

__all__ = ["Database"]

T = TypeVar("T")

VERSION = 3
WAIT = 5.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS call (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    caller TEXT NOT NULL,
    face TEXT NOT NULL,
    agent TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    outcome TEXT NOT NULL,
    code TEXT NOT NULL,
    seconds REAL NOT NULL,
    sent INTEGER NOT NULL,
    received INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS pinned (
    mark TEXT PRIMARY KEY,
    server TEXT NOT NULL,
    at REAL NOT NULL,
    listing TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS pin (
    mark TEXT NOT NULL,
    tool TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    definition TEXT NOT NULL,
    PRIMARY KEY (mark, tool)
);
CREATE TABLE IF NOT EXISTS granted (
    agent TEXT NOT NULL,
    mark TEXT NOT NULL,
    tool TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    server TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (agent, mark, tool)
);
CREATE TABLE IF NOT EXISTS lost (at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS gap (at REAL NOT NULL, calls INTEGER NOT NULL);
"""


class Database:
    """Opened at the first use, by the thread that uses it; `damaged` hears of a file that was set aside."""

    def __init__(self, file: Path, damaged: Callable[[MooringError], None] = lambda _: None) -> None:
        self.file = file
        self._damaged = damaged
        self._connection: sqlite3.Connection | None = None
        self._has_lost = False
        self._inode = 0

    def use(self, job: Callable[[sqlite3.Connection], T], begin: str = "BEGIN IMMEDIATE") -> T:
        """What `job` comes to, all of it written or nothing; once more where the file proves damaged."""
        try:
            try:
                return self._transaction(job, begin)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self._has_lost = self._set_aside() or self._has_lost
                return self._transaction(job, begin)
        except (sqlite3.Error, OSError) as error:
            self.close()
            raise _unusable(self.file, error) from error

    def look(self, job: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        """The same for reading alone: it makes no file, and gets by on a disk that cannot be written."""
        if not self.file.exists():
            return nothing
        try:
            return self.use(job, "BEGIN")
        except StorageError:
            # Without a folder to write to, a file with a journal is read as if nobody else had it.
            for how in ("mode=ro", "immutable=1"):
                with suppress(sqlite3.Error), closing(self._reader(how)) as reader:
                    return job(reader)
            raise

    def close(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _transaction(self, job: Callable[[sqlite3.Connection], T], begin: str) -> T:
        connection = self._open()
        with connection:
            connection.execute(begin)
            if self._has_lost:
                connection.execute("INSERT INTO lost (at) VALUES (?)", (time.time(),))
            found = job(connection)
        self._has_lost = False
        return found

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and _inode(self.file) != self._inode:
            # Somebody has removed the file, or set it aside: what is written there now, nobody would find.
            self.close()
        if self._connection is None:
            private_dir(self.file.parent)
            if self.file.is_symlink():
                raise StorageError(f"`{self.file}` is a link", hint="Remove it; the file is made again")
            with locked(self.file):
                self._connection = self._made()
            self._inode = _inode(self.file)
        return self._connection

    def _made(self) -> sqlite3.Connection:
        # SQLite gives the journal beside it the same permissions.
        os.close(os.open(self.file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600))
        with ExitStack() as undo:
            connection = sqlite3.connect(self.file, timeout=WAIT, isolation_level=None)
            undo.callback(connection.close)
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise StorageError(
                    f"`{self.file}` was written by a newer Mooring",
                    hint="Use that one, or move the file away",
                )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if version < VERSION:
                connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT")
            undo.pop_all()
        return connection

    def _reader(self, how: str) -> sqlite3.Connection:
        connection = sqlite3.connect(f"{self.file.as_uri()}?{how}", uri=True, timeout=WAIT)
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _set_aside(self) -> bool:
        """Under another name, where one can still look into it; not if another process has just done so."""
        inode = self._inode or _inode(self.file)
        self.close()
        with locked(self.file):
            if _inode(self.file) != inode:
                return False
            aside = f"{self.file}.corrupt-{int(time.time())}"
            for end in ("-wal", "-shm", ""):
                with suppress(FileNotFoundError):
                    Path(f"{self.file}{end}").replace(f"{aside}{end}")
        self._damaged(
            StoreDamaged(
                f"`{self.file}` was damaged and has been set aside; what it held counts no longer",
                hint=f"It is `{aside}` now",
            )
        )
        return True


def _inode(file: Path) -> int:
    try:
        return file.stat().st_ino
    except OSError:
        return 0


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _unusable(file: Path, error: sqlite3.Error | OSError) -> StorageError:
    reason = (error.strerror or "unknown error") if isinstance(error, OSError) else str(error)
    cures = {
        sqlite3.SQLITE_FULL: "Free some space on that disk",
        sqlite3.SQLITE_READONLY: "Is it yours to write to?",
        sqlite3.SQLITE_CANTOPEN: "Is its folder yours to write to?",
        sqlite3.SQLITE_BUSY: "Another process holds it; try again when that one has finished",
    }
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return StorageError(
        f"`{file}` cannot be used: {reason.lower()}", hint=cures.get(code, f"Does `ls -l {file}` look right?")
    )
