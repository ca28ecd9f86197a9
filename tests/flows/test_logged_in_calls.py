"""Calls of somebody who is logged in: all at once, and when the token runs out under them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import parse_qsl

from tests.flows.test_login import Person, config
from tests.servers.oauth import guarded
from tests.servers.scripted_http import Request, as_json

from mooring import open_host
from mooring.upstream.http.errands import MOST_AT_ONCE


async def test_calls_are_under_way_at_the_same_time(tmp_path: Path) -> None:
    """The server answers none of them before it has all."""
    async with guarded() as server, open_host(config(server), cwd=tmp_path) as host:
        await host.login("notes", Person())
        met = asyncio.Barrier(MOST_AT_ONCE)

        async def together(request: Request, writer: asyncio.StreamWriter) -> None:
            await met.wait()
            await server.plainly(request, writer)

        server.on["tools/call"] = together
        async with asyncio.timeout(40):
            calls = (host.call(None, "notes_echo", {"n": n}) for n in range(MOST_AT_ONCE))
            results = await asyncio.gather(*calls)
        assert [result.text for result in results] == [f'{{"n": {n}}}' for n in range(MOST_AT_ONCE)]


async def test_a_token_that_is_taken_back_under_many_calls_is_renewed_once(tmp_path: Path) -> None:
    async with guarded() as server, open_host(config(server), cwd=tmp_path) as host:
        await host.login("notes", Person())
        met, asked = asyncio.Barrier(MOST_AT_ONCE), list[dict[str, str]]()

        def renew(request: Request) -> bytes:
            asked.append(dict(parse_qsl(request.body.decode())))
            server.tokens.add("newer")
            return as_json({"access_token": "newer", "token_type": "Bearer", "expires_in": 3600})

        async def taken_back(request: Request, writer: asyncio.StreamWriter) -> None:
            if request.headers["authorization"] != "Bearer newer":
                await met.wait()
            await server.plainly(request, writer)

        server.instead["/token"] = renew
        server.tokens.clear()
        server.on["tools/call"] = taken_back
        async with asyncio.timeout(40):
            calls = (host.call(None, "notes_echo", {"n": n}) for n in range(MOST_AT_ONCE))
            results = await asyncio.gather(*calls)
        assert {result.is_error for result in results} == {False}
        assert [form["grant_type"] for form in asked] == ["refresh_token"]
