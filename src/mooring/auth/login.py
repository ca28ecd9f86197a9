"""All that has to be remembered of a login while the browser is away."""

from __future__ import annotations

from dataclasses import field

from mooring.auth.vault import Registration
from mooring.core.frozen import frozen

__all__ = ["Login"]


@frozen
class Login:
    """None of it is stored before the browser comes back with the `state` of this one."""

    server: str
    visit: str = field(repr=False)
    redirect_uri: str
    state: str = field(repr=False)
    expires_at: float
    url: str = field(repr=False)
    verifier: str = field(repr=False)
    issuer: str
    is_signed: bool
    is_known: bool
    resource: str
    client: Registration
    token_url: str
    revoke_url: str | None
    asked: str | None
    key: str | None = field(default=None, repr=False)
