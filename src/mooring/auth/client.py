"""Who we are to an authorization server: as configured, as our document says, or as it registers us."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import msgspec

from mooring import __version__
from mooring.auth.answers import refusal
from mooring.auth.fetch import Fetcher
from mooring.auth.guard import is_own_name, shown
from mooring.auth.metadata import Authority
from mooring.auth.vault import Record, Registration
from mooring.core.frozen import frozen
from mooring.core.spec import OAuth, RemoteSpec
from mooring.core.values import is_list, is_number
from mooring.errors import LoginFailed, NeedsRegistration
from mooring.system.address import Address

__all__ = ["Wish", "client_for", "known_client", "needs_registration"]

REGISTRATION = "registration"
_METHODS = ("none", "client_secret_post", "client_secret_basic")


@frozen
class Wish:
    """What a client is registered for."""

    redirect_uri: str
    scope: str | None


def client_for(
    fetcher: Fetcher, spec: RemoteSpec, authority: Authority, wish: Wish, kept: Record | None, now: float
) -> Registration:
    """The strongest there is; only the last of them leaves anything at the authorization server."""
    known = known_client(spec, authority)
    if known is None and kept is not None and kept.issuer == authority.issuer:
        known = _still_good(kept.client, wish, now)
    if known is not None:
        return known
    if authority.register is None:
        raise needs_registration(spec, authority)
    return _registered(fetcher, spec, authority, authority.register, wish)


def known_client(spec: RemoteSpec, authority: Authority) -> Registration | None:
    """Who we are without asking anybody."""
    oauth = spec.oauth or OAuth()
    if oauth.client_id:
        return Registration(oauth.client_id, origin="configured")
    if oauth.client_metadata_url and authority.reads_documents:
        if not _is_document(oauth.client_metadata_url):
            raise LoginFailed(
                f"{REGISTRATION}: `mcp.{spec.name}.oauth.clientMetadataUrl` is no address of a document",
                hint="It is https with a path, and without user, query or fragment",
                step=REGISTRATION,
            )
        return Registration(oauth.client_metadata_url, method="none", origin="document")
    return None


def needs_registration(spec: RemoteSpec, authority: Authority) -> NeedsRegistration:
    return NeedsRegistration(
        f"`{shown(authority.issuer)}` registers no clients by itself",
        hint=f"Register one there, and set `mcp.{spec.name}.oauth.clientId`",
    )


def _still_good(client: Registration | None, wish: Wish, now: float) -> Registration | None:
    """A client that was registered earlier, for the same address to come back to, and can prove itself."""
    if client is None or client.origin != "registered" or wish.redirect_uri not in client.redirect_uris:
        return None
    return None if client.secret_expires_at is not None and client.secret_expires_at <= now else client


def _registered(
    fetcher: Fetcher, spec: RemoteSpec, authority: Authority, endpoint: str, wish: Wish
) -> Registration:
    offered = authority.methods
    method = "none" if offered is None else next((name for name in _METHODS if name in offered), "none")
    host = urlsplit(wish.redirect_uri).hostname or ""
    asked: dict[str, Any] = {
        "client_name": "Mooring",
        "redirect_uris": [wish.redirect_uri],
        "grant_types": ["authorization_code", *(["refresh_token"] if can_refresh(authority) else [])],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        "application_type": "native" if is_own_name(host) else "web",
        "software_id": "mooring",
        "software_version": __version__,
        **({"scope": wish.scope} if wish.scope else {}),
    }
    answer = fetcher.post(REGISTRATION, endpoint, msgspec.json.encode(asked))
    origin = Address.of(endpoint).origin
    if not authority.is_known and answer.status in (404, 405):
        raise needs_registration(spec, authority)
    if no := refusal(REGISTRATION, answer, origin, ()):
        raise LoginFailed(
            f"{REGISTRATION}: `{origin}` does not register us: {no.said}",
            hint=f"Register a client there by hand, and set `mcp.{spec.name}.oauth.clientId`",
            step=REGISTRATION,
        )
    return _read(answer.json or {}, origin, method, wish)


def can_refresh(authority: Authority) -> bool:
    """Whether it may give out refresh tokens, as far as it says."""
    return authority.grants is None or "refresh_token" in authority.grants


def _read(given: dict[str, Any], origin: str, method: str, wish: Wish) -> Registration:
    client_id, secret = given.get("client_id"), given.get("client_secret")
    if not isinstance(client_id, str) or not client_id or not client_id.isprintable():
        raise LoginFailed(f"{REGISTRATION}: `{origin}` answers without a client id", step=REGISTRATION)
    end, agreed, uris = (
        given.get(key) for key in ("client_secret_expires_at", "token_endpoint_auth_method", "redirect_uris")
    )
    if is_list(uris) and uris and wish.redirect_uri not in uris:
        raise LoginFailed(
            f"{REGISTRATION}: `{origin}` registers another address to come back to", step=REGISTRATION
        )
    return Registration(
        client_id,
        secret if isinstance(secret, str) and secret else None,
        float(end) if is_number(end) and end else None,
        agreed if isinstance(agreed, str) and agreed else method,
        (wish.redirect_uri,),
    )


def _is_document(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    has_more = bool(parts.query or parts.fragment or "@" in parts.netloc)
    return parts.scheme == "https" and bool(parts.hostname) and parts.path not in ("", "/") and not has_more
