"""The YAML at the top of a SKILL.md, read as far as it can mean one thing only."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from mooring.core.values import JSON

__all__ = ["Unclear", "frontmatter"]

_KEY = re.compile(r"(?P<key>[A-Za-z_][\w.-]*)[ ]*:(?:[ ]+(?P<rest>.*))?", re.ASCII)
_BLOCK = re.compile(r"(?P<style>[|>])(?P<chomp>[+-]?)(?:[ ]+#.*)?")
_QUOTED = re.compile(r"""(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?:[ ]+#.*)?""")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)", re.ASCII)
_FLOAT = re.compile(r"[-+]?[0-9]+\.[0-9]+", re.ASCII)
# Readers of YAML 1.1 and 1.2 take these for different things, or there is more to them than a text.
_DOUBTFUL = re.compile(
    r"[-?:](?:[ ]|$)|[,\[\]{}#&*!|>'\"%@`=<]|.*:(?:[ ]|$)|[-+]?\.?[0-9][0-9_.:,eExXoO+-]*$"
    r"|[-+]?\.(?:inf|nan)$|[-+]?0[box][0-9a-f_]*$|\d{4}-\d\d?-\d\d?|(?:yes|no|on|off|y|n)$",
    re.IGNORECASE,
)
_FLOW = re.compile(r"\[[^\[\]{}\"'#&*!|>%@`:?]*\]")
_WORDS: Mapping[str, JSON] = {"~": None, "null": None, "true": True, "false": False}
_DEEPEST = 8


class Unclear(Exception):
    """What is written may mean different things to different readers."""


def frontmatter(text: str) -> Mapping[str, JSON]:
    """The map between the two lines of dashes."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != "---":
        raise Unclear("there is no line of dashes at its top")
    end = next((at for at, line in enumerate(lines) if at and line.rstrip() == "---"), None)
    if end is None:
        raise Unclear("there is no second line of dashes")
    reader = _Reader(lines[1:end])
    found = reader.map(0, _DEEPEST)
    if reader.below() is not None:
        raise reader.unclear()
    return found


@dataclass(slots=True)
class _Reader:
    """Line by line; every step goes forward."""

    lines: list[str]
    at: int = 0

    def below(self) -> int | None:
        """How far in the next line stands that is neither empty nor a comment; None at the end."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            bare = line.lstrip(" ")
            if bare and not bare.startswith("#"):
                return len(line) - len(bare)
            self.at += 1
        return None

    def map(self, indent: int, deepest: int) -> dict[str, JSON]:
        found: dict[str, JSON] = {}
        while self.below() == indent:
            match = _KEY.fullmatch(self.lines[self.at][indent:])
            if match is None or match["key"] in found or not deepest or _is_doubtful(match["key"]):
                raise self.unclear()
            self.at += 1
            found[match["key"]] = self._value((match["rest"] or "").strip(), indent, deepest - 1)
        return found

    def unclear(self, back: int = 0) -> Unclear:
        return Unclear(f"line {self.at - back + 2} is not plain enough to be compared")

    def _value(self, rest: str, indent: int, deepest: int) -> JSON:
        if block := _BLOCK.fullmatch(rest):
            return self._block(indent, is_folded=block["style"] == ">", chomp=block["chomp"])
        if rest and not rest.startswith("#"):
            value = self._scalar(rest)
            if (below := self.below()) is not None and below > indent:
                raise self.unclear()
            return value
        below = self.below()
        if below is not None and below >= indent and self.lines[self.at][below:].startswith("- "):
            return self._list(below)
        return self.map(below, deepest) if below is not None and below > indent else None

    def _list(self, indent: int) -> list[JSON]:
        """Of plain things; a list of maps or of lists is more than can be compared."""
        found: list[JSON] = []
        while self.below() == indent and self.lines[self.at][indent:].startswith("- "):
            self.at += 1
            found.append(self._scalar(self.lines[self.at - 1][indent + 2 :].strip()))
        return found

    def _scalar(self, text: str) -> JSON:
        if quoted := _QUOTED.fullmatch(text):
            return self._quoted(quoted["text"])
        plain = re.sub(r"[ ]+#.*", "", text)
        if plain in ("[]", "{}"):
            return [] if plain == "[]" else {}
        if _FLOW.fullmatch(plain):
            return [self._plain(each.strip()) for each in plain[1:-1].split(",")]
        return self._plain(plain)

    def _quoted(self, text: str) -> str:
        if text.startswith("'"):
            return text[1:-1].replace("''", "'")
        try:
            return str(json.loads(text, strict=False))
        except ValueError as error:
            raise self.unclear(1) from error

    def _plain(self, text: str) -> JSON:
        if text.lower() in _WORDS and text in (text.lower(), text.capitalize(), text.upper()):
            return _WORDS[text.lower()]
        if _INTEGER.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text):
            return float(text)
        if not text or _is_doubtful(text):
            raise self.unclear(1)
        return text

    def _block(self, indent: int, *, is_folded: bool, chomp: str) -> str:
        lines: list[str] = []
        inner = 0
        while self.at < len(self.lines):
            line = self.lines[self.at]
            depth = len(line) - len(line.lstrip(" "))
            is_blank = depth == len(line)
            if not is_blank and depth <= indent:
                break
            inner = inner or (0 if is_blank else depth)
            is_further = depth > inner or line[inner : inner + 1] == "\t"
            if not inner or (depth < inner and not is_blank) or (is_further and (is_blank or is_folded)):
                raise self.unclear()
            lines.append(line[inner:])
            self.at += 1
        return _chomped(lines, chomp, is_folded=is_folded)


def _is_doubtful(text: str) -> bool:
    return "\t" in text or text.lower() in _WORDS or _DOUBTFUL.match(text) is not None


def _chomped(lines: list[str], chomp: str, *, is_folded: bool) -> str:
    kept = len(lines)
    while kept and not lines[kept - 1]:
        kept -= 1
    if not kept:
        return "\n" * len(lines) if chomp == "+" else ""
    ending = {"": "\n", "-": "", "+": "\n" * (1 + len(lines) - kept)}[chomp]
    return ("\n".join(lines[:kept]) if not is_folded else _folded(lines[:kept])) + ending


def _folded(lines: list[str]) -> str:
    """A line end is a space, an empty line a line end."""
    text, gap = lines[0], 0
    for line in lines[1:]:
        if line:
            text += ("\n" * gap if gap else " ") + line
        gap = 0 if line else gap + 1
    return text
