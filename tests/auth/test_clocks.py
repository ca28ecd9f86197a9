"""A clock that is wrong by minutes, ours or theirs, is no reason not to be believed."""

from __future__ import annotations

import json
from email.utils import formatdate
from pathlib import Path

import jwt
import pytest
from tests.auth.authority import Asked, Said, Turned, place, trust
from tests.auth.issuer import no

from mooring.auth.accounts import Accounts
from mooring.auth.clocks import seconds_ahead
from mooring.auth.dpop import Prover, new_key
from mooring.auth.signing import Signer
from mooring.auth.vault import Vault
from mooring.core.spec import OAuth, RemoteSpec
from mooring.errors import LoginFailed

NOW = 1_800_000_000.0


@pytest.mark.parametrize("ahead", [-300, 0, 300])
def test_a_date_tells_how_far_somebody_is_ahead(ahead: float) -> None:
    assert seconds_ahead({"date": formatdate(NOW + ahead, usegmt=True)}, NOW) == ahead


@pytest.mark.parametrize("date", ["", "nonsense", "Mon, 99 Foo 2026", formatdate(0), "1" * 5000])
def test_nonsense_tells_nothing(date: str) -> None:
    assert seconds_ahead({"date": date}, NOW) == 0
    assert seconds_ahead({}, NOW) == 0


@pytest.mark.parametrize("ahead", [-300, 300])
async def test_what_we_sign_is_signed_again_by_their_clock(tmp_path: Path, ahead: float) -> None:
    def token(asked: Asked) -> Said:
        said = jwt.decode(asked.form["client_assertion"], options={"verify_signature": False})
        if abs(said["iat"] - (NOW + ahead)) > 60:
            date = formatdate(NOW + ahead, usegmt=True)
            return Said(401, no("invalid_client").body, {"date": date})
        return Said(200, json.dumps({"access_token": "good"}).encode())

    with place() as here:
        trust(here, token_endpoint_auth_methods_supported=["private_key_jwt"])
        here.answers["POST /token"] = token
        oauth = OAuth(grant="client_credentials", client_id="robot", private_key=new_key())
        ours = RemoteSpec(name="docs", url=f"{here.origin}/mcp", oauth=oauth)
        bearer = Accounts(Vault(tmp_path / "credentials"), clock=lambda: NOW).credentials(ours)
        assert bearer is not None
        assert await bearer.refused(ours.url, Turned(), {})
        assert await bearer.headers("POST", ours.url) == {"authorization": "Bearer good"}
        assert len(here.to("/token")) == 2


async def test_a_clock_that_is_right_is_not_asked_twice(tmp_path: Path) -> None:
    with place() as here:
        trust(here, token_endpoint_auth_methods_supported=["private_key_jwt"])
        here.answers["POST /token"] = Said(401, no("invalid_client").body, {"date": formatdate(NOW)})
        oauth = OAuth(grant="client_credentials", client_id="robot", private_key=new_key())
        ours = RemoteSpec(name="docs", url=f"{here.origin}/mcp", oauth=oauth)
        bearer = Accounts(Vault(tmp_path / "credentials"), clock=lambda: NOW).credentials(ours)
        assert bearer is not None
        with pytest.raises(LoginFailed):
            await bearer.refused(ours.url, Turned(), {})
        assert len(here.to("/token")) == 1


def test_a_proof_goes_by_the_clock_of_whoever_doubted_it() -> None:
    prover = Prover(new_key())
    assert not prover.set_clock(5)
    assert prover.set_clock(300)
    assert not prover.set_clock(301)
    said = jwt.decode(prover.proof("GET", "https://a.example/", NOW), options={"verify_signature": False})
    assert said["iat"] == NOW + 300


def test_a_word_for_others_ends_after_five_minutes() -> None:
    form = Signer("robot", new_key()).form("https://a.example", NOW)
    said = jwt.decode(form["client_assertion"], options={"verify_signature": False})
    assert (said["aud"], said["exp"] - said["iat"]) == ("https://a.example", 300)
