"""The token endpoint: who we are is proved, tokens are given, renewed and taken back."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote_plus

from mooring.auth.answers import Refusal, refusal, tokens_in
from mooring.auth.fetch import Fetcher
from mooring.auth.vault import Registration, Tokens
from mooring.errors import LoginFailed
from mooring.system.address import Address

__all__ = ["Desk", "method_for"]

WITHIN = 20.0
_SECRETS = ("code", "code_verifier", "refresh_token", "client_secret", "token", "assertion", "subject_token")


@dataclass(frozen=True, slots=True)
class Desk:
    """Where one client is served. `secret` is the configuration's, for a client that comes from there."""

    fetcher: Fetcher
    client: Registration
    secret: str | None = None

    def tokens(
        self, step: str, url: str, form: Mapping[str, str], now: float, before: Tokens | None = None
    ) -> Tokens | Refusal:
        """New tokens, or a final no; a server in trouble, or out of reach, raises."""
        body, headers = self._signed(form)
        answer = self.fetcher.post(step, url, body, headers, within=WITHIN)
        origin = Address.of(url).origin
        secrets = [body.get(key) for key in _SECRETS] + [self.client.secret, self.secret]
        no = refusal(step, answer, origin, secrets)
        return no or tokens_in(step, answer, origin, now, before)

    def revoke(self, url: str, token: str, kind: str) -> Refusal | None:
        body, headers = self._signed({"token": token, "token_type_hint": kind})
        answer = self.fetcher.post("revocation", url, body, headers)
        return refusal("revocation", answer, Address.of(url).origin, (token, self.client.secret, self.secret))

    def _signed(self, form: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """The form and headers that say who asks."""
        client, secret = self.client.id, self.secret or self.client.secret
        match self.client.method or ("client_secret_basic" if secret else "none"):
            case "client_secret_basic" if secret:
                pair = f"{quote_plus(client)}:{quote_plus(secret)}"
                return {**form}, {"authorization": f"Basic {b64encode(pair.encode()).decode()}"}
            case "client_secret_post" if secret:
                return {**form, "client_id": client, "client_secret": secret}, {}
            case "none":
                return {**form, "client_id": client}, {}
            case "client_secret_basic" | "client_secret_post":
                raise LoginFailed(
                    "client: it has to prove itself with a secret, and there is none", step="client"
                )
            case method:
                raise LoginFailed(
                    f"client: it has to prove itself by `{method}`, which we cannot", step="client"
                )


def method_for(client: Registration, secret: str | None, offered: tuple[str, ...] | None) -> str:
    """What was agreed when we were registered; else the safest that both sides can do."""
    if client.method is not None:
        return client.method
    if not (secret or client.secret):
        return "none"
    ours = ("client_secret_basic", "client_secret_post")
    return next((method for method in ours if offered is None or method in offered), ours[0])
