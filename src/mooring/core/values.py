"""JSON values, and telling them apart."""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeGuard

__all__ = ["JSON", "finite", "is_list", "is_map", "is_number"]

JSON = Any


def is_map(value: JSON) -> TypeGuard[dict[str, JSON]]:
    return isinstance(value, dict)


def is_list(value: JSON) -> TypeGuard[list[JSON]]:
    return isinstance(value, list)


def is_number(value: JSON) -> TypeGuard[int | float]:
    """A number; `true` is none, although Python thinks so."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def finite(value: JSON) -> float | None:
    """A number that can be counted with: JSON allows others, and some that no float can hold."""
    try:
        found = float(value) if is_number(value) else None
    except OverflowError:
        return None
    return found if found is not None and isfinite(found) else None
