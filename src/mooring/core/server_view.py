"""What every face is told of one configured server, as one immutable value."""

from __future__ import annotations

from dataclasses import field
from shlex import quote
from typing import assert_never

from mooring.core.frozen import frozen
from mooring.core.pins import Unapproved
from mooring.core.redact import clean
from mooring.core.status import (
    Connected,
    Connecting,
    Disabled,
    Failed,
    NeedsApproval,
    NeedsAuth,
    NeedsClientRegistration,
    Pending,
    Status,
    word,
)

__all__ = ["ServerView"]


@frozen(kw_only=True)
class ServerView:
    """A snapshot; moments are in seconds of Unix time, `latency` is in seconds.

    The counts are those of the listing that is in use, also of a server that is not connected now.
    """

    name: str
    status: Status
    transport: str = ""
    required: bool = False
    lazy: bool = False
    latency: float | None = None
    since: float | None = None
    last_ok: float | None = None
    next_try: float | None = None
    tools: int = 0
    resources: int = 0
    templates: int = 0
    prompts: int = 0
    unapproved: Unapproved = field(default_factory=Unapproved)

    @property
    def word(self) -> str:
        return word(self.status)

    @property
    def protocol(self) -> str:
        """The revision that was agreed on; empty while there is none."""
        return self.status.protocol if isinstance(self.status, Connected) else ""

    @property
    def reason(self) -> str:
        """Why it cannot be used, in one sentence; empty where nobody has to do anything."""
        match self.status:
            case Failed(error=error):
                return clean(error.sentence)
            case NeedsApproval(reason=reason):
                return clean(reason) or "nobody has approved what it would run"
            case NeedsAuth(reason=reason):
                return clean(reason) or "it wants a login"
            case NeedsClientRegistration(reason=reason):
                return clean(reason) or "it wants a login, and hands out no client id"
            case Disabled() | Pending() | Connecting() | Connected():
                return ""
            case _:
                assert_never(self.status)

    @property
    def hint(self) -> str:
        """The next command to type, or the key to set; empty where `reason` is."""
        match self.status:
            case Failed(error=error):
                return clean(error.hint) or f"mooring test {quote(self.name)}"
            case NeedsApproval():
                return f"mooring trust {quote(self.name)}"
            case NeedsAuth():
                return f"mooring auth {quote(self.name)}"
            case NeedsClientRegistration():
                return f"mooring config set mcp.{self.name}.oauth.clientId ID"
            case Disabled() | Pending() | Connecting() | Connected():
                return ""
            case _:
                assert_never(self.status)
