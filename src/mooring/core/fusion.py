"""Several rankings of the same things as one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

__all__ = ["fused"]

T = TypeVar("T", bound=Hashable)
_EVEN = 10


def fused(*rankings: Iterable[T]) -> list[T]:
    """By reciprocal rank: the top of one is worth more than the middle of all; the first one breaks ties."""
    worth: dict[T, float] = {}
    for ranking in rankings:
        for place, each in enumerate(ranking):
            worth[each] = worth.get(each, 0.0) + 1 / (_EVEN + place)
    return sorted(worth, key=lambda each: -worth[each])
