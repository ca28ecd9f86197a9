"""What time it is elsewhere: whoever checks a signature goes by a clock of its own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

__all__ = ["seconds_ahead"]

MOST = 86400.0


def seconds_ahead(headers: Mapping[str, str], now: float) -> float:
    """Of us, as the `Date` of an answer says; nothing where it says nothing, or nonsense."""
    try:
        there = parsedate_to_datetime(headers.get("date", ""))
    except (TypeError, ValueError, IndexError, OverflowError):
        return 0.0
    if there.tzinfo is None:
        there = there.replace(tzinfo=UTC)
    ahead = there.timestamp() - now
    return ahead if abs(ahead) <= MOST else 0.0
