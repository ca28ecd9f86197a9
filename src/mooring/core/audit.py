"""One call as it is kept: who, what, with which arguments as far as they may be kept, and how it went."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache

from mooring.core.events import Outcome
from mooring.core.frozen import frozen
from mooring.core.redact import HIDDEN, clean, mask_shapes, mask_url, names_secret
from mooring.core.values import JSON, is_list, is_map

__all__ = ["Call", "Kept", "keepable"]

LONGEST_TEXT = 200
LONGEST = 2_048
DEEPEST = 20

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,31}://\S+")


@frozen
class Call:
    """`arguments` are the bytes that were meant to be sent; what may be kept of them says `keepable`.

    `server` is empty where no server has the tool. `at` is when it ended, in seconds since 1970.
    """

    at: float
    caller: str
    face: str
    agent: str
    server: str
    tool: str
    arguments: bytes = field(repr=False)
    outcome: Outcome
    code: str
    seconds: float
    received: int


@frozen
class Kept:
    """One call as it was kept; `arguments` is JSON, `id` grows with time."""

    id: int
    at: float
    caller: str
    face: str
    agent: str
    server: str
    tool: str
    arguments: str
    outcome: str
    code: str
    seconds: float
    sent: int
    received: int


def keepable(arguments: JSON) -> str:
    """JSON of at most 2,048 characters: what stands under a telling name or looks like a secret is `***`."""
    if not is_map(arguments) or not arguments:
        return "{}"
    text = _written(_map(arguments, DEEPEST))
    if len(text) <= LONGEST:
        return text
    names = dict.fromkeys((_text(name) for name in arguments), "…")
    text = _written(names)
    return text if len(text) <= LONGEST else _written({f"{len(names)} arguments": "…"})


def _written(value: JSON) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def _map(value: Mapping[str, JSON], left: int) -> dict[str, JSON]:
    return {
        _text(key): HIDDEN if item and _is_telling(key[:LONGEST_TEXT]) else _kept(item, left - 1)
        for key, item in value.items()
    }


def _kept(value: JSON, left: int) -> JSON:
    if isinstance(value, str):
        return _text(value)
    if not left:
        return "…"
    if is_map(value):
        return _map(value, left)
    if is_list(value):
        return [_kept(item, left - 1) for item in value]
    return value


def _text(text: str) -> str:
    # A secret that is cut in half has lost its shape, so more is looked at than is kept.
    start = text[: 4 * LONGEST_TEXT]
    start = clean(_URL.sub(lambda url: mask_url(url[0]), mask_shapes(start)))
    return (
        start if len(start) <= LONGEST_TEXT and len(text) <= 4 * LONGEST_TEXT else f"{start[:LONGEST_TEXT]}…"
    )


@lru_cache(1024)
def _is_telling(key: str) -> bool:
    return names_secret(key)
