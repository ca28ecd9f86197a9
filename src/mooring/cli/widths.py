"""How many columns a text takes on a terminal, cut to fewer where it has to be."""

from __future__ import annotations

import os
import re
import sys
from typing import TextIO
from unicodedata import category, east_asian_width

__all__ = ["columns", "cut", "folded", "padded", "room_of", "width"]

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_MOST_LINES = 4
_NARROWEST, _USUAL = 20, 80


def width(text: str) -> int:
    """Styles take none, wide characters two."""
    plain = _STYLE.sub("", text)
    return len(plain) if plain.isascii() else sum(map(_of, plain))


def padded(text: str, wanted: int, *, right: bool = False) -> str:
    blank = " " * max(wanted - width(text), 0)
    return blank + text if right else text + blank


def cut(text: str, room: int) -> str:
    """Plain text with an ellipsis where it had to end."""
    if width(text) <= room:
        return text
    taken, kept = 0, ""
    for character in text:
        taken += _of(character)
        if taken > room - 1:
            break
        kept += character
    return f"{kept.rstrip()}…"


def folded(text: str, room: int) -> list[str]:
    """Plain text over a few lines, none wider than `room`, broken between words where that is possible."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if width(longer) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > _MOST_LINES:
        lines[_MOST_LINES - 1 :] = [" ".join(lines[_MOST_LINES - 1 :])]
    return [cut(line, room) for line in lines]


def columns(stream: TextIO | None = None) -> int | None:
    """As many as the terminal has; None where there is none, and nothing need be cut."""
    to = stream or sys.stdout
    if to is None or not to.isatty():  # pyright: ignore[reportUnnecessaryComparison]
        return None
    try:
        return max(room_of(to)[0] or _USUAL, _NARROWEST)
    except OSError:
        return None


def room_of(stream: TextIO) -> os.terminal_size:
    """Columns and lines of a terminal, which may be that of a command that came from elsewhere."""
    known: os.terminal_size | None = getattr(stream, "terminal_size", None)
    return os.get_terminal_size(stream.fileno()) if known is None else known


def _of(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in ("W", "F") else 1
