"""Where everything stands in a TOML text that `tomllib` has accepted, found without recursion."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

from mooring.config.document import BOM, KeyPath

__all__ = ["Header", "Pair", "Place", "brackets", "comments_in", "scan"]

_STRING = (
    # Neither look-around nor nesting in a possessive group, see `jsonc_scan`.
    r'"""(?:[^"\\]++|\\[\s\S]|"\\[\s\S]|""\\[\s\S]|"[^"\\]|""[^"\\])*+"{0,5}'
    r"|'''(?:[^']++|'[^']|''[^'])*+'{0,5}"
    r'|"(?:[^"\\\n]++|\\[^\n])*+"?+'
    r"|'[^'\n]*+'?+"
)
_SPACE = re.compile(rf"(?:[\s{BOM}]++|#[^\n]*+)*+")
_SCALAR = re.compile(rf"{_STRING}|[^,\]}}#\r\n]*[^,\]}}#\r\n\t ]")
_PART = re.compile(r'[ \t]*+(?:([A-Za-z0-9_-]++)|"((?:[^"\\\n]++|\\[^\n])*+)"|\'([^\'\n]*+)\')[ \t]*+(\.)?')
_COMMENT = re.compile(rf"{_STRING}|(#[^\n]*+)")
_TO_BRACKET = re.compile(rf"""(?:[^"'#\[\]{{}}]++|{_STRING}|#[^\n]*+)*+([\[\]{{}}])?""")


@dataclass(slots=True)
class Place:
    """A key, or an element of an array, and its value; `path` is absolute."""

    path: KeyPath
    start: int
    value_start: int = 0
    value_end: int = 0


@dataclass(slots=True)
class Header:
    """`[path]` or `[[path]]`; the path of the second form ends in the number of the element."""

    path: KeyPath
    start: int
    end: int


@dataclass(slots=True)
class Pair:
    """`key = value` in the table `table`; `inside` are the places within an inline value."""

    table: KeyPath
    place: Place
    inside: list[Place] = field(default_factory=list["Place"])

    @property
    def path(self) -> KeyPath:
        return self.place.path

    @property
    def start(self) -> int:
        return self.place.start

    @property
    def end(self) -> int:
        return self.place.value_end


def brackets(text: str) -> Iterator[int]:
    """The offset of every bracket that is neither in a string nor in a comment."""
    for match in _TO_BRACKET.finditer(text):
        if match.start(1) >= 0:
            yield match.start(1)


def comments_in(text: str, start: int, end: int) -> list[str]:
    """The comments between two places that are not inside a string."""
    found = _COMMENT.finditer(text, start, end)
    return [match.group(1).rstrip("\r") for match in found if match.group(1)]


def scan(text: str) -> list[Header | Pair]:
    """Every statement, in the order of the text."""
    found: list[Header | Pair] = []
    elements: dict[KeyPath, int] = {}
    table: KeyPath = ()
    position = _skip(text, 0)
    while position < len(text):
        if text[position] == "[":
            header = _header(text, position, elements)
            found.append(header)
            table, position = header.path, header.end
        else:
            keys, after = _keys(text, position)
            pair = Pair(table, Place((*table, *keys), position))
            _value(text, after + 1, pair)
            found.append(pair)
            position = pair.end
        position = _skip(text, position)
    return found


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _header(text: str, start: int, elements: dict[KeyPath, int]) -> Header:
    is_array = text.startswith("[[", start)
    keys, end = _keys(text, start + (2 if is_array else 1))
    path: KeyPath = ()
    for key in keys[:-1]:
        path = (*path, key)
        if path in elements:
            # A later table belongs to the element that was begun last.
            path = (*path, elements[path] - 1)
    path = (*path, keys[-1])
    if is_array:
        elements[path] = elements.get(path, 0) + 1
        path = (*path, elements[path] - 1)
    return Header(path, start, end + (2 if is_array else 1))


def _keys(text: str, position: int) -> tuple[list[str], int]:
    """The parts of a dotted key, and where it ends."""
    keys: list[str] = []
    while match := _PART.match(text, position):
        bare, basic, literal, dot = match.groups()
        if basic is not None and "\\" in basic:
            basic = str(tomllib.loads(f'key = "{basic}"')["key"])
        keys.append(next(part for part in (bare, basic, literal) if part is not None))
        position = match.end()
        if dot is None:
            break
    return keys, position


@dataclass(slots=True)
class _Open:
    """An array or inline table whose end has not come yet."""

    place: Place
    is_table: bool
    count: int = 0


def _value(text: str, position: int, pair: Pair) -> None:
    """Fill in where the value of `pair` stands, and what is inside of it."""
    stack: list[_Open] = []
    waiting: Place | None = pair.place
    while waiting is not None or stack:
        position = _skip(text, position)
        if waiting is not None:
            position = _begin(text, position, waiting, stack)
            waiting = None
        elif text[position] in "]}":
            position += 1
            stack.pop().place.value_end = position
        elif text[position] == ",":
            position += 1
        else:
            waiting, position = _inner(text, position, stack[-1])
            pair.inside.append(waiting)


def _begin(text: str, position: int, place: Place, stack: list[_Open]) -> int:
    place.value_start = position
    if text[position] in "[{":
        stack.append(_Open(place, text[position] == "{"))
        return position + 1
    match = _SCALAR.match(text, position)
    place.value_end = match.end() if match else position + 1
    return place.value_end


def _inner(text: str, position: int, container: _Open) -> tuple[Place, int]:
    path = container.place.path
    if container.is_table:
        keys, after = _keys(text, position)
        return Place((*path, *keys), position), after + 1
    place = Place((*path, container.count), position)
    container.count += 1
    return place, position
