"""The calls that were made, one row each, the oldest of them dropped in time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from mooring.core.audit import Call, Kept, keepable
from mooring.core.frozen import frozen
from mooring.core.values import JSON

__all__ = ["Asked", "add", "find", "lost", "missing", "trim"]

COLUMNS = "at, caller, face, agent, server, tool, arguments, outcome, code, seconds, sent, received"


@frozen
class Asked:
    """Which calls, newest first: before this one, of this server, tool or caller, or what went wrong."""

    limit: int = 50
    before: int | None = None
    server: str | None = None
    tool: str | None = None
    caller: str | None = None
    failed: bool = False


def add(database: sqlite3.Connection, calls: Iterable[Call]) -> None:
    marks = ", ".join("?" * 12)
    database.executemany(
        f"INSERT INTO call ({COLUMNS}) VALUES ({marks})",  # noqa: S608 - our own words
        [_row(call) for call in calls],
    )


def _row(call: Call) -> tuple[JSON, ...]:
    texts = (call.caller, call.face, call.agent, call.server, call.tool)
    return (
        call.at,
        # Half of a surrogate pair is no text to SQLite.
        *(text.encode("utf-8", "replace").decode() for text in texts),
        keepable(_decoded(call.arguments)),
        call.outcome,
        call.code,
        call.seconds,
        len(call.arguments),
        call.received,
    )


def _decoded(arguments: bytes) -> JSON:
    try:
        return json.loads(arguments) if arguments else {}
    except (ValueError, RecursionError):
        return {}


def find(database: sqlite3.Connection, asked: Asked) -> Sequence[Kept]:
    wanted: list[tuple[str, JSON]] = [
        ("id < ?", asked.before),
        ("server = ?", asked.server),
        ("tool = ?", asked.tool),
        ("caller = ?", asked.caller),
    ]
    given = [(words, value) for words, value in wanted if value is not None]
    conditions = [words for words, _ in given] + (["outcome <> 'done'"] if asked.failed else [])
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    rows = database.execute(
        f"SELECT id, {COLUMNS} FROM call {where} ORDER BY id DESC LIMIT ?",  # noqa: S608 - values are bound
        [*(value for _, value in given), asked.limit],
    )
    return [Kept(*row) for row in rows]


def lost(database: sqlite3.Connection, at: float, calls: int) -> None:
    """So many could not be kept until now."""
    database.execute("INSERT INTO gap (at, calls) VALUES (?, ?)", (at, calls))


def missing(database: sqlite3.Connection) -> int:
    """How many calls are known to have been made, and are not here."""
    return database.execute("SELECT coalesce(sum(calls), 0) FROM gap").fetchone()[0]


def trim(database: sqlite3.Connection, most: int) -> None:
    """Only the newest stay."""
    newest = database.execute("SELECT max(id) FROM call").fetchone()[0] or 0
    database.execute("DELETE FROM call WHERE id <= ?", (newest - most,))
