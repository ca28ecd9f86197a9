"""Whatever a server sent, as JSON that can be walked and sent on."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import cast

from mooring.core.schema.repairs import Log, Path
from mooring.core.values import JSON

__all__ = ["DEEPEST", "tidy"]

DEEPEST = 100  # real schemas end at about thirty; every walk after this one may recurse
_SURROGATE = re.compile("[\ud800-\udfff]")


def tidy(value: JSON, path: Path, log: Log) -> JSON:
    """A copy of `value` that is JSON and not too deep; nothing of the original is shared or changed."""
    match value:
        case None | bool() | int():
            return value
        case float():
            if math.isfinite(value):
                return value
            log.add(path, "number", "a number that JSON cannot hold became null")
            return None
        case str():
            return _text(value, path, log)
        case dict() | list() | tuple() if len(path) >= DEEPEST:
            log.add(path, "too-deep", f"nested deeper than {DEEPEST} levels, emptied")
            return {} if isinstance(value, dict) else []
        case dict():
            return _map(cast("dict[JSON, JSON]", value), path, log)
        case list() | tuple():
            items = cast("Sequence[JSON]", value)
            return [tidy(item, (*path, str(index)), log) for index, item in enumerate(items)]
        case _:
            log.add(path, "value", f"a `{type(value).__name__}` is not JSON, became null")
            return None


def _map(entries: dict[JSON, JSON], path: Path, log: Log) -> JSON:
    return {key: tidy(item, (*path, key), log) for key, item in entries.items() if _is_key(key, path, log)}


def _text(value: str, path: Path, log: Log) -> str:
    if value.isascii() or not _SURROGATE.search(value):
        return value
    log.add(path, "value", "half a character was replaced")
    return _SURROGATE.sub("\ufffd", value)


def _is_key(key: JSON, path: Path, log: Log) -> bool:
    if isinstance(key, str) and not _SURROGATE.search(key):
        return True
    log.add(path, "key", "a key that is not text was dropped")
    return False
