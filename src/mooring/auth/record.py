"""All that is kept of one login."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from mooring.core.frozen import frozen

__all__ = ["Record", "Registration", "Tokens"]


@frozen
class Tokens:
    """What opens the door; times are in seconds since 1970."""

    access: str = field(repr=False)
    refresh: str | None = field(default=None, repr=False)
    expires_at: float | None = None
    scope: str | None = None
    issued_at: float | None = None


@frozen
class Registration:
    """Who we are to the authorization server; `method` is how we prove it, where it was agreed.

    The secret of a client from the configuration stays there.
    """

    id: str
    secret: str | None = field(default=None, repr=False)
    secret_expires_at: float | None = None
    method: str | None = None
    redirect_uris: tuple[str, ...] = ()
    origin: Literal["registered", "configured", "document"] = "registered"


@frozen
class Record:
    """All that is known of one server; the address may hold a secret too.

    Tokens are for `resource`, and what renews or revokes them goes to the issuer's addresses that are kept
    here: nobody can name others later. `asked` are the scopes that the login asked for, and tokens that are
    bound to a `key` work with nothing else. The secrets of one that is `sealed` are in the keyring.
    `generation` is 0 until the record has been put; whenever one of a server is, it gets the next number.
    `principal` is whose login it is, where that is not the user of this host.
    """

    server: str
    url: str = field(repr=False)
    issuer: str | None = None
    tokens: Tokens | None = None
    client: Registration | None = None
    generation: int = 0
    source: Literal["login", "opencode"] = "login"
    resource: str | None = None
    asked: str | None = None
    token_url: str | None = None
    revoke_url: str | None = None
    key: str | None = field(default=None, repr=False)
    sealed: bool = False
    principal: str = ""
