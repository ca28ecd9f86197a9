"""A login from end to end, with an authorization server and a server that are not ours."""

from __future__ import annotations

import asyncio
import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from tests.peers.oauth import Person, World, world

from mooring import open_host
from mooring.auth.dpop import Prover, new_key
from mooring.auth.vault import Vault
from mooring.core.account import Standing
from mooring.core.status import Connected, NeedsAuth, NeedsClientRegistration
from mooring.errors import LoginDenied, NeedsLogin, NeedsRegistration
from mooring.system.dirs import Dirs

pytestmark = pytest.mark.peers


def one(here: World, **oauth: Any) -> dict[str, Any]:
    return {"mcp": {"notes": {"url": here.url, **({"oauth": oauth} if oauth else {})}}}


async def test_a_login_ends_in_a_connected_server_that_is_so_again_after_a_restart(tmp_path: Path) -> None:
    async with world() as here:
        person = Person()
        async with open_host(one(here), cwd=tmp_path) as host:
            await host.settled()
            assert isinstance(host.server("notes").status, NeedsAuth)
            with pytest.raises(NeedsLogin):
                await host.call(None, "notes_add", {"title": "milk"})
            assert await here.asked() == []
            view = await host.login("notes", person)
            assert isinstance(view.status, Connected)
            assert "kept: milk" in (await host.call(None, "notes_add", {"title": "milk"})).text
        assert "<h1>Logged in</h1>" in await person.page
        assert person.visits[0].url.startswith(f"{here.issuer}/auth?")
        async with open_host(one(here), cwd=tmp_path) as host:
            await host.ready()
            assert isinstance(host.server("notes").status, Connected)
        assert await here.asked() == ["/reg 201", "/token 200"]


async def test_an_expired_token_is_renewed_once_and_nobody_notices(tmp_path: Path, empty_home: Path) -> None:
    async with world() as here:
        async with open_host(one(here), cwd=tmp_path) as host:
            await host.login("notes", Person(by_hand=True), by_hand=True)
        vault = Vault(Dirs.of(os.environ).data / "credentials")
        record = vault.open("notes", here.url)
        assert record is not None
        assert record.tokens is not None
        vault.put(replace(record, tokens=replace(record.tokens, expires_at=0.0)))
        async with open_host(one(here), cwd=tmp_path) as host:
            calls = [host.call(None, "notes_add", {"title": str(number)}) for number in range(5)]
            assert len(await asyncio.gather(*calls)) == 5
        assert await here.asked() == ["/reg 201", "/token 200", "/token 200"]


async def test_tokens_bound_to_a_key_are_used_and_renewed_and_nobodys_else(tmp_path: Path) -> None:
    """Both want numbers of theirs in the proofs, and neither says them beforehand."""
    async with world(proofs=True) as here:
        async with open_host(one(here), cwd=tmp_path) as host:
            await host.settled()
            assert isinstance(host.server("notes").status, NeedsAuth)
            view = await host.login("notes", Person(by_hand=True), by_hand=True)
            assert isinstance(view.status, Connected)
            assert "kept: milk" in (await host.call(None, "notes_add", {"title": "milk"})).text
        vault = Vault(Dirs.of(os.environ).data / "credentials")
        record = vault.open("notes", here.url)
        assert record is not None
        assert record.tokens is not None
        vault.put(replace(record, tokens=replace(record.tokens, expires_at=0.0)))
        async with open_host(one(here), cwd=tmp_path) as host:
            calls = [host.call(None, "notes_add", {"title": str(number)}) for number in range(5)]
            assert len(await asyncio.gather(*calls)) == 5
        renewed = vault.open("notes", here.url)
        assert renewed is not None
        assert renewed.tokens is not None
        assert renewed.key == record.key
        assert renewed.tokens.access != record.tokens.access
        assert await here.asked() == ["/reg 201", *["/token 400", "/token 200"] * 2]
        assert record.key is not None
        assert await shown(here.url, renewed.tokens.access, record.key) != 401
        assert await shown(here.url, renewed.tokens.access, new_key()) == 401


async def shown(url: str, token: str, key: str) -> int:
    """What a server answers to a token with a proof by this key, once its number is in it."""
    prover = Prover(key)

    async def answer(client: httpx2.AsyncClient) -> httpx2.Response:
        proof = prover.proof("POST", url, time.time(), token)
        return await client.post(url, headers={"authorization": f"DPoP {token}", "dpop": proof}, json={})

    async with httpx2.AsyncClient(timeout=20) as client:
        prover.learn(url, (await answer(client)).headers["dpop-nonce"])
        return (await answer(client)).status_code


async def test_a_logout_is_heard_by_the_authorization_server(tmp_path: Path) -> None:
    async with world() as here, open_host(one(here), cwd=tmp_path) as host:
        await host.login("notes", Person(by_hand=True), by_hand=True)
        farewell = await host.logout("notes")
        assert (farewell.had, farewell.revoked) == (True, True)
        assert "/token/revocation 200" in await here.asked()
        await host.settled()
        assert isinstance(host.server("notes").status, NeedsAuth)
        assert host.accounts()[0].standing is Standing.OUT


async def test_a_no_on_the_page_of_consent_is_a_no_here(tmp_path: Path) -> None:
    async with world() as here, open_host(one(here), cwd=tmp_path) as host:
        person = Person(consents=False)
        with pytest.raises(LoginDenied):
            await host.login("notes", person)
        assert "<h1>Not logged in</h1>" in await person.page
        assert "/token 200" not in await here.asked()


async def test_a_client_that_is_registered_by_hand_is_used_as_it_is(tmp_path: Path) -> None:
    back = "http://127.0.0.1:19876/mcp/oauth/callback"
    client = {
        "client_id": "mooring",
        "client_secret": "a secret of thirty-two letters..",
        "redirect_uris": [back],
        "grant_types": ["authorization_code", "refresh_token"],
    }
    async with world(registration=False, clients=[client]) as here:
        async with open_host(one(here), cwd=tmp_path) as host:
            await host.settled()
            status = host.server("notes").status
            assert isinstance(status, NeedsClientRegistration)
            assert "mcp.notes.oauth.clientId" in status.reason
            with pytest.raises(NeedsRegistration):
                await host.login("notes", Person())
        ours = {"clientId": "mooring", "clientSecret": client["client_secret"]}
        async with open_host(one(here, **ours), cwd=tmp_path) as host:
            view = await host.login("notes", Person(by_hand=True), by_hand=True)
            assert isinstance(view.status, Connected)
        assert await here.asked() == ["/token 200"]


@pytest.mark.parametrize("proof", ["secret", "key"])
async def test_a_machine_proves_itself_with_a_secret_or_a_key(tmp_path: Path, proof: str) -> None:
    robot: dict[str, Any] = {
        "client_id": "robot",
        "redirect_uris": [],
        "response_types": [],
        "grant_types": ["client_credentials"],
    }
    ours = {"grant": "client_credentials", "clientId": "robot", "scope": "notes:read notes:write"}
    if proof == "secret":
        ours["clientSecret"] = robot["client_secret"] = "a secret of thirty-two letters.."
    else:
        key = ec.generate_private_key(ec.SECP256R1())
        public = json.loads(ECAlgorithm.to_jwk(key.public_key()))
        robot |= {"token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [public]}}
        ours["privateKey"] = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()
    async with world(registration=False, clients=[robot]) as here:
        for _ in range(2):
            async with open_host(one(here, **ours), cwd=tmp_path) as host:
                await host.ready()
                assert isinstance(host.server("notes").status, Connected)
                assert "kept: milk" in (await host.call(None, "notes_add", {"title": "milk"})).text
        assert await here.asked() == ["/token 200"]
