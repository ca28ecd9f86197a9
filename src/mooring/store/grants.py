"""Which calls were allowed for good."""

from __future__ import annotations

import sqlite3
import time

from mooring.core.grant import Grant

__all__ = ["add", "has"]

COLUMNS = "agent, mark, tool, fingerprint"


def add(database: sqlite3.Connection, grant: Grant) -> None:
    database.execute(
        f"INSERT OR REPLACE INTO granted ({COLUMNS}, server, at) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608 - our own words
        (*_key(grant), grant.fingerprint, _text(grant.server), time.time()),
    )


def has(database: sqlite3.Connection, grant: Grant) -> bool:
    row = database.execute(
        "SELECT 1 FROM granted WHERE agent = ? AND mark = ? AND tool = ? AND fingerprint = ?",
        (*_key(grant), grant.fingerprint),
    ).fetchone()
    return row is not None


def _key(grant: Grant) -> tuple[str, str, str]:
    return _text(grant.agent), grant.mark, _text(grant.tool)


def _text(text: str) -> str:
    """Half of a surrogate pair is no text to SQLite; two names stay two."""
    return text.encode("utf-8", "backslashreplace").decode()
