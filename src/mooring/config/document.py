"""A configuration file as it was read: its text, the tree in it, and how to speak of a place in either."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from typing import TypeAlias

from mooring.core.frozen import frozen
from mooring.core.values import JSON
from mooring.errors import Spot

__all__ = ["BOM", "MAX_DEPTH", "Document", "KeyPath", "Lines", "dotted", "line_column", "same", "spot_at"]

KeyPath: TypeAlias = tuple[str | int, ...]

BOM = "\ufeff"
MAX_DEPTH = 100

_NEWLINE = re.compile(r"\r\n|\n|\r")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_$@-]+")


@frozen
class Document:
    """`duplicates` are the paths written more than once in one object; the last one is in the tree."""

    file: str
    text: str
    tree: dict[str, JSON]
    duplicates: tuple[KeyPath, ...] = ()


class Lines:
    """Where the lines of one text begin, for many questions; a byte order mark is no part of the first."""

    def __init__(self, text: str) -> None:
        first = len(BOM) if text.startswith(BOM) else 0
        self._starts = [first, *(newline.end() for newline in _NEWLINE.finditer(text))]

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column, both counted from one, in characters."""
        line = max(bisect_right(self._starts, offset), 1)
        return line, max(offset - self._starts[line - 1], 0) + 1


def line_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of one place."""
    return Lines(text).at(offset)


def spot_at(file: str, text: str, offset: int) -> Spot:
    """Where `offset` is, with its line as it may be shown."""
    from mooring.core.redact import source_line  # noqa: PLC0415 - only a broken file pays for it

    line, column = line_column(text, offset)
    start = offset - column + 1
    end = _NEWLINE.search(text, start)
    shown, shown_column = source_line(text[start : end.start() if end else len(text)], column)
    return Spot(file, line, shown_column, shown)


def dotted(path: KeyPath) -> str:
    """A path the way it is typed: `mcp.notes.command[0]`, with quotes around a key that has dots."""
    words: list[str] = []
    for part in path:
        if isinstance(part, int):
            words.append(f"[{part}]")
        else:
            plain = part if _PLAIN_KEY.fullmatch(part) else json.dumps(part, ensure_ascii=False)
            words.append(f".{plain}" if words else plain)
    return "".join(words)


def same(one: JSON, other: JSON) -> bool:
    """Equal as JSON, where `1`, `1.0` and `true` are three different values."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
