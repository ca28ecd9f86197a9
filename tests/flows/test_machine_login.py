"""Servers that want a token, and nobody there to be asked: from the entry to the call, and over a restart."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from tests.servers.oauth import Guarded, guarded
from tests.servers.scripted_http import Request, as_json

from mooring import open_host
from mooring.core.status import Connected, Failed


def config(server: Guarded, **oauth: Any) -> dict[str, Any]:
    entry = {"grant": "client_credentials", "clientId": "robot", "clientSecret": "{env:SECRET}", **oauth}
    return {"mcp": {"notes": {"url": server.url, "oauth": entry}}}


def giving(server: Guarded, lasts: int = 3600) -> None:
    """Tokens for whoever knows the secret."""
    server.changes |= {"token_endpoint_auth_methods_supported": ["client_secret_post"]}

    def token(request: Request) -> bytes:
        given = dict(parse_qsl(request.body.decode()))
        if given.get("client_secret") != "hush":
            return as_json({"error": "invalid_client", "error_description": "not hush"}, 401)
        access = f"token-{len(server.tokens)}"
        server.tokens.add(access)
        return as_json({"access_token": access, "token_type": "Bearer", "expires_in": lasts})

    server.instead["/token"] = token


async def test_a_machine_logs_in_by_itself_and_a_restart_needs_no_other_token() -> None:
    async with guarded() as server:
        giving(server)
        for _ in range(2):
            async with open_host(config(server), env={"SECRET": "hush"}) as host:
                await host.settled()
                assert isinstance(host.server("notes").status, Connected)
                assert (await host.call(None, "notes_echo", {"a": 1})).text == '{"a": 1}'
        assert server.paths().count("POST /token") == 1
        assert "POST /register" not in server.paths()


async def test_a_token_that_is_taken_back_under_way_is_had_anew() -> None:
    async with guarded() as server:
        giving(server)
        async with open_host(config(server), env={"SECRET": "hush"}) as host:
            await host.settled()
            server.tokens = {"others"}
            assert (await host.call(None, "notes_echo")).text == "{}"
        assert server.paths().count("POST /token") == 2


async def test_a_wrong_secret_is_said_once_and_not_tried_for_ever() -> None:
    async with guarded() as server:
        giving(server)
        async with open_host(config(server), env={"SECRET": "wrong"}) as host:
            await host.settled()
            view = host.server("notes")
            assert isinstance(view.status, Failed)
            assert view.status.next_try is None
            assert "invalid_client" in view.status.error.sentence
            assert "wrong" not in view.status.error.sentence
        assert server.paths().count("POST /token") == 1
