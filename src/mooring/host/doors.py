"""What a server that turns us away is waiting for: a login, a client id, or another key in its headers."""

from __future__ import annotations

from mooring.auth.accounts import Accounts
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.status import Failed, Status
from mooring.errors import NeedsLogin
from mooring.host.verdict import status_of

__all__ = ["is_keyed", "waiting"]


async def waiting(error: NeedsLogin, spec: LocalSpec | RemoteSpec, accounts: Accounts) -> Status:
    """Found by looking: nothing is registered, nothing stored, and nobody asked."""
    if not isinstance(spec, RemoteSpec):
        return status_of(error)
    name = spec.name
    if spec.oauth is None:
        error.hint = f"`oauth` is off: give it a key, `mcp.{name}.headers`"
        return Failed(error)
    if is_keyed(spec):
        error.hint = f"Correct `Authorization` in `mcp.{name}.headers`, or remove it to log in"
        return Failed(error)
    if error.status == 401 or "insufficient_scope" in error.challenge:
        return await accounts.look(spec, error.challenge)
    return status_of(error)


def is_keyed(spec: RemoteSpec) -> bool:
    """Whether the configuration itself says who we are; a login would never be sent beside that."""
    return any(name.lower() == "authorization" for name in spec.headers)
