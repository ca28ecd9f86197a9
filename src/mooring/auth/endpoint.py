"""The token endpoint: who we are is proved, tokens are given, renewed and taken back."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import field
from urllib.parse import quote_plus

from mooring.auth.answers import Asked, Refusal, refusal, tokens_in
from mooring.auth.clocks import seconds_ahead
from mooring.auth.discover import Found
from mooring.auth.dpop import ALGORITHM, TOLERATED, Prover, new_key
from mooring.auth.fetch import Fetched, Fetcher
from mooring.auth.signing import Signer
from mooring.auth.vault import Registration, Tokens
from mooring.core.frozen import frozen
from mooring.core.spec import OAuth
from mooring.errors import LoginFailed
from mooring.system.address import Address

__all__ = ["Desk", "key_for", "method_for"]

WITHIN = 20.0
SIGNED = "private_key_jwt"
_SECRETS = ("code", "code_verifier", "refresh_token", "client_secret", "token", "assertion", "subject_token")


@frozen
class Desk:
    """Where one client is served; what a client of the configuration proves itself with stands only there."""

    fetcher: Fetcher
    client: Registration
    issuer: str
    secret: str | None = field(default=None, repr=False)
    signer: Signer | None = None
    prover: Prover | None = None

    @classmethod
    def of(
        cls, fetcher: Fetcher, client: Registration, issuer: str, oauth: OAuth | None, key: str | None = None
    ) -> Desk:
        """With a key, the tokens are bound to it."""
        prover = Prover(key) if key else None
        if oauth is None or client.origin == "registered":
            return cls(fetcher, client, issuer, client.secret, None, prover)
        signer = Signer(client.id, oauth.private_key, oauth.algorithm) if oauth.private_key else None
        return cls(fetcher, client, issuer, oauth.client_secret, signer, prover)

    def tokens(
        self, step: str, url: str, form: Mapping[str, str], now: float, before: Tokens | None = None
    ) -> Tokens | Refusal:
        """New tokens, or a final no; a server in trouble, or out of reach, raises."""
        answer = self.asked(step, url, form, now)
        if isinstance(answer, Refusal):
            return answer
        kind = "dpop" if self.prover else "bearer"
        return tokens_in(Asked(step, _origin(url), kind, now), answer, before)

    def asked(self, step: str, url: str, form: Mapping[str, str], now: float) -> Fetched | Refusal:
        body, headers = self._signed(form, now)
        answer = self._posted(step, url, body, headers, now)
        secrets = [*(body.get(key) for key in _SECRETS), self.secret]
        no = refusal(step, answer, _origin(url), secrets)
        is_new = self.prover is not None and self.prover.learn(url, answer.headers.get("dpop-nonce"))
        if no is not None and no.code == "use_dpop_nonce" and is_new:
            answer = self._posted(step, url, body, headers, now)
            no = refusal(step, answer, _origin(url), secrets)
        if no is not None and (ahead := self._clock_is_wrong(no, answer, now)):
            body, headers = self._signed(form, now + ahead)
            answer = self._posted(step, url, body, headers, now)
            no = refusal(step, answer, _origin(url), secrets)
        return no or answer

    def _clock_is_wrong(self, no: Refusal, answer: Fetched, now: float) -> float:
        """By how much, where that may be why what we signed was not believed."""
        ahead = seconds_ahead(answer.headers, now)
        match no.code:
            case "invalid_dpop_proof" if self.prover and self.prover.set_clock(ahead):
                return ahead
            case "invalid_client" | "invalid_grant" if (
                self.client.method == SIGNED and abs(ahead) >= TOLERATED
            ):
                return ahead
            case _:
                return 0.0

    def _posted(
        self, step: str, url: str, body: dict[str, str], headers: dict[str, str], now: float
    ) -> Fetched:
        proof = {"dpop": self.prover.proof("POST", url, now)} if self.prover else {}
        return self.fetcher.post(step, url, body, headers | proof, within=WITHIN)

    def _signed(self, form: Mapping[str, str], now: float) -> tuple[dict[str, str], dict[str, str]]:
        """The form and headers that say who asks."""
        client, secret = self.client.id, self.secret
        match self.client.method or ("client_secret_basic" if secret else "none"):
            case "private_key_jwt" if self.signer:
                return {**form, **self.signer.form(self.issuer, now)}, {}
            case "client_secret_basic" if secret:
                pair = f"{quote_plus(client)}:{quote_plus(secret)}"
                return {**form}, {"authorization": f"Basic {b64encode(pair.encode()).decode()}"}
            case "client_secret_post" if secret:
                return {**form, "client_id": client, "client_secret": secret}, {}
            case "none":
                return {**form, "client_id": client}, {}
            case method:
                raise LoginFailed(f"client: it has to prove itself by `{method}`, and cannot", step="client")


def key_for(found: Found, server: str) -> str | None:
    """A new one where the server wants its tokens bound; if nobody can bind them, that is the end."""
    if not found.wants_proof:
        return None
    if ALGORITHM not in found.authority.proofs:
        raise LoginFailed(
            f"token: `{server}` wants tokens bound to a key, and `{found.authority.issuer}` binds none",
            hint="Tell whoever runs the server",
            step="token",
        )
    return new_key()


def method_for(client: Registration, oauth: OAuth, offered: tuple[str, ...] | None) -> str:
    """What was agreed when we were registered; else the safest that both sides can do."""
    is_signed = not oauth.client_secret or offered is None or SIGNED in offered
    if client.origin != "registered" and oauth.private_key and is_signed:
        return SIGNED
    if client.method is not None:
        return client.method
    if not (oauth.client_secret or client.secret):
        return "none"
    ours = ("client_secret_basic", "client_secret_post")
    return next((method for method in ours if offered is None or method in offered), ours[0])


def _origin(url: str) -> str:
    return Address.of(url).origin
