"""Take members out of a JSONC text, and nothing else: their comments stay where they are."""

from __future__ import annotations

import re
from typing import NamedTuple

from mooring.config.jsonc_render import indent_at, line_start
from mooring.config.jsonc_scan import Member, Value, tokens
from mooring.config.splice import Splice, apply

__all__ = ["Removal", "delete"]

_LINE_END = re.compile(r"\r\n|\n|\r|\Z")


class Removal(NamedTuple):
    """All members of one container that have one of these names."""

    place: Value
    names: set[str | int]


def delete(text: str, removals: list[Removal]) -> str:
    """The text without them; a line that held nothing else goes too."""
    by_line: dict[int, list[tuple[int, int]]] = {}
    for start, end in sorted(piece for removal in removals for piece in _pieces(text, removal)):
        by_line.setdefault(line_start(text, start), []).append((start, end))
    return apply(text, [_cleaned(text, start, pieces) for start, pieces in by_line.items()])


def _pieces(text: str, removal: Removal) -> list[tuple[int, int]]:
    """The tokens to take out. None of them has a newline inside."""
    place = removal.place
    members = place.members or []
    kept = [member for member in members if member.name not in removal.names]
    inside = text[place.start + 1 : place.end - 1]
    if not kept and not any(mark in inside for mark in ("\n", "\r", "/*", "//")):
        return [(place.start + 1, place.end - 1)]
    pieces = [
        piece for member in members if member.name in removal.names for piece in _tokens_of(text, member)
    ]
    if kept and kept[-1] is not members[-1] and members[-1].comma is None and kept[-1].comma is not None:
        # What is last now ends the way the last one did: strict JSON allows no comma there.
        pieces.append((kept[-1].comma, kept[-1].comma + 1))
    return pieces


def _tokens_of(text: str, member: Member) -> list[tuple[int, int]]:
    found = tokens(text, member.start, member.value.end)
    pieces = [(token.start, token.end) for token in found if token.kind != "comment"]
    return pieces if member.comma is None else [*pieces, (member.comma, member.comma + 1)]


def _cleaned(text: str, start: int, pieces: list[tuple[int, int]]) -> Splice:
    newline = _LINE_END.search(text, start)
    end, after = newline.span() if newline else (len(text), len(text))
    rest = ""
    done = start
    for piece_start, piece_end in pieces:
        rest += text[done:piece_start].rstrip(" \t")
        done = piece_end
    rest += text[done:end]
    if not text[start : pieces[0][0]].strip(" \t"):
        rest = indent_at(text, pieces[0][0]) + rest.lstrip(" \t")
    if not text[done:end].strip(" \t"):
        rest = rest.rstrip(" \t")
    return Splice(start, end, rest) if rest.strip(" \t") else Splice(start, after, "")
