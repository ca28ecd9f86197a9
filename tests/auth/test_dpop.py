"""Tokens that work for nobody but whom they were given to."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import jwt
import pytest
from tests.auth.authority import Asked, Said, Turned
from tests.auth.issuer import Issuer, issuer, no, visit

from mooring.auth.accounts import Accounts
from mooring.auth.bearer import Bearer
from mooring.auth.dpop import Prover, new_key
from mooring.auth.vault import Vault
from mooring.core.spec import OAuth, RemoteSpec
from mooring.errors import LoginFailed

BACK = "http://127.0.0.1:19876/mcp/oauth/callback"
NOW = 1_800_000_000.0
WANTED = "DPoP realm=x"


@pytest.fixture
def there() -> Iterator[Issuer]:
    """Binds every token that comes with a proof."""
    with issuer(dpop_signing_alg_values_supported=["RS256", "ES256"]) as found:

        def token(asked: Asked) -> Said:
            given = found.token(asked)
            if given.status != 200 or "dpop" not in asked.headers:
                return given
            body = {**json.loads(given.body), "token_type": "DPoP"}
            return Said(200, json.dumps(body).encode())

        found.here.answers["POST /token"] = token
        yield found


def spec(there: Issuer) -> RemoteSpec:
    return RemoteSpec(name="docs", url=there.url, oauth=OAuth())


async def logged_in(vault: Vault, there: Issuer, challenge: str = WANTED, now: float = NOW) -> Bearer:
    accounts = Accounts(vault, clock=lambda: NOW)
    login = await accounts.begin(spec(there), BACK, challenge=challenge)
    assert login.key is None or login.key not in repr(login)
    await accounts.deliver(spec(there), login, visit(login.visit))
    bearer = Accounts(vault, clock=lambda: now).credentials(spec(there))
    assert bearer is not None
    return bearer


def read(proof: str) -> dict[str, Any]:
    """Its claims, after its own key has vouched for them."""
    head = jwt.get_unverified_header(proof)
    assert head["typ"] == "dpop+jwt"
    assert set(head["jwk"]) == {"kty", "crv", "x", "y"}
    key = jwt.PyJWK(head["jwk"], "ES256")
    return jwt.decode(proof, key, algorithms=["ES256"], options={"verify_iat": False})


def key_of(shown: Mapping[str, str]) -> Any:
    return jwt.get_unverified_header(shown["dpop"])["jwk"]


async def test_every_request_is_proved_anew_with_the_key_of_the_login(vault: Vault, there: Issuer) -> None:
    bearer = await logged_in(vault, there)
    first = await bearer.headers("POST", f"{there.url}?x=y#z")
    second = await bearer.headers("GET", there.url)
    kind, _, token = first["authorization"].partition(" ")
    assert (kind, first["authorization"]) == ("DPoP", second["authorization"])
    said, other = read(first["dpop"]), read(second["dpop"])
    assert (said["htm"], said["htu"], other["htm"]) == ("POST", there.url, "GET")
    assert said["jti"] != other["jti"]
    digest = base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).decode().rstrip("=")
    assert said["ath"] == digest
    assert said["iat"] == NOW
    (exchange,) = there.here.to("/token")
    assert key_of(exchange.headers) == key_of(first) == key_of(second)
    assert read(exchange.headers["dpop"])["htu"] == f"{there.here.origin}/token"


async def test_a_renewed_token_is_bound_to_the_same_key(vault: Vault, there: Issuer) -> None:
    bearer = await logged_in(vault, there, now=NOW + 4000)
    shown = await bearer.headers("POST", there.url)
    exchange, renewal = there.here.to("/token")
    assert renewal.form["grant_type"] == "refresh_token"
    assert key_of(renewal.headers) == key_of(exchange.headers) == key_of(shown)
    assert shown["authorization"].startswith("DPoP ")


@pytest.mark.parametrize("wanted", ["Bearer", ""])
async def test_nobody_is_given_proofs_who_has_not_asked_for_them(
    vault: Vault, there: Issuer, wanted: str
) -> None:
    shown = await (await logged_in(vault, there, wanted)).headers("POST", there.url)
    assert set(shown) == {"authorization"}
    assert shown["authorization"].startswith("Bearer ")
    assert all("dpop" not in asked.headers for asked in there.here.asked)


async def test_metadata_may_ask_for_them_too(vault: Vault, there: Issuer) -> None:
    resource = there.here.answers["/.well-known/oauth-protected-resource/mcp"]
    assert isinstance(resource, dict)
    resource["dpop_bound_access_tokens_required"] = True
    assert "dpop" in await (await logged_in(vault, there, "")).headers("POST", there.url)


@pytest.mark.parametrize("offered", [None, ["RS256"]])
async def test_where_nobody_binds_tokens_the_login_ends_before_the_browser(
    vault: Vault, offered: list[str] | None
) -> None:
    with issuer(dpop_signing_alg_values_supported=offered) as there:
        with pytest.raises(LoginFailed, match="binds none"):
            await logged_in(vault, there)
        assert there.visits == []


async def test_a_token_that_is_not_bound_after_all_is_not_taken(vault: Vault, there: Issuer) -> None:
    there.here.answers["POST /token"] = there.token
    with pytest.raises(LoginFailed, match="kind"):
        await logged_in(vault, there)
    assert vault.records() == []


async def test_the_number_that_an_authorization_server_wants_is_in_the_second_try(
    vault: Vault, there: Issuer
) -> None:
    healthy = there.here.answers["POST /token"]
    assert callable(healthy)

    def choosy(asked: Asked) -> Said:
        if read(asked.headers["dpop"]).get("nonce") != "n-1":
            return replace(no("use_dpop_nonce"), headers={"dpop-nonce": "n-1"})
        found = healthy(asked)
        assert isinstance(found, Said)
        return found

    there.here.answers["POST /token"] = choosy
    assert await logged_in(vault, there)
    assert len(there.here.to("/token")) == 2


async def test_a_number_that_never_satisfies_is_not_tried_for_ever(vault: Vault, there: Issuer) -> None:
    there.here.answers["POST /token"] = replace(no("use_dpop_nonce"), headers={"dpop-nonce": "n"})
    with pytest.raises(LoginFailed, match="use_dpop_nonce"):
        await logged_in(vault, there)
    assert len(there.here.to("/token")) == 2


async def test_the_number_of_a_server_is_for_that_server(vault: Vault, there: Issuer) -> None:
    bearer = await logged_in(vault, there)
    sent = await bearer.headers("POST", there.url)
    refusal = Turned(401, 'DPoP error="use_dpop_nonce"', "n-1")
    assert await bearer.refused(there.url, refusal, sent)
    assert read((await bearer.headers("POST", there.url))["dpop"])["nonce"] == "n-1"
    assert "nonce" not in read((await bearer.headers("POST", "https://other.example/mcp"))["dpop"])
    assert len(there.here.to("/token")) == 1


async def test_of_many_that_are_refused_at_once_each_tries_again_with_the_number(
    vault: Vault, there: Issuer
) -> None:
    bearer = await logged_in(vault, there)
    refusal = Turned(401, 'DPoP error="use_dpop_nonce"', "n-1")
    for _ in range(2):
        every = [await bearer.headers("POST", there.url) for _ in range(5)]
        refused = await asyncio.gather(*(bearer.refused(there.url, refusal, sent) for sent in every))
        assert refused == [True] * 5
        refusal = replace(refusal, nonce="n-2")
    assert len(there.here.to("/token")) == 1


def test_a_number_is_new_once() -> None:
    prover = Prover(new_key())
    assert not prover.learn("https://a.example/x", None)
    assert prover.learn("https://a.example/x", "1")
    assert not prover.learn("https://a.example/y", "1")
    assert prover.learn("https://a.example/y", "2")
