"""What the tools of each server looked like when they were approved."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

import msgspec

from mooring.core.pins import Pin, PinChanges, Pinned, compare
from mooring.core.values import JSON, is_map

__all__ = ["everything", "forget", "known", "look", "pin", "remember"]


def look(database: sqlite3.Connection, mark: str, tools: Sequence[JSON]) -> PinChanges | None:
    """What differs from what was approved; None for a server that is seen for the first time."""
    row = database.execute("SELECT listing FROM pinned WHERE mark = ?", (mark,)).fetchone()
    if row is None:
        return compare({}, _maps(tools)) if _has_lost(database) else None
    if row[0] == _digest(tools):
        # The very list that was found to be in order last time.
        return PinChanges()
    return compare(known(database, mark), _maps(tools))


def remember(database: sqlite3.Connection, server: str, mark: str, tools: Sequence[JSON]) -> PinChanges:
    """The same, for good: the tools of a server that is seen for the first time are approved as they are."""
    found = look(database, mark, tools)
    if found is None:
        _approve(database, server, mark)
        _put(database, mark, map(Pin.of, _maps(tools)))
        found = PinChanges()
    if not (found.changed or found.new):
        database.execute("UPDATE pinned SET listing = ? WHERE mark = ?", (_digest(tools), mark))
    return found


def pin(
    database: sqlite3.Connection, server: str, mark: str, approved: Iterable[Pin], gone: Iterable[str] = ()
) -> None:
    """These, exactly as they are here, are approved; those that are gone need no approval any more."""
    _approve(database, server, mark)
    database.executemany("DELETE FROM pin WHERE mark = ? AND tool = ?", [(mark, tool) for tool in gone])
    _put(database, mark, approved)


def known(database: sqlite3.Connection, mark: str) -> Mapping[str, Pin]:
    rows = database.execute("SELECT fingerprint, definition FROM pin WHERE mark = ?", (mark,))
    found = [(fingerprint, json.loads(definition)) for fingerprint, definition in rows]
    return {name: Pin(name, mark, each) for mark, each in found for name in [str(each.get("name", ""))]}


def everything(database: sqlite3.Connection) -> Sequence[Pinned]:
    """Every server with pins, or with calls that were allowed for good, by name."""
    rows = database.execute(
        "SELECT server, mark, at FROM pinned UNION ALL SELECT server, mark, min(at) FROM granted"
        " WHERE mark NOT IN (SELECT mark FROM pinned) GROUP BY mark ORDER BY 1, 3"
    ).fetchall()
    tools: dict[str, list[str]] = {}
    for mark, tool in database.execute("SELECT mark, tool FROM pin ORDER BY tool"):
        tools.setdefault(mark, []).append(tool)
    allowed: dict[str, list[tuple[str, str]]] = {}
    for mark, agent, tool in database.execute("SELECT mark, agent, tool FROM granted ORDER BY agent, tool"):
        allowed.setdefault(mark, []).append((agent, tool))
    return [
        Pinned(server, mark, at, tuple(tools.get(mark, ())), tuple(allowed.get(mark, ())))
        for server, mark, at in rows
    ]


def forget(database: sqlite3.Connection, server: str | None) -> int:
    """Of how many servers: what this one, or any, offers next is approved, and asked about anew."""
    found = [each.mark for each in everything(database) if server in (None, each.server)]
    for table in ("pin", "pinned", "granted"):
        database.executemany(f"DELETE FROM {table} WHERE mark = ?", [(mark,) for mark in found])  # noqa: S608 - our own words
    if server is None:
        database.execute("DELETE FROM lost")
    return len(found)


def _approve(database: sqlite3.Connection, server: str, mark: str) -> None:
    database.execute(
        "INSERT OR REPLACE INTO pinned (mark, server, at, listing) VALUES (?, ?, ?, '')",
        (mark, server.encode("utf-8", "replace").decode(), time.time()),
    )


def _put(database: sqlite3.Connection, mark: str, pins: Iterable[Pin]) -> None:
    database.executemany(
        "INSERT OR REPLACE INTO pin (mark, tool, fingerprint, definition) VALUES (?, ?, ?, ?)",
        [
            (
                mark,
                each.tool.encode("utf-8", "backslashreplace").decode(),
                each.fingerprint,
                json.dumps(each.definition),
            )
            for each in pins
        ],
    )


def _has_lost(database: sqlite3.Connection) -> bool:
    """Whether pins went with a file that was damaged: then a server without any may have had some."""
    return database.execute("SELECT 1 FROM lost").fetchone() is not None


def _maps(tools: Sequence[JSON]) -> list[dict[str, JSON]]:
    return [tool for tool in tools if is_map(tool)]


def _digest(tools: Sequence[JSON]) -> str:
    try:
        return sha256(msgspec.json.encode(tools)).hexdigest()
    except (TypeError, ValueError):
        # Half of a surrogate pair somewhere: it is compared tool by tool each time.
        return "?"
