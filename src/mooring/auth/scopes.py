"""Which scopes a login asks for: no more than the server wants, and never fewer than there were."""

from __future__ import annotations

from mooring.auth.discover import Found
from mooring.auth.vault import Record
from mooring.errors import LoginFailed

__all__ = ["REFRESHING", "scopes_for", "union"]

REFRESHING = "offline_access"


def scopes_for(server: str, found: Found, configured: str | None, kept: Record | None) -> str | None:
    """None where nobody knows any. What the user has configured is asked for as it stands."""
    challenge = found.challenge
    if challenge.wants_more:
        return _more(server, challenge.scope, kept)
    if configured:
        return configured
    wanted = challenge.scope or " ".join(found.resource.scopes) or None
    can_refresh = found.authority.grants is None or "refresh_token" in found.authority.grants
    if wanted and can_refresh and REFRESHING in found.authority.scopes:
        return union(wanted, REFRESHING)
    return wanted


def union(*scopes: str | None) -> str | None:
    """Each once, in the order of their first appearance."""
    words = dict.fromkeys(word for scope in scopes if scope for word in scope.split())
    return " ".join(words) or None


def _more(server: str, wanted: str | None, kept: Record | None) -> str | None:
    """A server that is never content would send its users round in circles."""
    had = union(kept.asked, kept.tokens.scope if kept.tokens else None) if kept else None
    if wanted is None:
        raise LoginFailed(
            f"scope: `{server}` wants more than this login may do, and does not say what",
            hint=f"Set `mcp.{server}.oauth.scope`",
            step="scope",
        )
    if had and set(wanted.split()) <= set(had.split()):
        raise LoginFailed(
            f"scope: `{server}` wants `{wanted}`, which the last login has asked for already",
            hint="Log in as somebody who may do that: mooring logout, then mooring auth",
            step="scope",
        )
    return union(had, wanted)
