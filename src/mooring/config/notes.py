"""What was found wrong while reading, before its line is known."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from mooring.core.frozen import frozen
from mooring.errors import MooringError, Spot

__all__ = ["KEPT", "Note", "nearest_key"]

KEPT = "It is kept as it is"


@frozen
class Note:
    """An error about the value at `path` of one source."""

    kind: type[MooringError]
    path: tuple[str | int, ...]
    sentence: str
    hint: str = ""

    def at(self, spot: Callable[[tuple[str | int, ...]], Spot]) -> MooringError:
        return self.kind(self.sentence, hint=self.hint, spot=spot(self.path))


@lru_cache(maxsize=256)
def nearest_key(key: str, known: tuple[str, ...]) -> str:
    """The hint for a key that nobody reads; the same mistake is often made in every entry."""
    import difflib  # noqa: PLC0415 - needed only when something is wrong

    close = difflib.get_close_matches(key[:64], known, n=1, cutoff=0.6)
    return f"Did you mean `{close[0]}`?" if close else KEPT
