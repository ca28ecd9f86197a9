"""What an error of the host is over HTTP."""

from __future__ import annotations

from mooring.errors import (
    AnsweredAlready,
    BadArguments,
    BadCallback,
    Busy,
    CallbackBusy,
    CallError,
    CallRefused,
    CallTimeout,
    ConfigError,
    LoginDenied,
    LoginFailed,
    LoginGivenUp,
    MooringError,
    NeedsApprovalError,
    NeedsLogin,
    NobodyCame,
    NoLogin,
    ServerExists,
    ServerFailure,
    TooBusy,
    ToolNotApproved,
    UnknownItem,
    UnknownQuestion,
    UnknownServer,
    UnknownTool,
    Unreachable,
    UsageError,
)

__all__ = ["status_of"]

# The first that fits decides.
_STATUSES: tuple[tuple[tuple[type[MooringError], ...], int], ...] = (
    ((UnknownServer, UnknownTool, UnknownItem, UnknownQuestion), 404),
    ((NeedsApprovalError, NeedsLogin, ToolNotApproved, AnsweredAlready), 409),
    ((CallbackBusy, LoginGivenUp, NobodyCame, ServerExists, Busy), 409),
    ((CallRefused, LoginDenied), 403),
    ((BadArguments, BadCallback, NoLogin, UsageError), 400),
    ((CallTimeout,), 504),
    ((TooBusy,), 503),
    ((ServerFailure, Unreachable, CallError, LoginFailed), 502),
    ((ConfigError,), 422),
)


def status_of(error: MooringError) -> int:
    """Whose fault it is: the client's, a server's, or ours."""
    return next((status for kinds, status in _STATUSES if isinstance(error, kinds)), 500)
