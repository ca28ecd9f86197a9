"""A login given up: tokens are taken back, and what we knew of them is forgotten."""

from __future__ import annotations

from mooring.auth.answers import Refusal
from mooring.auth.endpoint import Desk
from mooring.auth.farewell import Farewell
from mooring.auth.fetch import Fetcher
from mooring.auth.fit import is_ours
from mooring.auth.vault import Record, Vault
from mooring.core.spec import RemoteSpec
from mooring.errors import MooringError

__all__ = ["farewell"]


def farewell(vault: Vault, fetcher: Fetcher, spec: RemoteSpec, now: float) -> Farewell:
    """It is forgotten whatever the authorization server says, and also where it says nothing."""
    note = "there was nothing to take back"
    try:
        records = [each for each in vault.every(spec.name, spec.url) if each.tokens is not None]
    except MooringError as error:
        note = error.sentence
    else:
        notes = [_taken_back(fetcher, spec, each, now) for each in records]
        note = "; ".join(dict.fromkeys(filter(None, notes))) if records else note
    had = vault.forget(spec.name, spec.url)
    return Farewell(had, revoked=had and not note, note=note if had else "")


def _taken_back(fetcher: Fetcher, spec: RemoteSpec, record: Record, now: float) -> str:
    try:
        return _revoked(fetcher, spec, record, now)
    except MooringError as error:
        return error.sentence


def _revoked(fetcher: Fetcher, spec: RemoteSpec, record: Record, now: float) -> str:
    """Why not, or nothing. The refresh token first: with it most forget the others, too."""
    tokens, client, url = record.tokens, record.client, record.revoke_url
    if tokens is None or client is None or url is None:
        return "the authorization server offers no way to take tokens back"
    # What the entry says proves its own client, and is nobody else's to see.
    oauth = spec.oauth if is_ours(record, spec) else None
    desk = Desk.of(fetcher, client, record.issuer or url, oauth)
    for token, kind in ((tokens.refresh, "refresh_token"), (tokens.access, "access_token")):
        if token is None:
            continue
        answer = desk.asked("revocation", url, {"token": token, "token_type_hint": kind}, now)
        if isinstance(answer, Refusal) and answer.code != "unsupported_token_type":
            return f"the authorization server does not take them back: {answer.said}"
    return ""
