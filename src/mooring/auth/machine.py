"""Tokens that nobody has to be asked for: the configuration holds all that it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from shlex import quote

from mooring.auth.answers import Refusal
from mooring.auth.challenge import Challenge
from mooring.auth.discover import Discovery, Found
from mooring.auth.endpoint import Desk, key_for, method_for
from mooring.auth.fetch import Fetcher
from mooring.auth.fit import in_place, kept_for
from mooring.auth.renew import put, turn_of
from mooring.auth.vault import Record, Registration, Tokens, Vault
from mooring.core.frozen import frozen
from mooring.core.spec import OAuth, RemoteSpec
from mooring.errors import LoginFailed, MooringError
from mooring.system.files import read_text

__all__ = ["Granted"]

BY_ASSERTION = "urn:ietf:params:oauth:grant-type:jwt-bearer"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"  # noqa: S105 - the name of a kind
ID_JAG = "urn:ietf:params:oauth:token-type:id-jag"
LARGEST = 64 * 1024


@frozen
class Granted:
    """New tokens whenever the old ones are refused or run out; a no is said, and final for whoever waits."""

    vault: Vault
    fetcher: Callable[[], Fetcher]
    spec: RemoteSpec

    def can(self, record: Record) -> bool:  # noqa: ARG002 - another renewal has to look
        return True

    def run(self, seen: Record, challenge: str, now: float) -> Record | None:
        with turn_of(self.vault, self.spec):
            kept = kept_for(self.vault, self.spec)
            if kept is not None and _is_newer(kept, seen, now):
                return kept
            granted = self._granted(Challenge.of(challenge), now)
            return put(self.vault, self.spec, in_place(self.vault, self.spec, granted))

    def _granted(self, challenge: Challenge, now: float) -> Record:
        spec, fetcher = self.spec, self.fetcher()
        oauth = spec.oauth or OAuth()
        if not oauth.client_id:
            raise LoginFailed(
                f"client: `mcp.{spec.name}.oauth.grant` needs a client",
                hint=f"Set `mcp.{spec.name}.oauth.clientId`",
                step="client",
            )
        found = Discovery(fetcher, spec, challenge).run()
        client = Registration(oauth.client_id, origin="configured")
        client = replace(client, method=method_for(client, oauth, found.authority.methods))
        key = key_for(found, spec.name)
        desk = Desk.of(fetcher, client, found.authority.issuer, oauth, key)
        scope = oauth.scope or challenge.scope or " ".join(found.resource.scopes) or None
        form = {
            **self._form(oauth, found, fetcher, now),
            "resource": found.resource.id,
            **({"scope": scope} if scope else {}),
        }
        tokens = desk.tokens("token", found.authority.token, form, now)
        if isinstance(tokens, Refusal):
            raise self._no(found.authority.issuer, tokens)
        return Record(
            spec.name,
            spec.url,
            found.authority.issuer,
            replace(tokens, refresh=None, scope=tokens.scope or scope),
            client,
            resource=found.resource.id,
            asked=scope,
            token_url=found.authority.token,
            revoke_url=found.authority.revoke,
            key=key,
        )

    def _form(self, oauth: OAuth, found: Found, fetcher: Fetcher, now: float) -> dict[str, str]:
        match oauth.grant:
            case "jwt_bearer":
                return {"grant_type": BY_ASSERTION, "assertion": self._assertion(oauth)}
            case "id_jag":
                return {"grant_type": BY_ASSERTION, "assertion": self._jag(oauth, found, fetcher, now)}
            case _:
                return {"grant_type": "client_credentials"}

    def _assertion(self, oauth: OAuth) -> str:
        """A file is read each time, as whoever writes it renews it."""
        said = oauth.assertion
        if oauth.assertion_file:
            try:
                said = read_text(oauth.assertion_file, LARGEST)
            except MooringError as error:
                raise LoginFailed(
                    f"assertion: {error.sentence}", hint=error.hint, step="assertion"
                ) from error
        if not said or not said.strip():
            keys = f"`mcp.{self.spec.name}.oauth.assertionFile`, or `assertion`"
            raise LoginFailed("assertion: there is none", hint=f"Set {keys}", step="assertion")
        return said.strip()

    def _jag(self, oauth: OAuth, found: Found, fetcher: Fetcher, now: float) -> str:
        """What the company's own identity provider says of us, meant for the issuer of this server alone."""
        step = "identity provider"
        if not oauth.idp_token_url or not oauth.idp_client_id:
            keys = f"`mcp.{self.spec.name}.oauth.idpTokenUrl` and `idpClientId`"
            raise LoginFailed(f"{step}: `id_jag` needs to know of one", hint=f"Set {keys}", step=step)
        form = {
            "grant_type": EXCHANGE,
            "requested_token_type": ID_JAG,
            "audience": found.authority.issuer,
            "resource": found.resource.id,
            "subject_token": self._assertion(oauth),
            "subject_token_type": ID_TOKEN,
            **({"scope": oauth.scope} if oauth.scope else {}),
        }
        method = "client_secret_basic" if oauth.idp_client_secret else "none"
        us = Registration(oauth.idp_client_id, method=method, origin="configured")
        desk = Desk(fetcher, us, oauth.idp_token_url, oauth.idp_client_secret)
        answer = desk.asked(step, oauth.idp_token_url, form, now)
        if isinstance(answer, Refusal):
            raise self._no(oauth.idp_token_url, answer, step)
        given = answer.json or {}
        token = given.get("access_token")
        if given.get("issued_token_type") != ID_JAG or not isinstance(token, str) or not token:
            raise LoginFailed(f"{step}: it answers with something else than was asked for", step=step)
        return token

    def _no(self, who: str, refusal: Refusal, step: str = "token") -> LoginFailed:
        return LoginFailed(
            f"{step}: `{who}` gives none: {refusal.said}",
            hint=f"Look at `oauth` of its entry: mooring debug {quote(self.spec.name)}",
            step=step,
        )


def _is_newer(kept: Record, seen: Record, now: float) -> bool:
    mine: Tokens | None = seen.tokens
    theirs = kept.tokens
    if theirs is None or (theirs.expires_at is not None and theirs.expires_at <= now):
        return False
    return mine is None or mine.access != theirs.access
