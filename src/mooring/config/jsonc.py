"""Read JSON as people write it: with comments, trailing commas and a byte order mark."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import isfinite
from typing import NoReturn

from mooring.config.document import BOM, MAX_DEPTH, Document, KeyPath, Lines, line_column, spot_at
from mooring.config.jsonc_scan import Member, Value, blank, brackets, duplicates, scan, tokens
from mooring.core.values import JSON, is_map
from mooring.errors import BrokenSyntax, TooLarge

__all__ = ["Locator", "locate", "parse"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def parse(text: str, file: str) -> Document:
    """The document in `text`; `file` is what errors call it."""
    body = f" {text[1:]}" if text.startswith(BOM) else text
    _check_depth(body, file)
    repeats = False

    def build(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
        nonlocal repeats
        made = dict(pairs)
        repeats = repeats or len(made) != len(pairs)
        return made

    tree = _load(body, file, build)
    if not is_map(tree):
        raise BrokenSyntax(
            f"`{file}` holds a value that is not an object",
            hint='Put everything between `{` and `}`, as in `{"mcp": {}}`',
            spot=spot_at(file, text, len(text) - len(text.lstrip(f"{BOM} \t\r\n"))),
        )
    _check_characters(text, file)
    return Document(file, text, tree, duplicates(scan(text)) if repeats else ())


def _load(body: str, file: str, build: Callable[[list[tuple[str, JSON]]], dict[str, JSON]]) -> JSON:
    plain = body
    for prepare in (str, blank):
        plain = prepare(body)
        try:
            return json.loads(plain, object_pairs_hook=build, parse_constant=_refuse, parse_float=_finite)
        except json.JSONDecodeError as error:
            complaint = error
        except ValueError as error:
            # Python's own limit on digits, or one of the two functions below.
            raise _odd_number(body, file) from error
    from mooring.config.jsonc_hints import explain  # noqa: PLC0415 - only a broken file pays for it

    why = explain(plain, complaint.msg, complaint.pos)
    spot = spot_at(file, body, why.offset)
    raise BrokenSyntax(f"`{file}` is not valid JSON: {why.what}", hint=why.hint, spot=spot) from complaint


def _check_depth(body: str, file: str) -> None:
    """Before the parser sees it, because the parser recurses."""
    if body.count("{") + body.count("[") <= MAX_DEPTH:
        return
    depth = 0
    for offset in brackets(body):
        depth += 1 if body[offset] in "{[" else -1
        if depth > MAX_DEPTH:
            raise TooLarge(
                f"`{file}` is nested more than {MAX_DEPTH} levels deep",
                hint=f"No configuration needs that; look at line {line_column(body, offset)[0]}",
                spot=spot_at(file, body, offset),
            )


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(digits)
    return number


def _odd_number(body: str, file: str) -> BrokenSyntax:
    """Which number it was; the parser only says that there is one."""
    for token in tokens(body):
        word = body[token.start : token.end]
        if token.kind != "word" or word in {"true", "false", "null"}:
            continue
        try:
            json.loads(word, parse_constant=_refuse, parse_float=_finite)
        except ValueError:
            shown = word if len(word) <= 24 else f"{word[:24]}…"
            return BrokenSyntax(
                f"`{file}` is not valid JSON: `{shown}` is not a number that JSON can hold",
                hint="Write an ordinary number, or put quotes around it",
                spot=spot_at(file, body, token.start),
            )
    return BrokenSyntax(f"`{file}` is not valid JSON: a number is too large", hint="Write an ordinary number")


def _check_characters(text: str, file: str) -> None:
    """Half of a surrogate pair is not a character: it could be read, and then never be written anywhere."""
    half = _SURROGATE.search(text)
    offset = half.start() if half else None
    if offset is None and _SURROGATE_ESCAPE.search(text):
        strings = (token for token in tokens(text) if token.kind == "string")
        broken = (token for token in strings if _SURROGATE.search(json.loads(text[token.start : token.end])))
        offset = next((token.start for token in broken), None)
    if offset is not None:
        raise BrokenSyntax(
            f"`{file}` is not valid JSON: a string holds half of a character",
            hint="Write the character itself, or both of its `\\u` escapes",
            spot=spot_at(file, text, offset),
        )


class Locator:
    """Where things stand in one text, for many questions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._root: Value | None = None
        self._lines: Lines | None = None
        self._members: dict[int, dict[str | int, Member]] = {}

    def locate(self, path: KeyPath) -> tuple[int, int] | None:
        """The line and column of the key, or of the element, that counts at `path`."""
        if self._root is None or self._lines is None:
            self._root, self._lines = scan(self._text), Lines(self._text)
        place, start = self._root, self._root.start
        for name in path:
            found = self._in(place).get(name)
            if found is None:
                return None
            place, start = found.value, found.start
        return self._lines.at(start)

    def _in(self, place: Value) -> dict[str | int, Member]:
        """The members by name; of a key that stands there twice, the last."""
        if id(place) not in self._members:
            self._members[id(place)] = {member.name: member for member in place.members or ()}
        return self._members[id(place)]


def locate(text: str, path: KeyPath) -> tuple[int, int] | None:
    """Where the key at `path` stands in a text that `parse` has accepted."""
    return Locator(text).locate(path)
