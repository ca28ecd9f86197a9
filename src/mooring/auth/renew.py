"""Tokens renewed: once for each, whoever notices first, and never at the cost of newer ones."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from shlex import quote

from mooring.auth.answers import Refusal
from mooring.auth.challenge import Challenge
from mooring.auth.discover import Discovery
from mooring.auth.endpoint import Desk, method_for
from mooring.auth.fetch import Fetcher
from mooring.auth.fit import kept_for
from mooring.auth.near import is_near
from mooring.auth.vault import Record, Tokens, Vault
from mooring.core.frozen import frozen
from mooring.core.spec import OAuth, RemoteSpec
from mooring.errors import (
    Busy,
    CredentialsChanged,
    LoginFailed,
    NeedsRegistration,
    StorageError,
    UnsafeAddress,
)
from mooring.system.address import Address

__all__ = ["Refreshed", "put", "stale_at", "turn_of"]

EARLY = 60.0
SHARE = 0.2
STEP = "refresh"


def stale_at(tokens: Tokens) -> float:
    """A minute before the end, or for short lives their last fifth: a request takes time to arrive."""
    if tokens.expires_at is None:
        return inf
    lasts = tokens.expires_at - (tokens.issued_at or 0.0)
    return tokens.expires_at - min(EARLY, lasts * SHARE)


@contextmanager
def turn_of(vault: Vault, spec: RemoteSpec) -> Generator[None]:
    try:
        with vault.turn(spec.name, spec.url):
            yield
    except Busy as error:
        raise LoginFailed(
            f"{STEP}: another process has been renewing the login of `{spec.name}` for a minute",
            hint="Is it stopped?",
            step=STEP,
        ) from error


@frozen
class Refreshed:
    """With a refresh token. What passes by itself raises, and changes nothing."""

    vault: Vault
    fetcher: Callable[[], Fetcher]
    spec: RemoteSpec

    def can(self, record: Record) -> bool:
        """Where the login itself has told who renews it; OpenCode's never does, and its server is asked."""
        tokens = record.tokens
        is_told = record.token_url or record.source == "opencode"
        return bool(tokens and tokens.refresh and is_told and record.client)

    def run(self, seen: Record, challenge: str, now: float) -> Record | None:
        """The record with tokens newer than those of `seen`, or without any where they are gone for good.

        None where it was forgotten in the meantime.
        """
        with turn_of(self.vault, self.spec):
            kept = kept_for(self.vault, self.spec)
            if kept is None or kept.tokens is None or seen.tokens is None:
                return kept
            if kept.tokens.access != seen.tokens.access or not self.can(kept):
                return kept
            fetcher = self.fetcher()
            bound = kept if kept.token_url else self._bound(fetcher, kept, challenge)
            if bound is None:
                return put(self.vault, self.spec, replace(kept, tokens=replace(kept.tokens, refresh=None)))
            return put(self.vault, self.spec, _asked(fetcher, self.spec, bound, now))

    def _bound(self, fetcher: Fetcher, kept: Record, challenge: str) -> Record | None:
        """With the issuer that the server names, from now on for good.

        Only one of the server's own house: any other might be somebody who collects refresh tokens.
        """
        try:
            found = Discovery(fetcher, self.spec, Challenge.of(challenge)).run()
        except (LoginFailed, NeedsRegistration, UnsafeAddress):
            return None
        authority, home = found.authority, Address.of(self.spec.url).host
        hosts = {Address.of(url).host for url in (authority.issuer, authority.token)}
        if kept.client is None or not all(
            is_near(host, home) or fetcher.guard.allows(host) for host in hosts
        ):
            return None
        method = method_for(kept.client, self.spec.oauth or OAuth(), authority.methods)
        return replace(
            kept,
            issuer=authority.issuer,
            client=replace(kept.client, method=method),
            resource=found.resource.id,
            token_url=authority.token,
            revoke_url=authority.revoke,
        )


def _asked(fetcher: Fetcher, spec: RemoteSpec, kept: Record, now: float) -> Record:
    tokens, client, url = kept.tokens, kept.client, kept.token_url
    if tokens is None or tokens.refresh is None or client is None or url is None:
        return kept
    form = {
        "grant_type": "refresh_token",
        "refresh_token": tokens.refresh,
        **({"resource": kept.resource} if kept.resource else {}),
    }
    desk = Desk.of(fetcher, client, kept.issuer or url, spec.oauth, kept.key)
    answer = desk.tokens(STEP, url, form, now, tokens)
    if not isinstance(answer, Refusal):
        return replace(kept, tokens=answer)
    match answer.code:
        case "invalid_grant" | "bad_refresh_token":
            is_over = tokens.expires_at is None or tokens.expires_at <= now
            return replace(kept, tokens=None if is_over else replace(tokens, refresh=None))
        case "invalid_client" | "unauthorized_client" if client.origin == "registered":
            return replace(kept, tokens=None, client=None)
        case _:
            raise LoginFailed(
                f"{STEP}: `{kept.issuer or url}` does not renew the login of `{spec.name}`: {answer.said}",
                hint=f"Log in again: mooring auth {quote(spec.name)}",
                step=STEP,
            )


def put(vault: Vault, spec: RemoteSpec, record: Record) -> Record | None:
    try:
        return vault.put(record)
    except CredentialsChanged:
        # A login has come in between, and is newer than anything a renewal can bring.
        return kept_for(vault, spec)
    except StorageError:
        # The old refresh token may be spent already: what came is used as long as this connection lives.
        return record
