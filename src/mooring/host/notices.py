"""What servers log through the protocol, made safe to show, and no more of it than anybody could read."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast, get_args

from mooring.core.events import Level
from mooring.core.intake import tidy
from mooring.core.redact import clean, mask, mask_shapes
from mooring.core.values import JSON

__all__ = ["Logged", "Message"]

LONGEST = 8192
MOST_PER_SECOND = 100
LENGTH_PER_SECOND = 32 * 1024
_LEVELS = frozenset(get_args(Level))
Message: TypeAlias = tuple[Level, str, str]


class Logged:
    """One server's messages: looking for secrets takes time, and a server may log all day long."""

    def __init__(self, secrets: tuple[str, ...], now: Callable[[], float] = time.monotonic) -> None:
        self._secrets = secrets
        self._now = now
        self._since = float("-inf")
        self._room = self._count = 0

    def heard(self, params: Mapping[str, JSON]) -> Message | None:
        """What is to be announced of it: in each second so much, then that there was more."""
        now = self._now()
        if now - self._since >= 1:
            self._since, self._room, self._count = now, LENGTH_PER_SECOND, MOST_PER_SECOND
        if self._count == 0:
            return None
        if self._room <= 0 or self._count == 1:
            self._count = 0
            return "warning", "", "(more was logged in this second)"
        message = _message(params, self._secrets)
        self._count -= 1
        self._room -= len(message[2])
        return message


def _message(params: Mapping[str, JSON], secrets: tuple[str, ...]) -> Message:
    """Its level, who logs, and what is said; anything but text is shown as JSON."""
    level = params.get("level")
    data = params.get("data")
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, default=str)
    known = cast("Level", level) if level in _LEVELS else "info"
    # Cut after it was masked: half a secret would be none that is known.
    some = clean(text[: 2 * LONGEST + max(map(len, secrets), default=0)])
    return known, tidy(params.get("logger"), 128), tidy(mask_shapes(mask(some, secrets)), LONGEST)
