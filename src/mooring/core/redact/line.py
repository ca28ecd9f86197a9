"""One line of a configuration file, possibly a broken one, as an error may show it."""

from __future__ import annotations

import re
from bisect import bisect_right

from mooring.core.redact.arguments import mask_argument, mask_arguments
from mooring.core.redact.keys import Kind, kind_of
from mooring.core.redact.secrets import HIDDEN
from mooring.core.redact.shapes import mask_literal
from mooring.core.redact.text import visible
from mooring.core.redact.values import mask_url, mask_value

__all__ = ["source_line"]

WIDEST = 160
_FARTHEST = 4000  # so far beyond the column nobody sees it anyway
_CUT = "…"
_QUOTES = ('"', "'")

_QUOTED = r"(?:\"(?:[^\"\\]|\\.)*+\"|'[^']*+')"
_PART = rf"(?:[\w$-]++|{_QUOTED})"
_TOKEN = (
    rf"(?P<space>(?:\s|[^\w\x21-\x7e])++)"
    rf"|(?P<table>\A\[\[?[\w-]++(?>(?:\.{_PART})*)\]{{0,2}}(?=\s*+(?:\#|\Z)))"
    rf"|(?P<key>{_PART}(?>(?:\.{_PART})*)(?=\s*+[:=]))"
    rf"|(?P<string>\"\"\".*?\"\"\"|'''.*?'''|(?!\"\"\"|'''){_QUOTED})"
    rf"|(?P<scalar>(?:(?i:true|false|null|none|nan|inf|yes|no|on|off|undefined)|-?\d{{1,5}}(?:\.\d{{1,3}})?)"
    rf"(?=[\s,}}\]]|\Z))"
    rf"|(?P<separator>[:=])"
    rf"|(?P<comma>,)"
    rf"|(?P<open>[\[{{])"
    rf"|(?P<close>[\]}}])"
    rf"|(?P<rest>//|/\*|.)"
)
_STRING = re.compile(_QUOTED, re.DOTALL)
_PARTS = re.compile(_PART, re.DOTALL)
_FLAG = re.compile(r"--?[A-Za-z]+(?:-[A-Za-z]+)*")
_OPENER = re.compile(r"[\"']|(?:#|//|/\*) ?")
_ENDS_WELL = re.compile(r"\s*(?:[,}\]#]|//|/\*|\Z)|\s+\S")


def source_line(line: str, column: int | None) -> tuple[str, int | None]:
    """The line without secrets, at most 160 characters around the column, and the column (from 1) in it."""
    scan = _Scan(line[: (column or 0) + _FARTHEST])
    text = "".join(scan.shown)
    if column is None:
        return (text if len(text) <= WIDEST else text[: WIDEST - 1] + _CUT), None
    return _cut(text, scan.place(column - 1))


def _cut(text: str, place: int) -> tuple[str, int]:
    if len(text) <= WIDEST:
        return text, place + 1
    start = max(0, min(place - WIDEST // 2, len(text) - WIDEST))
    piece = text[start : start + WIDEST]
    if start + WIDEST < len(text):
        piece = piece[:-1] + _CUT
    if start:
        piece = _CUT + piece[1:]
    return piece, place - start + 1


class _Scan:
    """Reads a line token by token; what it does not understand is hidden from there on."""

    def __init__(self, line: str) -> None:
        self.shown: list[str] = []
        self._line = line
        self._from: list[int] = []  # where each shown piece begins in the line,
        self._to: list[int] = []  # and where in what is shown
        self._width = 0
        self._key = ""
        self._kind: Kind | None = None  # of the value that comes next; None where no key stands on this line
        self._awaits_value = False
        self._inside: list[tuple[str, Kind | None]] = []
        self._words: list[str] = []
        self._token = re.compile(_TOKEN, re.DOTALL)  # here, because only a broken file needs it
        self._quotes = {quote: line.count(quote) for quote in _QUOTES}
        position = 0
        while position < len(line):
            position = self._step(position)

    def place(self, offset: int) -> int:
        """Where the character at `offset` is now."""
        offset = max(0, offset)
        index = bisect_right(self._from, offset) - 1
        if index < 0 or offset >= len(self._line):
            return self._width
        return self._to[index] + min(offset - self._from[index], max(0, len(self.shown[index]) - 1))

    def _step(self, position: int) -> int:
        token = self._token.match(self._line, position)
        if token is None:
            return self._give_up(position)
        kind, text = token.lastgroup, token[0]
        if kind == "key" and not self._may_be_key(position):
            token = _STRING.match(self._line, position)
            if token is None:
                return self._give_up(position)
            kind, text = "string", token[0]
        if kind == "string" and self._follows_quote(position):
            return self._give_up(position)
        for quote in self._quotes:
            self._quotes[quote] -= text.count(quote)
        match kind:
            case "string":
                return self._string(position, text)
            case "scalar":
                return self._scalar(position, text)
            case "rest":
                return self._give_up(position)
            case _:
                self._structure(kind, text)
                self._show(position, mask_argument(text) if kind in {"key", "table"} else text)
                return position + len(text)

    def _may_be_key(self, position: int) -> bool:
        """Not in a list, not in `"token": "abc": …`, not in `"token: "abc: …`: whatever follows it there."""
        in_list = bool(self._inside) and self._inside[-1][0] == "["
        return not (self._awaits_value or in_list or self._follows_quote(position))

    def _follows_quote(self, position: int) -> bool:
        """Two strings never touch: one of the quotes between them belongs to a value."""
        return self._line[max(0, position - 1) : position] in _QUOTES

    def _structure(self, kind: str | None, text: str) -> None:
        inside = self._inside[-1][1] if self._inside else None
        match kind:
            case "key":
                parts = [part.strip("\"'") for part in _PARTS.findall(text)]
                self._key = parts[-1]
                held = any(kind_of(part) is Kind.VALUES for part in parts[:-1])
                self._kind = inside if inside in {Kind.VALUES, Kind.SECRET} else kind_of(self._key)
                self._kind = Kind.VALUES if held else self._kind
            case "separator":
                self._awaits_value = True
            case "open":
                opened = self._kind or inside
                self._inside.append((text, opened))
                self._kind = opened if text == "[" else None
                self._awaits_value, self._words = False, []
            case "close":
                del self._inside[-1:]
                self._kind, self._awaits_value = None, False
            case "comma":
                self._kind = inside if inside is Kind.ARGUMENTS else None
                self._awaits_value = False
            case _:
                pass

    def _string(self, position: int, text: str) -> int:
        edge = 3 if text.startswith(('"""', "'''")) and len(text) >= 6 else 1
        quote, end = text[:edge], position + len(text)
        self._awaits_value = False
        inner = self._value(text[edge:-edge])
        # An odd number of quotes left: this string may have ended too early, and its rest is no structure.
        is_torn = self._quotes[quote[0]] % 2 == 1 and self._kind not in {Kind.HARMLESS, Kind.ARGUMENTS, None}
        ends_well = _ENDS_WELL.match(self._line, end) is not None and not (is_torn and self._kind is Kind.URL)
        self._show(position, quote + (inner if ends_well or inner == HIDDEN else HIDDEN) + quote, text)
        return self._give_up(end) if is_torn else end

    def _scalar(self, position: int, text: str) -> int:
        if self._kind in {Kind.SECRET, Kind.VALUES}:
            return self._give_up(position)
        self._awaits_value = False
        self._show(position, text)
        return position + len(text)

    def _value(self, text: str) -> str:
        if r"\u" in text:
            return HIDDEN
        match self._kind:
            case None:
                known = kind_of(text) not in {Kind.UNKNOWN, Kind.SECRET}
                return text if known or _FLAG.fullmatch(text) else HIDDEN
            case Kind.ARGUMENTS:
                self._words.append(text)
                return mask_arguments(self._words[-2:])[-1]
            case Kind.URL:
                return mask_url(text)
            case Kind.HARMLESS:
                return mask_argument(text)
            case Kind.SECRET:
                return mask_literal(text)
            case Kind.VALUES | Kind.UNKNOWN:
                return mask_value(self._key, text)

    def _show(self, position: int, text: str, instead_of: str | None = None) -> None:
        if instead_of is None and not text.isprintable():
            for offset, character in enumerate(text):
                self._add(position + offset, " " if character == "\t" else visible(character))
        else:
            self._add(position, visible(text))

    def _add(self, position: int, text: str) -> None:
        self._from.append(position)
        self._to.append(self._width)
        self.shown.append(text)
        self._width += len(text)

    def _give_up(self, position: int) -> int:
        """Hides everything from here on; only what opened it stays, as far as that is no secret."""
        opener = _OPENER.match(self._line, position)
        self._add(position, (opener[0] if opener else "") + HIDDEN)
        return len(self._line)
