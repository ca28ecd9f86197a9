"""Read TOML into the same document that JSON makes."""

from __future__ import annotations

import re
import tomllib
from datetime import date, time
from itertools import accumulate
from math import isfinite
from typing import NoReturn

from mooring.config.document import BOM, MAX_DEPTH, Document, KeyPath, Lines, line_column, spot_at
from mooring.config.toml_scan import Pair, brackets, scan
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BrokenSyntax, TooLarge

__all__ = ["Locator", "locate", "parse"]

_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_LONG_KEY = re.compile(
    rf"""(?:^|[\[{{,])[ \t]*+(?:(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MAX_DEPTH}}}""",
    re.MULTILINE,
)
_FLOAT = re.compile(r"[+-]?(?:inf|nan|[0-9_]+(?:\.[0-9_]+)?[eE][+-]?[0-9_]+)")
_DIGITS = re.compile(r"[0-9_]{4000,}")


def parse(text: str, file: str) -> Document:
    """The document in `text`; `file` is what errors call it. Dates and times become text; JSON has none."""
    body = f" {text[1:]}" if text.startswith(BOM) else text
    _check_depth(body, file)
    try:
        tree: JSON = tomllib.loads(body)
    except tomllib.TOMLDecodeError as error:
        _explain(body, file, error)
    except ValueError as error:
        # Python's own limit on digits.
        digits = _DIGITS.search(body)
        raise _odd_number(body, file, digits.start() if digits else 0) from error
    _as_json(tree, body, file)
    return Document(file, text, tree)


def _check_depth(body: str, file: str) -> None:
    """Before the parser sees it: it recurses into brackets, and takes the square of a key's length."""
    long_key = _LONG_KEY.search(body)
    if long_key:
        raise _too_deep(body, file, long_key.start())
    if body.count("{") + body.count("[") > MAX_DEPTH:
        places = list(brackets(body))
        depths = accumulate(1 if body[place] in "{[" else -1 for place in places)
        deep = next((place for place, depth in zip(places, depths, strict=True) if depth > MAX_DEPTH), None)
        if deep is not None:
            raise _too_deep(body, file, deep)


def _too_deep(body: str, file: str, offset: int) -> TooLarge:
    return TooLarge(
        f"`{file}` is nested more than {MAX_DEPTH} levels deep",
        hint=f"No configuration needs that; look at line {line_column(body, offset)[0]}",
        spot=spot_at(file, body, offset),
    )


def _explain(body: str, file: str, error: tomllib.TOMLDecodeError) -> NoReturn:
    from mooring.config.toml_hints import explain  # noqa: PLC0415 - only a broken file pays for it

    complaint = str(error)
    at = _AT.search(complaint)
    offset = len(body)
    if at and at.group(1):
        lines = body.split("\n")
        offset = sum(len(line) + 1 for line in lines[: int(at.group(1)) - 1]) + int(at.group(2)) - 1
    why = explain(body, complaint[: at.start()] if at else complaint, offset)
    spot = spot_at(file, body, why.offset)
    raise BrokenSyntax(f"`{file}` is not valid TOML: {why.what}", hint=why.hint, spot=spot) from error


def _as_json(tree: JSON, body: str, file: str) -> None:
    """Level by level, as dotted keys in inline tables may be nested deeper than brackets are."""
    level: list[JSON] = [tree]
    for _ in range(MAX_DEPTH):
        level = [inner for container in level for inner in _one_level(container, body, file)]
        if not level:
            return
    raise _too_deep(body, file, 0)


def _one_level(container: JSON, body: str, file: str) -> list[JSON]:
    inner: list[JSON] = []
    keys: list[JSON] = list(container if is_map(container) else range(len(container)))
    for key in keys:
        value = container[key]
        if is_map(value) or is_list(value):
            inner.append(value)
        elif isinstance(value, (date, time)):
            container[key] = value.isoformat()
        elif isinstance(value, float) and not isfinite(value):
            raise _odd_number(body, file, _infinite(body))
    return inner


def _infinite(body: str) -> int:
    for statement in scan(body):
        for place in (statement.place, *statement.inside) if isinstance(statement, Pair) else ():
            word = body[place.value_start : place.value_end]
            if _FLOAT.fullmatch(word) and not isfinite(float(word)):
                return place.value_start
    return 0


def _odd_number(body: str, file: str, offset: int) -> BrokenSyntax:
    return BrokenSyntax(
        f"`{file}` holds a number that no key can have",
        hint="Write an ordinary number, or put quotes around it",
        spot=spot_at(file, body, offset),
    )


class Locator:
    """Where things stand in one text, for many questions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offsets: dict[KeyPath, int] | None = None
        self._lines: Lines | None = None

    def locate(self, path: KeyPath) -> tuple[int, int] | None:
        """The line and column where the first that is said of `path` begins: its key, header or element."""
        if self._offsets is None or self._lines is None:
            self._offsets, self._lines = self._index(), Lines(self._text)
        offset = self._offsets.get(path)
        return None if offset is None else self._lines.at(offset)

    def _index(self) -> dict[KeyPath, int]:
        found: dict[KeyPath, int] = {}
        for statement in scan(self._text):
            for place in (
                (statement.place, *statement.inside) if isinstance(statement, Pair) else (statement,)
            ):
                for length in range(len(place.path), -1, -1):
                    if place.path[:length] in found:
                        break
                    found[place.path[:length]] = place.start
        return found


def locate(text: str, path: KeyPath) -> tuple[int, int] | None:
    """Where `path` is first spoken of in a text that `parse` has accepted."""
    return Locator(text).locate(path)
