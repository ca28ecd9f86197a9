"""Levels of what servers log, and a line of it as a client gets it."""

from __future__ import annotations

from typing import get_args

from mooring.core.events import Level, LogMessage
from mooring.core.values import JSON
from mooring.gateway.messages import notice

__all__ = ["LEVELS", "reaches", "written"]

LEVELS = {level: rank for rank, level in enumerate(get_args(Level))}


def reaches(level: str, wanted: JSON) -> bool:
    return isinstance(wanted, str) and wanted in LEVELS and LEVELS[level] >= LEVELS[wanted]


def written(event: LogMessage) -> bytes:
    logger = f"{event.server}/{event.logger}" if event.logger else event.server
    said = {"level": event.level, "logger": logger, "data": event.text}
    return notice("notifications/message", said)
