"""What a server was, one state after another, and the JSON shape of that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mooring.core.frozen import frozen
from mooring.core.redact import mask_shapes
from mooring.core.server_view import ServerView
from mooring.core.status import Failed, Status

__all__ = ["Moment", "moments"]


@frozen
class Moment:
    """When it came to this, in seconds of Unix time."""

    at: float
    status: Status


def moments(server: str, past: Iterable[Moment]) -> list[dict[str, Any]]:
    """The oldest first."""
    return [_moment(ServerView(name=server, status=each.status), each.at) for each in past]


def _moment(view: ServerView, at: float) -> dict[str, Any]:
    status = view.status
    return {
        "at": at,
        "status": view.word,
        "reason": mask_shapes(view.reason) or None,
        "code": status.error.code if isinstance(status, Failed) else None,
        "exitCode": status.exit_code if isinstance(status, Failed) else None,
    }
