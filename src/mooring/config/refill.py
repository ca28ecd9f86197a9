"""An entry that somebody saw with its secrets hidden, and sends back with the rest of it changed."""

from __future__ import annotations

from typing import Any

from mooring.core.redact import HIDDEN
from mooring.core.values import is_list, is_map
from mooring.errors import BadValue

__all__ = ["refilled"]


def refilled(given: Any, raw: Any, shown: Any, where: str = "entry") -> Any:
    """`given` with what is hidden in it as it is in `raw`, which is `shown` without its secrets."""
    if isinstance(given, str):
        if HIDDEN not in given:
            return given
        if given == shown and isinstance(raw, str):
            return raw
        hint = "Write the value itself, or where it is: {env:NAME}"
        raise BadValue(f"`{where}` has `{HIDDEN}` where a value is hidden", hint=hint)
    if is_map(given):
        inner, masked = (each if is_map(each) else {} for each in (raw, shown))
        return {
            key: refilled(value, inner.get(key), masked.get(key), f"{where}.{key}")
            for key, value in given.items()
        }
    if is_list(given):
        words, hidden = (each if is_list(each) else [] for each in (raw, shown))
        return [
            refilled(value, _at(words, number), _at(hidden, number), f"{where}.{number}")
            for number, value in enumerate(given)
        ]
    return given


def _at(items: list[Any], number: int) -> Any:
    return items[number] if number < len(items) else None
