"""Times as headers say them, in seconds."""

from __future__ import annotations

import time
from collections.abc import Mapping

__all__ = ["retry_after", "seconds_in"]

LONGEST = 9


def seconds_in(text: str) -> float | None:
    """A whole number of them; whatever else stands there says nothing."""
    return float(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """How long a server wants to be left alone: so many seconds, or until a date."""
    asked = headers.get("retry-after", "").strip()
    if " " not in asked:
        return seconds_in(asked)
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - hardly any server sends a date

    try:
        return max(parsedate_to_datetime(asked[:64]).timestamp() - time.time(), 0.0)
    except (ValueError, OverflowError):
        return None
