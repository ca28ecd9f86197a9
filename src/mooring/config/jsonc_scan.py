"""The tokens of a JSONC text and the tree of places they make, in linear passes that never recurse."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from mooring.config.document import KeyPath

__all__ = ["Member", "Token", "Value", "blank", "brackets", "duplicates", "scan", "tokens"]

# Possessive throughout: a broken file must not send the engine back and forth. No possessive group looks
# around, or holds another that can stop half-way: Python before 3.11.5 then goes on from the wrong place.
_STRING = r'"(?:[^"\\\r\n]++|\\[^\r\n])*+"?+'
_COMMENT = r"//[^\r\n]*+|/\*(?:[^*]++|\*++[^*/])*+\**+/?+"

_WORD = r'[^\s"{}\[\],:/]++|\S'
_TOKEN = re.compile(
    rf"(?P<string>{_STRING})|(?P<comment>{_COMMENT})|(?P<mark>[{{}}\[\],:])|(?P<word>{_WORD})"
)
_COMMENTS = re.compile(rf"{_STRING}|{_COMMENT}")
_LAST_COMMAS = re.compile(rf"{_STRING}|,(?=[ \t\r\n]*+[}}\]])")
_BRACKETS = re.compile(rf"{_STRING}|{_COMMENT}|\{{|\}}|\[|\]")
_INK = re.compile(r"[^\r\n]")


class Token(NamedTuple):
    """One piece of text between white space; `kind` is what it is."""

    kind: Literal["string", "comment", "mark", "word"]
    start: int
    end: int


@dataclass(slots=True)
class Value:
    """Where a value stands; `members` is None for what holds nothing."""

    start: int
    end: int = 0
    members: list[Member] | None = None


@dataclass(slots=True)
class Member:
    """A key with its value, or an element under its index; `comma` is where the one after it stands."""

    name: str | int
    start: int
    value: Value
    comma: int | None = None


def tokens(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Every token of any text, broken or not."""
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        kind = match.lastgroup
        if kind == "string" or kind == "comment" or kind == "mark" or kind == "word":  # noqa: PLR1714 - it narrows
            yield Token(kind, match.start(), match.end())


def blank(text: str) -> str:
    """The same text with spaces for comments and trailing commas: plain JSON, every offset where it was."""
    return _without_commas(_without_comments(text)) if "/" in text else _without_commas(text)


def _without_comments(text: str) -> str:
    pieces: list[str] = []
    done = 0
    for match in _COMMENTS.finditer(text):
        comment = match.group()
        # One that is never closed stays, for the parser to complain about.
        if comment.startswith("//") or (
            comment.startswith("/*") and len(comment) >= 4 and comment.endswith("*/")
        ):
            pieces += (text[done : match.start()], _INK.sub(" ", comment))
            done = match.end()
    return "".join((*pieces, text[done:]))


def _without_commas(text: str) -> str:
    pieces: list[str] = []
    done = 0
    for match in _LAST_COMMAS.finditer(text):
        comma = match.start()
        if text[comma] == "," and _follows_a_value(text, comma):
            pieces += (text[done:comma], " ")
            done = comma + 1
    return "".join((*pieces, text[done:]))


def _follows_a_value(text: str, comma: int) -> bool:
    before = comma - 1
    while before >= 0 and text[before] in " \t\r\n":
        before -= 1
    return before >= 0 and text[before] not in ",[{:"


def brackets(text: str) -> Iterator[int]:
    """The offset of every bracket that is neither in a string nor in a comment."""
    for match in _BRACKETS.finditer(text):
        if text[match.start()] not in '"/':
            yield match.start()


@dataclass(slots=True)
class _Open:
    """A container whose end has not come yet, and the key that waits for its value."""

    value: Value
    members: list[Member] = field(default_factory=list["Member"])
    key: Token | None = None


def scan(text: str) -> Value:
    """The places of a text that `parse` has accepted."""
    root: Value | None = None
    stack: list[_Open] = []
    for token in tokens(text):
        if token.kind == "comment" or text[token.start] in ":\ufeff":
            continue
        if text[token.start] in "}]":
            stack.pop().value.end = token.end
        elif text[token.start] == ",":
            stack[-1].members[-1].comma = token.start
        elif (
            token.kind == "string" and stack and stack[-1].key is None and text[stack[-1].value.start] == "{"
        ):
            stack[-1].key = token
        else:
            value = Value(token.start, token.end)
            root = root or value
            if stack:
                _place(text, stack[-1], value)
            if token.kind == "mark":
                inner = _Open(value)
                value.members = inner.members
                stack.append(inner)
    return root or Value(0)


def _place(text: str, container: _Open, value: Value) -> None:
    key = container.key
    if key is None:
        container.members.append(Member(len(container.members), value.start, value))
    else:
        container.members.append(Member(_unquoted(text[key.start : key.end]), key.start, value))
        container.key = None


def _unquoted(key: str) -> str:
    return json.loads(key) if "\\" in key else key[1:-1]


def duplicates(root: Value) -> tuple[KeyPath, ...]:
    """The paths that stand more than once in one object, in the order in which they repeat."""
    found: dict[KeyPath, None] = {}
    waiting: list[tuple[KeyPath, Value]] = [((), root)]
    while waiting:
        path, value = waiting.pop()
        names: set[str | int] = set()
        for member in value.members or ():
            here = (*path, member.name)
            if member.name in names:
                found[here] = None
            names.add(member.name)
            waiting.append((here, member.value))
    return tuple(found)
