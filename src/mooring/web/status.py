"""What an error of the host is over HTTP."""

from __future__ import annotations

from mooring.errors import (
    AnsweredAlready,
    CallRefused,
    CallTimeout,
    ConfigError,
    MooringError,
    NeedsApprovalError,
    NeedsLogin,
    ServerFailure,
    TooBusy,
    ToolNotApproved,
    UnknownItem,
    UnknownQuestion,
    UnknownServer,
    UnknownTool,
    Unreachable,
)

__all__ = ["status_of"]


def status_of(error: MooringError) -> int:
    """What an error of the host is over HTTP."""
    match error:
        case UnknownServer() | UnknownTool() | UnknownItem() | UnknownQuestion():
            return 404
        case NeedsApprovalError() | NeedsLogin() | ToolNotApproved() | AnsweredAlready():
            return 409
        case CallRefused():
            return 403
        case CallTimeout():
            return 504
        case TooBusy():
            return 503
        case ServerFailure() | Unreachable():
            return 502
        case ConfigError():
            return 422
        case _:
            return 500
