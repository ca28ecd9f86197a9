"""Requests and the tools that would do: in people's own words, as keywords, and as keywords with a typo."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Mapping, Sequence
from fnmatch import filter as fitting
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ["SETS", "asked", "catalogue"]

Tools: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]
Asked: TypeAlias = list[tuple[str, set[str]]]

SETS = ("seen", "fresh", "keywords", "typo")
_FILE = Path(__file__).with_name("wishes.txt")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[\u4e00-\u9fff]{2,4}")
_SMALL = """
    the a an of to in for and or with is this that on by from use when all your you it as be are can tool if
    not returns return using get
"""
_SMALL_WORDS = frozenset(_SMALL.split())
_EVERY, _KEYWORDS, _TYPOS = 14, 11, 7
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def catalogue(file: Path) -> Tools:
    """`{server: [tool, ...]}`, as JSON, perhaps with gzip."""
    raw = file.read_bytes()
    return json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)


def asked(which: str, tools: Tools) -> Asked:
    """A request that no tool of this catalogue answers is left out."""
    match which:
        case "keywords":
            return _keywords(tools)
        case "typo":
            return _with_typos(_keywords(tools))
        case _:
            return _written(
                which, [f"{server}/{tool['name']}" for server, own in tools.items() for tool in own]
            )


def _written(section: str, names: Sequence[str]) -> Asked:
    found: Asked = []
    here = ""
    for line in _FILE.read_text("utf-8").splitlines():
        if line.startswith("["):
            here = line.strip("[]")
        elif here == section and line and not line.startswith("#"):
            request, _, patterns = line.partition("|")
            wanted = {name for pattern in patterns.split() for name in fitting(names, pattern)}
            if wanted:
                found.append((request.strip(), wanted))
    return found


def _keywords(tools: Tools) -> Asked:
    """Some words of a tool's name and of the beginning of its description, as a model would write them."""
    chance = random.Random(_KEYWORDS)
    found: Asked = []
    every = [(server, tool) for server, own in tools.items() for tool in own]
    for server, tool in every[::_EVERY]:
        name = list(dict.fromkeys(_words(tool["name"])))
        said = dict.fromkeys(_words((tool.get("description") or "")[:200]))
        more = [word for word in said if word not in name and word not in _SMALL_WORDS and len(word) > 2]
        some = [*chance.sample(name, min(3, len(name))), *chance.sample(more, min(2, len(more)))]
        found.append((" ".join(some), {f"{server}/{tool['name']}"}))
    return found


def _with_typos(requests: Asked) -> Asked:
    """One letter of one longer word is missing, doubled, another, or changes places with the next."""
    chance = random.Random(_TYPOS)
    found: Asked = []
    for request, wanted in requests:
        words = request.split()
        long = [place for place, word in enumerate(words) if len(word) >= 5 and word.isascii()]
        if long:
            place = chance.choice(long)
            words[place] = _mistyped(words[place], chance)
            found.append((" ".join(words), wanted))
    return found


def _mistyped(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word) - 1)
    before, letter, after = word[:at], word[at], word[at + 1 :]
    return chance.choice(
        (
            f"{before}{after}",
            f"{before}{after[0]}{letter}{after[1:]}",
            f"{before}{chance.choice(_LETTERS)}{after}",
            f"{before}{letter}{letter}{after}",
        )
    )


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text) if len(word) > 1]
