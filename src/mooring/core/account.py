"""What can be said of a login at one server, without a secret in it."""

from __future__ import annotations

from enum import StrEnum

from mooring.core.frozen import frozen

__all__ = ["Account", "Standing"]


class Standing(StrEnum):
    """What a stored login is worth; one that renews itself is good as long as it is let."""

    IN = "authenticated"
    EXPIRED = "expired"
    OUT = "not_authenticated"


@frozen(kw_only=True)
class Account:
    """`expires_at` is in seconds of Unix time; `renews` says whether somebody has to log in again then.

    `stored` is `file`, `keyring` or `memory`.

    One that is not `configured` belongs to an address or a client that no entry names any more.
    """

    server: str
    url: str
    standing: Standing = Standing.OUT
    issuer: str | None = None
    scopes: tuple[str, ...] = ()
    expires_at: float | None = None
    renews: bool = False
    source: str = ""
    stored: str = ""
    configured: bool = True
