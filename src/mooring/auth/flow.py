"""One login through a browser: begun with an address to open, ended by the address it comes back with."""

from __future__ import annotations

import hashlib
import secrets
import shlex
from base64 import urlsafe_b64encode
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from mooring.auth.answers import Refusal, reworded
from mooring.auth.callback import is_state, parameters
from mooring.auth.challenge import Challenge
from mooring.auth.client import Wish, client_for
from mooring.auth.discover import Discovery
from mooring.auth.endpoint import Desk, key_for, method_for
from mooring.auth.fetch import Fetcher
from mooring.auth.login import Login
from mooring.auth.metadata import same_issuer
from mooring.auth.scopes import REFRESHING, scopes_for
from mooring.auth.vault import Record
from mooring.core.spec import OAuth, RemoteSpec
from mooring.errors import LoginDenied, LoginFailed

__all__ = ["begin", "code_in", "exchange"]

WITHIN = 600.0
AUTHORIZATION = "authorization"
ANSWER = "authorization answer"


def begin(
    fetcher: Fetcher,
    spec: RemoteSpec,
    redirect_uri: str,
    challenge: Challenge,
    kept: Record | None,
    now: float,
) -> Login:
    """Everything up to the browser. A client may have been registered, and nothing else has happened."""
    oauth = spec.oauth or OAuth()
    found = Discovery(fetcher, spec, challenge, kept.issuer if kept else None).run()
    authority = found.authority
    if not authority.authorize:
        raise LoginFailed(
            f"{AUTHORIZATION}: `{authority.issuer}` has no page to log in at", step=AUTHORIZATION
        )
    kept = kept if kept and kept.issuer == authority.issuer else None
    asked = scopes_for(spec.name, found, oauth.scope, kept)
    client = client_for(fetcher, spec, authority, Wish(redirect_uri, asked), kept, now)
    method = method_for(client, oauth, authority.methods)
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
    given = {
        "response_type": "code",
        "client_id": client.id,
        "redirect_uri": redirect_uri,
        "state": state,
        "code_challenge": _challenge(verifier),
        "code_challenge_method": "S256",
        "resource": found.resource.id,
        **({"scope": asked} if asked else {}),
        **({"prompt": "consent"} if asked and REFRESHING in asked.split() else {}),
    }
    return Login(
        server=spec.name,
        visit=_with(authority.authorize, given),
        redirect_uri=redirect_uri,
        state=state,
        expires_at=now + WITHIN,
        url=spec.url,
        verifier=verifier,
        issuer=authority.issuer,
        is_signed=authority.says_issuer,
        is_known=authority.is_known,
        resource=found.resource.id,
        client=replace(client, method=method),
        token_url=authority.token,
        revoke_url=authority.revoke,
        asked=asked,
        key=key_for(found, spec.name),
    )


def exchange(fetcher: Fetcher, login: Login, code: str, oauth: OAuth | None, now: float) -> Record:
    """The record that comes of it, not stored yet."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": login.redirect_uri,
        "code_verifier": login.verifier,
        "resource": login.resource,
    }
    desk = Desk.of(fetcher, login.client, login.issuer, oauth, login.key)
    tokens = desk.tokens("token", login.token_url, form, now)
    if isinstance(tokens, Refusal):
        raise LoginFailed(
            f"token: `{login.issuer}` gives none: {tokens.said}",
            hint=f"Log in again: mooring auth {shlex.quote(login.server)}",
            step="token",
        )
    return Record(
        login.server,
        login.url,
        login.issuer,
        replace(tokens, scope=tokens.scope or login.asked),
        login.client,
        resource=login.resource,
        asked=login.asked,
        token_url=login.token_url,
        revoke_url=login.revoke_url,
        key=login.key,
    )


def code_in(login: Login, redirected: str, now: float) -> str:
    """Who answers is settled before anything else of the answer is looked at."""
    query = urlsplit(redirected).query if "?" in redirected else redirected.lstrip("?")
    given = parameters(query)
    hint = f"Begin again: mooring auth {shlex.quote(login.server)}"
    if not is_state(given.get("state", ""), login.state):
        raise LoginFailed(f"{ANSWER}: it belongs to another login, or to none", hint=hint, step="state")
    if now > login.expires_at:
        raise LoginFailed(f"{ANSWER}: it comes too late", hint=hint, step="state")
    said = given.get("iss")
    if said is None and login.is_signed:
        raise LoginFailed(f"{ANSWER}: it does not say who it is from", hint=hint, step="iss")
    if said is not None and not _is_from(login, said):
        raise LoginFailed(f"{ANSWER}: it is not from `{login.issuer}`", hint=hint, step="iss")
    if error := given.get("error"):
        why = reworded(given.get("error_description")) or "no reason given"
        raise LoginDenied(
            f"`{login.issuer}` lets nobody in: {reworded(error)}: {why}", hint=hint, step=AUTHORIZATION
        )
    code = given.get("code")
    if not code:
        raise LoginFailed(f"{ANSWER}: there is no code in it", hint=hint, step=ANSWER)
    return code


def _is_from(login: Login, said: str) -> bool:
    """To the letter; where nobody has said who the issuer is, its place has to do."""
    if login.is_known:
        return said == login.issuer
    return same_issuer(said, login.issuer) or said.startswith(f"{login.issuer}/")


def _challenge(verifier: str) -> str:
    return urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def _with(url: str, given: dict[str, Any]) -> str:
    """Its own query stays in front; one that would speak for us is refused."""
    parts = urlsplit(url)
    there = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    if there & (given.keys() | {"scope", "prompt", "request", "request_uri", "response_mode"}):
        raise LoginFailed(
            f"{AUTHORIZATION}: the address to log in at says already what only we may say", step=AUTHORIZATION
        )
    query = "&".join(part for part in (parts.query, urlencode(given, quote_via=quote)) if part)
    return parts._replace(query=query).geturl()
