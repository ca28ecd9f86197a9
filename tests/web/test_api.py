"""`/api/v1` says what the command line says, refuses what makes no sense, and is described as it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.host.conftest import spec
from tests.host.scripted import TOOL, Scripted
from tests.web.client import BEARER, HOST, Answer
from tests.web.conftest import Serves, World

from mooring.core import kept, views
from mooring.store import Asked

JSON = (b"content-type", b"application/json")
ANSWER = {"content": [{"type": "text", "text": "tock"}], "isError": False}


async def get(world: World, path: str, query: str = "") -> Answer:
    return await world.client.ask("GET", f"/api/v1{path}", query=query.encode())


async def post(world: World, path: str, body: Any, **more: Any) -> Answer:
    headers = more.pop("headers", [HOST, BEARER, JSON])
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await world.client.ask("POST", f"/api/v1{path}", headers, body=data, **more)


async def test_servers_are_told_as_on_the_command_line(serves: Serves) -> None:
    async with serves({"clock": Scripted(), "a/b": Scripted()}, spec("off", enabled=False)) as world:
        await world.host.settled()
        assert (await get(world, "/servers")).json == views.servers(world.host.servers())
        answer = await world.client.ask("GET", "/api/v1/servers/a/b", raw=b"/api/v1/servers/a%2Fb")
        assert answer.json["name"] == "a/b"
        answer = await get(world, "/servers/nobody")
        assert (answer.status, answer.json["code"]) == (404, "MOOR-CONFIG-008")
        assert (b"content-type", b"application/problem+json") in answer.headers


async def test_servers_are_stopped_and_started(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world:
        await world.host.settled()
        assert (await post(world, "/servers/clock/disconnect", b"")).json["status"] == "disabled"
        assert (await post(world, "/servers/clock/connect", b"")).json["status"] == "connected"


async def test_lists_come_page_by_page(serves: Serves) -> None:
    tools = [{**TOOL, "name": f"t{number}"} for number in range(5)]
    async with serves({"clock": Scripted(tools), "other": Scripted()}) as world:
        await world.host.settled()
        first = (await get(world, "/tools", "server=clock&limit=3")).json
        assert [tool["name"] for tool in first["items"]] == ["clock_t0", "clock_t1", "clock_t2"]
        assert (first["total"], first["next"]) == (5, "clock_t2")
        rest = (await get(world, "/tools", "server=clock&limit=3&after=clock_t2")).json
        assert [tool["name"] for tool in rest["items"]] == ["clock_t3", "clock_t4"]
        assert rest["next"] is None
        assert (await get(world, "/tools")).json["total"] == 6
        assert (await get(world, "/resources")).json == {"items": [], "total": 0, "next": None}
        assert (await get(world, "/search", "q=tick")).json[0]["name"] == "other_tick"


async def test_a_call_is_made_and_written_down_under_who_made_it(serves: Serves) -> None:
    async with serves({"clock": Scripted(tools_call=ANSWER)}) as world:
        await world.host.settled()
        answer = await post(world, "/call", {"name": "clock_tick", "arguments": {"at": 5}})
        assert (answer.status, answer.json["content"]) == (200, ANSWER["content"])
        answer = await post(world, "/call", {"name": "clock_nothing"})
        assert (answer.status, answer.json["code"]) == (404, "MOOR-CALL-002")
        told = (await get(world, "/calls")).json
        assert told == [kept.call(each) for each in await world.host.store.calls(Asked())]
        assert [(each["tool"], each["face"], each["caller"]) for each in told] == [
            ("clock_nothing", "http", "token"),
            ("clock_tick", "http", "token"),
        ]
        assert len((await get(world, "/calls", "failed=true")).json) == 1


async def test_a_call_tells_how_far_it_is_to_whoever_wants_to_hear_it(serves: Serves) -> None:
    server = Scripted()

    def slowly(params: dict[str, Any]) -> dict[str, Any]:
        token = params["_meta"]["progressToken"]
        server.notify("progress", progressToken=token, progress=1, total=2, message="half of it")
        return ANSWER

    server.on["tools_call"] = slowly
    stream = [HOST, BEARER, JSON, (b"accept", b"text/event-stream")]
    async with serves({"clock": server}) as world:
        answer = await post(world, "/call", {"name": "clock_tick"}, headers=stream)
        assert (b"content-type", b"text/event-stream") in answer.headers
        call, progress, result = answer.body.decode().strip().split("\n\n")
        assert call.startswith("event: call\ndata: ")
        assert progress.startswith("event: progress\ndata: ")
        assert json.loads(progress.partition("data: ")[2]) == {
            "progress": 1.0,
            "total": 2.0,
            "message": "half of it",
        }
        assert json.loads(result.partition("data: ")[2])["content"] == ANSWER["content"]
        answer = await post(world, "/call", {"name": "clock_nothing"}, headers=stream)
        assert b"\n\nevent: problem\n" in answer.body
        assert b"MOOR-CALL-002" in answer.body


async def test_whoever_stops_to_listen_gives_the_call_up(serves: Serves) -> None:
    server = Scripted(tools_call="nothing")
    async with serves({"clock": server}) as world:
        headers = JSON, (b"accept", b"text/event-stream")
        body = b'{"name":"clock_tick"}'
        async with world.client.open("/api/v1/call", *headers, method="POST", body=body):
            await server.heard("tools/call")
        assert [each.outcome for each in await world.host.store.calls(Asked())] == ["cancelled"]


async def test_half_a_character_comes_through(serves: Serves) -> None:
    odd = {"content": [{"type": "text", "text": "\ud800"}]}
    async with serves({"clock": Scripted(tools_call=odd)}) as world:
        answer = await post(world, "/call", {"name": "clock_tick"})
        assert (answer.status, answer.json["content"][0]["text"]) == (200, "\ud800")


async def test_what_the_rules_forbid_is_refused(serves: Serves) -> None:
    rules = {"permission": {"clock_*": "deny"}}
    async with serves({"clock": Scripted(tools_call=ANSWER)}, settings=rules) as world:
        answer = await post(world, "/call", {"name": "clock_tick"})
        assert (answer.status, answer.json["code"]) == (403, "MOOR-CALL-005")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"arguments":{}}',
        b'{"name":5}',
        b'{"name":"a","arguments":[]}',
        b'{"name":"a","more":1}',
        b'{"name":"a","name":"b"}',
        b'{"name":"a","arguments":' + b"[" * 100 + b"]" * 100 + b"}",
    ],
    ids=["empty", "open", "list", "no-name", "number", "no-map", "more", "twice", "deep"],
)
async def test_a_body_that_makes_no_sense_is_a_problem_that_names_the_place(
    serves: Serves, body: bytes
) -> None:
    async with serves({}) as world:
        answer = await post(world, "/call", body)
        assert (answer.status, answer.json["code"]) == (400, "MOOR-HTTP-007")
        form = [HOST, BEARER, (b"content-type", b"text/plain")]
        if body:
            assert (await post(world, "/call", body, headers=form)).status == 415


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "limit=100000"])
async def test_a_query_that_makes_no_sense_is_one_too(serves: Serves, query: str) -> None:
    async with serves({}) as world:
        answer = await get(world, "/tools", query)
        assert (answer.status, answer.json["code"]) == (400, "MOOR-HTTP-007")
        assert "limit" in answer.json["detail"]


async def test_exactly_what_was_shown_is_approved(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world:
        await world.host.settled()
        shown = (await get(world, "/servers/clock/pins")).json
        assert shown["same"] == ["tick"]
        answer = await post(world, "/servers/clock/pins/approve", {"fingerprints": {"tick": "0" * 64}})
        assert (answer.status, answer.json["code"]) == (409, "MOOR-PIN-001")
        answer = await post(world, "/servers/clock/pins/approve", {"fingerprints": shown["fingerprints"]})
        assert answer.json["same"] == ["tick"]


async def test_pins_are_listed_and_forgotten(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world:
        await world.host.settled()
        (pinned,) = (await get(world, "/pins")).json
        assert (pinned["server"], pinned["tools"], pinned["allowed"]) == ("clock", ["tick"], [])
        answer = await world.client.ask("DELETE", "/api/v1/servers/clock/pins")
        assert answer.json == {"server": "clock", "reset": 1}
        assert (await get(world, "/pins")).json == []


async def test_a_gap_can_be_completed(serves: Serves) -> None:
    found = {"completion": {"values": ["Ada", "Alan"], "total": 2}}
    async with serves({"greet": Scripted(completion_complete=found)}) as world:
        reference = {"type": "ref/prompt", "name": "introduce"}
        gap = {"server": "greet", "reference": reference, "argument": "name", "value": "A"}
        answer = await post(world, "/complete", gap)
        assert answer.json == {"values": ["Ada", "Alan"], "total": 2, "hasMore": None}


@pytest.mark.parametrize("headers", [(), ((b"accept", b"text/event-stream"),)], ids=["plain", "stream"])
async def test_a_number_that_json_does_not_have_stays_here(serves: Serves, headers: Any) -> None:
    odd = {"content": [], "structuredContent": {"mean": float("nan"), "most": 1e999}}
    async with serves({"clock": Scripted(tools_call=odd)}) as world:
        await world.host.settled()
        answer = await post(world, "/call", {"name": "clock_tick"}, headers=[HOST, BEARER, JSON, *headers])
        assert answer.status in (200, 502)
        assert b"NaN" not in answer.body
        assert b"Infinity" not in answer.body
