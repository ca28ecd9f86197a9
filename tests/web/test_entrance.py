"""A browser comes in by a link that works once; any other is told how to get one, and may change nothing."""

from __future__ import annotations

import re

import pytest
from tests.host.scripted import Scripted
from tests.web.client import HOST, Answer
from tests.web.conftest import Serves, World

from mooring.system.door import keys as door_keys

PLAIN = (b"content-type", b"text/html; charset=utf-8")
STOP = "/api/v1/servers/clock/disconnect"


async def follow(world: World, link: str, *more: tuple[bytes, bytes], method: str = "GET") -> Answer:
    return await world.client.ask(method, f"/link/{link}", [HOST, *more])


async def enter(world: World) -> tuple[bytes, bytes]:
    """The cookie of a browser that came by a link, as it sends it back."""
    (line,) = (await follow(world, world.keys.link())).header(b"set-cookie")
    return b"cookie", line.partition(b";")[0]


async def csrf(world: World, cookie: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    page = await world.client.ask("GET", "/", [HOST, cookie])
    (word,) = re.findall(rb'<meta name="csrf" content="([\w-]{43})">', page.body)
    return b"x-mooring-csrf", word


async def test_a_link_gives_one_browser_a_cookie_and_leads_to_the_page(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world:
        world.keys.cookie = "mooring-4096"
        answer = await follow(world, world.keys.link())
        (line,) = answer.header(b"set-cookie")
        assert (answer.status, PLAIN in answer.headers) == (200, True)
        assert b'http-equiv="refresh" content="0; url=/"' in answer.body
        assert line.startswith(b"mooring-4096=")
        assert {b"HttpOnly", b"SameSite=Strict", b"Path=/"} <= set(line.split(b"; "))
        cookie = b"cookie", line.partition(b";")[0]
        page = await world.client.ask("GET", "/", [HOST, cookie])
        assert (page.status, b'type="module"' in page.body) == (200, True)
        assert (await world.client.ask("GET", "/api/v1/servers", [HOST, cookie])).status == 200


async def test_a_link_that_was_followed_or_never_made_says_what_to_do(serves: Serves) -> None:
    async with serves({}) as world:
        link = world.keys.link()
        assert (await follow(world, link)).status == 200
        for each in (link, "never-made"):
            answer = await follow(world, each)
            assert (answer.status, answer.header(b"set-cookie")) == (401, [])
            assert b"mooring serve" in answer.body
            assert PLAIN in answer.headers


async def test_a_link_lives_for_five_minutes(serves: Serves, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_keys, "LINK_FOR", 0.0)
    async with serves({}) as world:
        assert (await follow(world, world.keys.link())).status == 401


async def test_whoever_only_looks_whether_a_link_is_there_does_not_use_it_up(serves: Serves) -> None:
    async with serves({}) as world:
        link = world.keys.link()
        assert (await follow(world, link, method="HEAD")).status == 405
        assert (await follow(world, link)).status == 200


async def test_a_link_is_not_followed_for_another_host(serves: Serves) -> None:
    async with serves({}) as world:
        link = world.keys.link()
        answer = await world.client.ask("GET", f"/link/{link}", [(b"host", b"evil.com")])
        assert (answer.status, answer.header(b"set-cookie")) == (421, [])
        assert (await follow(world, link)).status == 200


async def test_without_a_cookie_the_page_says_how_to_get_one(serves: Serves) -> None:
    async with serves({}) as world:
        for cookie in ([], [(b"cookie", b"mooring=made-up")]):
            answer = await world.client.ask("GET", "/", [HOST, *cookie])
            assert (answer.status, PLAIN in answer.headers) == (401, True)
            assert b"mooring serve" in answer.body
            assert b"csrf" not in answer.body
            # Nothing here makes a browser ask for a password.
            assert all(b"Basic" not in each for each in answer.header(b"www-authenticate"))
        assert (await world.client.ask("GET", "/plain.css", [HOST])).status == 200


async def test_every_change_needs_the_word_that_belongs_to_the_cookie(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world:
        await world.host.settled()
        cookie, other = await enter(world), await enter(world)
        for wrong in ([], [(b"x-mooring-csrf", b"made-up")], [await csrf(world, other)]):
            answer = await world.client.ask("POST", STOP, [HOST, cookie, *wrong])
            assert (answer.status, answer.json["code"]) == (403, "MOOR-HTTP-006")
        right = [HOST, cookie, await csrf(world, cookie)]
        foreign = (b"origin", b"http://127.0.0.1:4097")
        assert (await world.client.ask("POST", STOP, [*right, foreign])).status == 403
        assert world.host.server("clock").word == "connected"
        own = (b"origin", b"http://127.0.0.1:4096")
        assert (await world.client.ask("POST", STOP, [*right, own])).json["status"] == "disabled"


async def test_whoever_leaves_is_out(serves: Serves) -> None:
    async with serves({}) as world:
        cookie = await enter(world)
        answer = await world.client.ask("POST", "/leave", [HOST, cookie, await csrf(world, cookie)])
        assert answer.status == 204
        assert (await world.client.ask("GET", "/", [HOST, cookie])).status == 401
