"""What can be said of one server right now."""

from __future__ import annotations

from dataclasses import field
from shlex import quote
from typing import TypeAlias, assert_never

from mooring.core.frozen import frozen
from mooring.errors import MooringError

__all__ = [
    "Connected",
    "Connecting",
    "Disabled",
    "Failed",
    "NeedsApproval",
    "NeedsAuth",
    "NeedsClientRegistration",
    "Pending",
    "Status",
    "opencode",
    "word",
]


@frozen
class Disabled:
    """Switched off, in the configuration or by hand."""


@frozen
class Pending:
    """Wanted and not begun: it waits for its turn, or for its first use."""


@frozen
class Connecting:
    """Being dialled; `attempt` counts from one since it last worked."""

    attempt: int = 1


@frozen
class Connected:
    """In use; names and counts are what the server said of itself."""

    protocol: str
    server_name: str = ""
    server_version: str = ""
    tools: int = 0
    resources: int = 0
    templates: int = 0
    prompts: int = 0


@frozen
class NeedsApproval:
    """Not started, because nobody has approved what it would run."""

    reason: str = ""


@frozen
class NeedsAuth:
    """Waiting for a login; `scope` is what the server asked for, if it did."""

    reason: str = ""
    scope: str | None = None


@frozen
class NeedsClientRegistration:
    """Waiting for a client id, which this server does not hand out by itself."""

    reason: str = ""


@frozen
class Failed:
    """Not working; `next_try` is in seconds from then on, None when nothing more happens by itself."""

    error: MooringError
    exit_code: int | None = None
    stderr: tuple[str, ...] = field(default=(), repr=False)
    next_try: float | None = None


Status: TypeAlias = (
    Disabled | Pending | Connecting | Connected | NeedsApproval | NeedsAuth | NeedsClientRegistration | Failed
)


def word(status: Status) -> str:
    """The one word that every face uses for it."""
    match status:
        case Disabled():
            return "disabled"
        case Pending():
            return "pending"
        case Connecting():
            return "connecting"
        case Connected():
            return "connected"
        case NeedsApproval():
            return "needs_approval"
        case NeedsAuth():
            return "needs_auth"
        case NeedsClientRegistration():
            return "needs_client_registration"
        case Failed():
            return "failed"
        case _:
            assert_never(status)


def opencode(status: Status, server: str) -> dict[str, str]:
    """The same for clients made for OpenCode, which know five statuses and have no word for waiting."""
    match status:
        case Pending() | Connecting():
            return {"status": "failed", "error": "still connecting"}
        case NeedsApproval():
            return {"status": "failed", "error": f"needs approval: mooring trust {quote(server)}"}
        case NeedsClientRegistration(reason=reason):
            error = reason or f"`{server}` registers no clients: set `mcp.{server}.oauth.clientId`"
            return {"status": "needs_client_registration", "error": error}
        case Failed(error=error):
            return {"status": "failed", "error": error.sentence}
        case Disabled() | Connected() | NeedsAuth():
            return {"status": word(status)}
        case _:
            assert_never(status)
