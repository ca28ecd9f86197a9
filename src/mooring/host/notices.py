"""What servers log through the protocol, made safe to show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast, get_args

from mooring.core.events import Level
from mooring.core.intake import tidy
from mooring.core.redact import mask, mask_shapes
from mooring.core.values import JSON

__all__ = ["log_message"]

LONGEST = 8192
_LEVELS = frozenset(get_args(Level))


def log_message(params: Mapping[str, JSON], secrets: tuple[str, ...]) -> tuple[Level, str, str]:
    """Its level, who logs, and what is said; anything but text is shown as JSON."""
    level = params.get("level")
    data = params.get("data")
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, default=str)
    known = cast("Level", level) if level in _LEVELS else "info"
    return known, tidy(params.get("logger"), 128), mask_shapes(mask(tidy(text, LONGEST), secrets))
