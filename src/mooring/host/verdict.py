"""From an error to what it makes of a server's status, and back."""

from __future__ import annotations

from copy import copy
from shlex import quote

from mooring.core.status import Failed, NeedsApproval, NeedsAuth, NeedsClientRegistration, Status, word
from mooring.errors import (
    CommandNotFound,
    ConfigError,
    LoginFailed,
    MooringError,
    NeedsApprovalError,
    NeedsLogin,
    NeedsRegistration,
    NoCommonVersion,
    NotConnected,
    ServerFailure,
)

__all__ = ["changes_by_itself", "error_of", "status_of"]

_FOR_A_PERSON = (
    CommandNotFound,
    ConfigError,
    LoginFailed,
    NeedsApprovalError,
    NeedsLogin,
    NoCommonVersion,
)


def changes_by_itself(error: MooringError) -> bool:
    """Whether another try may end differently although nobody has done anything."""
    return not isinstance(error, _FOR_A_PERSON)


def status_of(error: MooringError, next_try: float | None = None) -> Status:
    """What a server is that ended, or did not begin, with this error."""
    match error:
        case NeedsApprovalError():
            return NeedsApproval(error.sentence)
        case NeedsRegistration():
            return NeedsClientRegistration(error.sentence)
        case NeedsLogin():
            return NeedsAuth(error.sentence)
        case ServerFailure():
            return Failed(error, error.exit_code, error.stderr, next_try)
        case _:
            return Failed(error, next_try=next_try)


def error_of(server: str, status: Status) -> MooringError:
    """Why a server with this status cannot be used."""
    match status:
        case NeedsApproval(reason=reason):
            return NeedsApprovalError(
                reason or f"`{server}` is not approved", hint=f"mooring trust {quote(server)}"
            )
        case NeedsClientRegistration(reason=reason):
            hint = f"Set `mcp.{server}.oauth.clientId`"
            return NeedsRegistration(reason or f"`{server}` registers no clients", hint=hint)
        case NeedsAuth(reason=reason):
            return NeedsLogin(reason or f"`{server}` wants a login", hint=f"mooring auth {quote(server)}")
        case Failed(error=error):
            return copy(error)
        case _:
            return NotConnected(f"`{server}` is not connected: {word(status)}", hint="mooring list")
