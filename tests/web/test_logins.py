"""Logging in over HTTP, as OpenCode's clients do it: an address to open, and the way back from it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from tests.flows.test_login import NO_ISS, redirected, shown
from tests.servers.oauth import guarded
from tests.web.client import BEARER, HOST, TOKEN, Answer, Client

from mooring import Host, open_host
from mooring.core import views
from mooring.core.status import Connected, NeedsAuth
from mooring.host.surroundings import Surroundings
from mooring.system.door import Keys, Places
from mooring.web.app import serving
from mooring.web.logins import Browse
from mooring.web.parts import Site

JSON = (b"content-type", b"application/json")


async def nowhere(_url: str) -> bool:
    return False


@asynccontextmanager
async def served(
    folder: Path, browse: Browse = nowhere, **entries: Any
) -> AsyncGenerator[tuple[Client, Host]]:
    keys = Keys()
    keys.add_token(TOKEN)
    places = Places.of("127.0.0.1", 4096)
    async with (
        open_host({"mcp": entries}, cwd=folder) as host,
        serving(host, keys, places, site=Site(Surroundings.of(None, None), browse)) as found,
    ):
        yield Client(found.app), host


async def post(client: Client, path: str, body: Any = None) -> Answer:
    data = b"" if body is None else json.dumps(body).encode()
    return await client.ask("POST", path, [HOST, BEARER, JSON], body=data)


async def code_at(url: str) -> str:
    return dict(parse_qsl(urlsplit(await redirected(url)).query))["code"]


async def test_whoever_opens_the_address_is_logged_in(tmp_path: Path) -> None:
    async with guarded() as server, served(tmp_path, notes={"url": server.url}) as (client, host):
        await host.settled()
        assert isinstance(host.server("notes").status, NeedsAuth)
        answer = await post(client, "/mcp/notes/auth")
        assert answer.status == 200
        assert answer.json["oauthState"] in answer.json["authorizationUrl"]
        assert "Logged in" in await shown(await redirected(answer.json["authorizationUrl"]))
        await connected(client, host)
        assert (await client.ask("GET", "/mcp")).json == {"notes": {"status": "connected"}}
        assert (await post(client, "/mcp/notes/auth")).json == {"authorizationUrl": "", "oauthState": ""}
        answer = await client.ask("DELETE", "/mcp/notes/auth")
        assert (answer.status, answer.json) == (200, {"success": True})
        assert (await client.ask("GET", "/mcp")).json == {"notes": {"status": "needs_auth"}}


async def connected(client: Client, host: Host) -> None:
    """Until the last page was shown to the browser, and the server was let in behind it."""
    async with asyncio.timeout(10):
        with host.bus.subscribe() as events:
            while not isinstance(host.server("notes").status, Connected):
                await anext(aiter(events))


@pytest.mark.parametrize("path", ["/mcp/notes/auth", "/api/v1/servers/notes/login"])
async def test_an_address_that_no_browser_should_see_is_not_handed_out(path: str, tmp_path: Path) -> None:
    hostile = {"authorization_endpoint": "https://me:hunter2@a.example/$(id)"}
    async with guarded(changes=hostile) as server, served(tmp_path, notes={"url": server.url}) as (client, _):
        answer = await post(client, path)
        assert answer.status >= 400
        assert answer.json["code"] == "MOOR-AUTH-005"
        assert "authorization endpoint: " in str(answer.json)
        assert "hunter2" not in str(answer.json)
        assert "POST /register" not in server.paths()


async def test_a_code_can_be_brought_by_hand(tmp_path: Path) -> None:
    async with guarded(changes=NO_ISS) as server, served(tmp_path, notes={"url": server.url}) as (client, _):
        url = (await post(client, "/mcp/notes/auth")).json["authorizationUrl"]
        answer = await post(client, "/mcp/notes/auth/callback", {"code": await code_at(url)})
        assert (answer.status, answer.json) == (200, {"status": "connected"})


async def test_a_code_that_nobody_waits_for_or_that_is_wrong_is_no_success(tmp_path: Path) -> None:
    async with guarded(changes=NO_ISS) as server, served(tmp_path, notes={"url": server.url}) as (client, _):
        answer = await post(client, "/mcp/notes/auth/callback", {"code": "x"})
        assert (answer.status, answer.json["code"]) == (400, "MOOR-HTTP-007")
        await post(client, "/mcp/notes/auth")
        answer = await post(client, "/mcp/notes/auth/callback", {"code": "wrong"})
        assert answer.status >= 400
        assert answer.json["code"].startswith("MOOR-")


async def test_a_login_that_is_begun_again_takes_the_place_of_the_first(tmp_path: Path) -> None:
    async with guarded(changes=NO_ISS) as server, served(tmp_path, notes={"url": server.url}) as (client, _):
        first = (await post(client, "/mcp/notes/auth")).json
        second = (await post(client, "/mcp/notes/auth")).json
        assert first["oauthState"] != second["oauthState"]
        code = await code_at(second["authorizationUrl"])
        answer = await post(client, "/mcp/notes/auth/callback", {"code": code})
        assert answer.json == {"status": "connected"}


async def test_of_logins_that_are_begun_at_once_one_counts_and_all_are_answered(tmp_path: Path) -> None:
    async with asyncio.timeout(20):
        async with guarded(changes=NO_ISS) as server, served(tmp_path, notes={"url": server.url}) as found:
            client, host = found
            await host.settled()
            at_once = [post(client, "/mcp/notes/auth") for _ in range(4)]
            # One is under way already, which all others want to take the place of.
            await post(client, "/mcp/notes/auth")
            answers = await asyncio.gather(*at_once)
            assert sorted(each.status for each in answers) == [200, 409, 409, 409]
            assert {each.json["code"] for each in answers if each.status == 409} == {"MOOR-LOGIN-004"}
            (url,) = (each.json["authorizationUrl"] for each in answers if each.status == 200)
            answer = await post(client, "/mcp/notes/auth/callback", {"code": await code_at(url)})
            assert answer.json == {"status": "connected"}


@pytest.mark.parametrize("body", [{}, {"code": 5}, {"code": "a", "more": 1}, []])
async def test_what_is_no_code_is_a_problem(tmp_path: Path, body: Any) -> None:
    async with served(tmp_path, notes={"command": ["none"]}) as (client, _):
        assert (await post(client, "/mcp/notes/auth/callback", body)).status == 400


async def test_a_program_has_no_login_and_a_name_that_nobody_knows_is_not_found(tmp_path: Path) -> None:
    async with served(tmp_path, notes={"command": ["none"]}) as (client, _):
        for method in ("POST", "DELETE"):
            answer = await client.ask(method, "/mcp/notes/auth", [HOST, BEARER])
            assert (answer.status, list(answer.json)) == (400, ["error"])
            answer = await client.ask(method, "/mcp/nobody/auth", [HOST, BEARER])
            assert (answer.status, answer.json["_tag"]) == (404, "McpServerNotFoundError")
        answer = await post(client, "/mcp/nobody/auth/callback", {"code": "a"})
        assert answer.json["_tag"] == "McpServerNotFoundError"


async def test_a_login_is_begun_brought_back_seen_and_forgotten(tmp_path: Path) -> None:
    async with guarded() as server, served(tmp_path, notes={"url": server.url}) as (client, host):
        (account,) = (await client.ask("GET", "/api/v1/logins")).json
        assert (account["name"], account["status"]) == ("notes", "not_authenticated")
        begun = (await post(client, "/api/v1/servers/notes/login")).json
        assert begun["state"] in begun["url"]
        path = "/api/v1/servers/notes/login/callback"
        answer = await post(client, path, {"url": "http://127.0.0.1/nothing-of-ours"})
        assert (answer.status, answer.json["code"]) == (400, "MOOR-HTTP-007")
        answer = await post(client, path, {"url": await redirected(begun["url"])})
        assert (answer.status, answer.json["status"]) == (200, "connected")
        (account,) = (await client.ask("GET", "/api/v1/logins")).json
        assert account["status"] == "authenticated"
        assert account == views.account(host.accounts()[0])
        answer = await post(client, path, {"url": "http://127.0.0.1/"})
        assert (answer.status, answer.json["code"]) == (400, "MOOR-HTTP-007")
        answer = await client.ask("DELETE", "/api/v1/servers/notes/login")
        assert (answer.status, answer.json["loggedOut"]) == (200, True)
        assert (await client.ask("GET", "/api/v1/logins")).json[0]["status"] == "not_authenticated"


async def test_where_there_is_nothing_to_log_in_to_that_is_said(tmp_path: Path) -> None:
    async with served(tmp_path, notes={"command": ["none"]}) as (client, _):
        for method in ("POST", "DELETE"):
            answer = await client.ask(method, "/api/v1/servers/notes/login", [HOST, BEARER])
            assert (answer.status, answer.json["code"]) == (400, "MOOR-LOGIN-005")
            answer = await client.ask(method, "/api/v1/servers/nobody/login", [HOST, BEARER])
            assert (answer.status, answer.json["code"]) == (404, "MOOR-CONFIG-008")
        assert (await client.ask("GET", "/api/v1/logins")).json == []


async def test_a_browser_is_opened_where_this_runs_and_waited_for(tmp_path: Path) -> None:
    async def browse(url: str) -> bool:
        visits.append(asyncio.create_task(shown_after(url)))
        return True

    async def shown_after(url: str) -> str:
        return await shown(await redirected(url))

    visits: list[asyncio.Task[str]] = []
    async with guarded() as server, served(tmp_path, browse, notes={"url": server.url}) as (client, _):
        answer = await post(client, "/mcp/notes/auth/authenticate")
        assert (answer.status, answer.json) == (200, {"status": "connected"})
        assert "Logged in" in await visits[0]
        assert (await post(client, "/mcp/notes/auth/authenticate")).json == {"status": "connected"}
        assert len(visits) == 1


async def test_without_a_browser_nobody_is_waited_for(tmp_path: Path) -> None:
    async with guarded() as server, served(tmp_path, notes={"url": server.url}) as (client, _):
        answer = await post(client, "/mcp/notes/auth/authenticate")
        assert (answer.status, answer.json["code"]) == (409, "MOOR-LOGIN-004")
        assert (await post(client, "/mcp/nobody/auth/authenticate")).json["_tag"] == "McpServerNotFoundError"
    async with served(tmp_path, notes={"command": ["none"]}) as (client, _):
        answer = await post(client, "/mcp/notes/auth/authenticate")
        assert (answer.status, list(answer.json)) == (400, ["error"])
