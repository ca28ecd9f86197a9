"""Logins of several clients at one address: each is kept, used and given up on its own terms."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest
from tests.auth.issuer import Issuer, visit

from mooring.auth.accounts import Accounts
from mooring.auth.vault import Record, Vault
from mooring.core.spec import OAuth, RemoteSpec

BACK = "http://127.0.0.1:19876/mcp/oauth/callback"
NOW = 1_800_000_000.0


@pytest.fixture
def accounts(vault: Vault) -> Accounts:
    return Accounts(vault, clock=lambda: NOW)


def spec(there: Issuer, **oauth: Any) -> RemoteSpec:
    return RemoteSpec(name="docs", url=there.url, oauth=OAuth(**oauth))


def known(there: Issuer, name: str, secret: str) -> RemoteSpec:
    """An entry with a client that stands with the issuer already."""
    there.clients[name] = {"client_id": name, "client_secret": secret, "redirect_uris": [BACK]}
    return spec(there, client_id=name, client_secret=secret)


async def log_in(accounts: Accounts, ours: RemoteSpec) -> Record:
    login = await accounts.begin(ours, BACK)
    return await accounts.deliver(ours, login, visit(login.visit))


async def shown(accounts: Accounts, ours: RemoteSpec) -> str | None:
    bearer = accounts.credentials(ours)
    return (await bearer.headers("POST", ours.url)).get("authorization") if bearer else None


async def test_an_entry_that_names_another_client_and_then_the_first_again_is_still_logged_in(
    accounts: Accounts, there: Issuer
) -> None:
    one, other = known(there, "one", "hush-1"), known(there, "other", "hush-2")
    first, second = await log_in(accounts, one), await log_in(accounts, other)
    assert first.tokens is not None
    assert second.tokens is not None
    assert await shown(accounts, one) == f"Bearer {first.tokens.access}"
    assert await shown(accounts, other) == f"Bearer {second.tokens.access}"
    assert await shown(accounts, spec(there)) is None


async def test_a_login_of_the_same_client_takes_the_place_of_the_old_one(
    accounts: Accounts, vault: Vault, there: Issuer
) -> None:
    one, other = known(there, "one", "hush-1"), known(there, "other", "hush-2")
    await log_in(accounts, one)
    beside = await log_in(accounts, other)
    latest = await log_in(accounts, one)
    assert vault.records() == [latest, beside]


async def test_logging_out_gives_up_all_and_shows_no_client_the_secret_of_another(
    accounts: Accounts, vault: Vault, there: Issuer
) -> None:
    one, other = known(there, "one", "hush-1"), known(there, "other", "hush-2")
    await log_in(accounts, one)
    await log_in(accounts, other)
    farewell = await accounts.logout(other)
    assert farewell.had
    assert vault.records() == []
    said = {b64decode(asked.headers["authorization"][6:]) for asked in there.here.to("/revoke")}
    assert said == {b"other:hush-2"}
    assert "cannot" in farewell.note
    assert not farewell.revoked
