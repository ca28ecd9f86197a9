"""Logins without a person: the configuration holds all that they take."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from tests.auth.authority import ASKED, Asked, Place, Said, Turned, place, trust
from tests.auth.issuer import no

from mooring.auth.accounts import Accounts
from mooring.auth.vault import Record, Vault
from mooring.core.spec import OAuth, RemoteSpec
from mooring.core.status import NeedsAuth
from mooring.errors import LoginFailed

BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def here() -> Iterator[Place]:
    with place() as found:
        trust(found, code_challenge_methods_supported=None)
        given = {"n": 0}

        def token(asked: Asked) -> Said:
            given["n"] += 1
            return Said(200, json.dumps({"access_token": f"token-{given['n']}", "expires_in": 600}).encode())

        found.answers["POST /token"] = token
        yield found


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def accounts(tmp_path: Path, clock: Clock) -> Accounts:
    return Accounts(Vault(tmp_path / "credentials"), clock=clock)


def spec(here: Place, **oauth: Any) -> RemoteSpec:
    given = {"grant": "client_credentials", "client_id": "robot", "client_secret": "hush", **oauth}
    return RemoteSpec(name="docs", url=f"{here.origin}/mcp", oauth=OAuth(**given))


async def used(accounts: Accounts, ours: RemoteSpec, challenge: str = "") -> dict[str, str]:
    """What a server that refuses everything without a token is sent in the end."""
    bearer = accounts.credentials(ours)
    assert bearer is not None
    sent = await bearer.headers("POST", ASKED)
    if not sent:
        assert await bearer.refused(ASKED, Turned(401, challenge), sent)
        sent = await bearer.headers("POST", ASKED)
    return dict(sent)


async def test_nobody_is_asked_and_the_token_is_kept(accounts: Accounts, here: Place, clock: Clock) -> None:
    ours = spec(here)
    assert await used(accounts, ours, 'Bearer scope="read"') == {"authorization": "Bearer token-1"}
    (asked,) = here.to("/token")
    assert asked.form == {
        "grant_type": "client_credentials",
        "resource": f"{here.origin}/mcp",
        "scope": "read",
    }
    assert asked.headers["authorization"].startswith("Basic ")
    assert here.to("/register") == []
    assert await used(accounts, ours) == {"authorization": "Bearer token-1"}
    clock.now += 700
    assert await used(accounts, ours) == {"authorization": "Bearer token-2"}
    assert len(here.to("/token")) == 2


async def test_many_ask_once(accounts: Accounts, here: Place) -> None:
    bearers = [accounts.credentials(spec(here)) for _ in range(5)]
    assert all(await asyncio.gather(*(each.refused(ASKED, Turned(), {}) for each in bearers if each)))
    assert len(here.to("/token")) == 1


async def test_another_client_gets_tokens_of_its_own(accounts: Accounts, here: Place) -> None:
    await used(accounts, spec(here))
    assert await used(accounts, spec(here, client_id="other")) == {"authorization": "Bearer token-2"}


async def test_a_no_is_said_without_the_secret(accounts: Accounts, here: Place) -> None:
    here.answers["POST /token"] = no("invalid_client", 401, error_description="robot? hush!")
    bearer = accounts.credentials(spec(here))
    assert bearer is not None
    with pytest.raises(LoginFailed, match="invalid_client") as caught:
        await bearer.refused(ASKED, Turned(), {})
    assert "hush" not in caught.value.sentence
    with pytest.raises(LoginFailed):
        await bearer.refused(ASKED, Turned(), {})
    assert len(here.to("/token")) == 2


async def test_tokens_that_are_refused_are_not_had_again_and_again(accounts: Accounts, here: Place) -> None:
    bearer = accounts.credentials(spec(here))
    assert bearer is not None
    assert await bearer.refused(ASKED, Turned(), {})
    assert await bearer.refused(ASKED, Turned(), await bearer.headers("POST", ASKED))
    assert not await bearer.refused(ASKED, Turned(), await bearer.headers("POST", ASKED))
    more = Turned(403, 'Bearer error="insufficient_scope"')
    assert not await bearer.refused(ASKED, more, await bearer.headers("POST", ASKED))
    assert len(here.to("/token")) == 2
    assert isinstance(await accounts.look(spec(here), ""), NeedsAuth)


async def test_with_the_token_address_nothing_is_looked_for(accounts: Accounts, here: Place) -> None:
    await used(accounts, spec(here, token_url=f"{here.origin}/token"))
    assert here.paths() == ["POST /token"]


async def test_a_client_is_needed_and_a_browser_is_not(accounts: Accounts, here: Place) -> None:
    bearer = accounts.credentials(spec(here, client_id=None))
    assert bearer is not None
    with pytest.raises(LoginFailed, match="client"):
        await bearer.refused(ASKED, Turned(), {})
    with pytest.raises(LoginFailed, match="nobody"):
        await accounts.begin(spec(here), "http://127.0.0.1:1/")


KEYS = {
    "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "ES384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "RS256": lambda: rsa.generate_private_key(65537, 2048),
    "EdDSA": ed25519.Ed25519PrivateKey.generate,
}


def pem_of(key: Any) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


@pytest.mark.parametrize("algorithm", KEYS)
async def test_a_key_proves_who_we_are_to_the_issuer_alone(
    accounts: Accounts, here: Place, clock: Clock, algorithm: str
) -> None:
    trust(here, token_endpoint_auth_methods_supported=["private_key_jwt"])
    key = KEYS[algorithm]()
    await used(accounts, spec(here, client_secret=None, private_key=pem_of(key)))
    form = here.to("/token")[0].form
    assert form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    said = jwt.decode(
        form["client_assertion"],
        key.public_key(),
        algorithms=[algorithm],
        audience=here.origin,
        options={"verify_exp": False, "verify_iat": False},
    )
    assert (said["iss"], said["sub"]) == ("robot", "robot")
    assert said["exp"] - clock.now == 300
    assert said["jti"]


@pytest.mark.parametrize(
    "pem", ["no key at all", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"]
)
async def test_a_key_that_is_none_is_said_without_showing_it(
    accounts: Accounts, here: Place, pem: str
) -> None:
    bearer = accounts.credentials(spec(here, client_secret=None, private_key=pem))
    assert bearer is not None
    with pytest.raises(LoginFailed, match="cannot sign") as caught:
        await bearer.refused(ASKED, Turned(), {})
    assert pem not in f"{caught.value.sentence} {caught.value.hint}"


async def test_an_algorithm_that_the_key_cannot_do_is_an_error_of_ours(
    accounts: Accounts, here: Place
) -> None:
    pem = pem_of(KEYS["ES256"]())
    for algorithm in ("RS256", "none", "HS256", "odd"):
        bearer = accounts.credentials(spec(here, client_secret=None, private_key=pem, algorithm=algorithm))
        assert bearer is not None
        with pytest.raises(LoginFailed, match="client"):
            await bearer.refused(ASKED, Turned(), {})
    assert here.to("/token") == []


async def test_a_workload_shows_what_its_platform_gave_it_anew_each_time(
    accounts: Accounts, here: Place, clock: Clock, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text("first.jwt\n")
    ours = spec(here, grant="jwt_bearer", client_secret=None, assertion_file=str(file))
    await used(accounts, ours)
    file.write_text("second.jwt\n")
    clock.now += 700
    await used(accounts, ours)
    assert [asked.form["assertion"] for asked in here.to("/token")] == ["first.jwt", "second.jwt"]
    assert here.to("/token")[0].form["grant_type"] == BEARER
    assert here.to("/token")[0].form["client_id"] == "robot"


async def test_an_assertion_that_is_missing_is_said(accounts: Accounts, here: Place, tmp_path: Path) -> None:
    for oauth in ({}, {"assertion_file": str(tmp_path / "none")}, {"assertion": " "}):
        bearer = accounts.credentials(spec(here, grant="jwt_bearer", **oauth))
        assert bearer is not None
        with pytest.raises(LoginFailed, match="assertion"):
            await bearer.refused(ASKED, Turned(), {})
    assert here.to("/token") == []


async def test_a_company_vouches_for_us_to_this_issuer_and_this_server_only(
    accounts: Accounts, here: Place
) -> None:
    with place() as idp:
        idp.answers["POST /token"] = {
            "access_token": "the-jag",
            "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag",
            "token_type": "N_A",
        }
        ours = spec(
            here,
            grant="id_jag",
            assertion="id.token",
            idp_token_url=f"{idp.origin}/token",
            idp_client_id="us-there",
        )
        await used(accounts, ours)
        (exchange,) = idp.asked
    assert exchange.form["audience"] == here.origin
    assert exchange.form["resource"] == f"{here.origin}/mcp"
    assert exchange.form["subject_token"] == "id.token"
    assert exchange.form["client_id"] == "us-there"
    (asked,) = here.to("/token")
    assert (asked.form["grant_type"], asked.form["assertion"]) == (BEARER, "the-jag")
    assert asked.headers["authorization"].startswith("Basic ")


@pytest.mark.parametrize(
    "answer",
    [
        no("invalid_grant", error_description="about id.token"),
        Said(
            200,
            b'{"access_token": "x", "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"}',
        ),
        Said(200, b"{}"),
    ],
)
async def test_a_company_that_does_not_vouch_ends_it(accounts: Accounts, here: Place, answer: Said) -> None:
    with place({"POST /token": answer}) as idp:
        ours = spec(
            here,
            grant="id_jag",
            assertion="id.token",
            idp_token_url=f"{idp.origin}/token",
            idp_client_id="us",
        )
        bearer = accounts.credentials(ours)
        assert bearer is not None
        with pytest.raises(LoginFailed, match="identity provider") as caught:
            await bearer.refused(ASKED, Turned(), {})
    assert "id.token" not in caught.value.sentence
    assert here.to("/token") == []


async def test_what_was_kept_tells_no_secret_of_the_configuration(
    accounts: Accounts, here: Place, tmp_path: Path
) -> None:
    await used(accounts, spec(here))
    (file,) = (tmp_path / "credentials").glob("*.json")
    assert "hush" not in file.read_text()
    (record,) = Vault(tmp_path / "credentials").records()
    assert isinstance(record, Record)
    assert record.tokens is not None
    assert record.tokens.refresh is None
