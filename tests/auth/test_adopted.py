"""Logins that came from OpenCode: renewed by an authorization server of the server's own house, or not."""

from __future__ import annotations

import pytest
from tests.auth.authority import ASKED, Asked, Said, describe
from tests.auth.issuer import Issuer

from mooring.auth.accounts import Accounts
from mooring.auth.bearer import Bearer
from mooring.auth.fit import in_place
from mooring.auth.vault import Record, Registration, Tokens, Vault
from mooring.core.spec import OAuth, RemoteSpec
from mooring.errors import HttpRefused

NOW = 1_800_000_000.0


def adopted(vault: Vault, there: Issuer, *allowed: str) -> Bearer:
    """A login whose token has run out, with a refresh token that the issuer knows."""
    there.clients["theirs"] = {"client_id": "theirs"}
    there.refresh["again"] = {"client_id": "theirs"}
    tokens = Tokens("old", "again", NOW - 1)
    vault.put(Record("docs", there.url, tokens=tokens, client=Registration("theirs"), source="opencode"))
    ours = RemoteSpec(name="docs", url=there.url, oauth=OAuth(allow_hosts=allowed))
    bearer = Accounts(vault, clock=lambda: NOW).credentials(ours)
    assert bearer is not None
    return bearer


def kept(vault: Vault, there: Issuer) -> Record:
    (record,) = vault.every("docs", there.url)
    return record


def move(there: Issuer) -> str:
    """The authorization server has another name than the server from now on."""
    elsewhere = there.here.origin.replace("127.0.0.1", "localhost")
    there.here.answers["/.well-known/oauth-protected-resource/mcp"] = {
        "resource": there.url,
        "authorization_servers": [elsewhere],
    }
    changed = describe(there.here, issuer=elsewhere, token_endpoint=f"{elsewhere}/token")
    there.here.answers["/.well-known/oauth-authorization-server"] = changed
    return elsewhere


async def test_it_is_renewed_where_the_server_says_and_bound_to_that(vault: Vault, there: Issuer) -> None:
    bearer = adopted(vault, there)
    (access,) = {(await bearer.headers("POST", ASKED))["authorization"] for _ in range(3)}
    assert access.removeprefix("Bearer ") in there.access
    record = kept(vault, there)
    assert (record.issuer, record.resource) == (there.here.origin, there.url)
    assert record.token_url == f"{there.here.origin}/token"
    (asked,) = there.here.to("/token")
    assert (asked.form["client_id"], asked.form["resource"]) == ("theirs", there.url)


async def test_another_house_is_not_sent_its_refresh_token(vault: Vault, there: Issuer) -> None:
    move(there)
    bearer = adopted(vault, there)
    for _ in range(2):
        assert await bearer.headers("POST", ASKED) == {"authorization": "Bearer old"}
    assert there.here.to("/token") == []
    assert kept(vault, there).issuer is None


async def test_the_user_may_trust_another_house(vault: Vault, there: Issuer) -> None:
    elsewhere = move(there)
    bearer = adopted(vault, there, "localhost")
    assert await bearer.headers("POST", ASKED) != {"authorization": "Bearer old"}
    assert kept(vault, there).issuer == elsewhere


async def test_an_issuer_in_trouble_costs_nothing(vault: Vault, there: Issuer) -> None:
    good = there.here.answers["/.well-known/oauth-authorization-server"]
    there.here.answers["/.well-known/oauth-authorization-server"] = 503
    bearer = adopted(vault, there)
    before = kept(vault, there)
    with pytest.raises(HttpRefused):
        await bearer.headers("POST", ASKED)
    assert kept(vault, there) == before
    there.here.answers["/.well-known/oauth-authorization-server"] = good
    assert await bearer.headers("POST", ASKED) != {"authorization": "Bearer old"}


async def test_a_login_that_comes_in_between_is_not_lost(vault: Vault, there: Issuer) -> None:
    bearer = adopted(vault, there)

    def token(asked: Asked) -> Said:
        ours = RemoteSpec(name="docs", url=there.url, oauth=OAuth())
        login = Record("docs", there.url, there.here.origin, Tokens("newest"), Registration("theirs"))
        vault.put(in_place(vault, ours, login))
        return there.token(asked)

    there.here.answers["POST /token"] = token
    assert await bearer.headers("POST", ASKED) == {"authorization": "Bearer newest"}
    assert kept(vault, there).tokens == Tokens("newest")
