"""OpenCode's routes answer in its shapes, and never call a failure a success."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.host.conftest import config, spec
from tests.host.scripted import TOOL, Scripted
from tests.web.client import BEARER, HOST, Answer
from tests.web.conftest import Serves, World

from mooring import __version__
from mooring.core.spec import BadServer, Timeouts
from mooring.core.status import Connected, Disabled, Failed
from mooring.errors import BadEntry
from mooring.system.door import Role
from mooring.web import stream as streams

WORD = {"type": "string"}


def one(word: str, *more: str) -> dict[str, Any]:
    properties = {"status": {"type": "string", "enum": [word]}, **dict.fromkeys(more, WORD)}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


# `MCPStatus`, `McpResource` and `McpServerNotFoundError` of its OpenAPI document.
STATUS = {
    "anyOf": [
        one("connected"),
        one("disabled"),
        one("failed", "error"),
        one("needs_auth"),
        one("needs_client_registration", "error"),
    ]
}
STATUSES = {"type": "object", "additionalProperties": STATUS}
RESOURCE = {
    "type": "object",
    "properties": dict.fromkeys(("name", "uri", "description", "mimeType", "client"), WORD),
    "required": ["name", "uri", "client"],
    "additionalProperties": False,
}
NOT_FOUND = {
    "type": "object",
    "properties": {
        "_tag": {"type": "string", "enum": ["McpServerNotFoundError"]},
        "name": WORD,
        "message": WORD,
    },
    "required": ["_tag", "name", "message"],
    "additionalProperties": False,
}


def fits(value: object, schema: dict[str, Any]) -> None:
    Draft202012Validator(schema).validate(value)


async def never(lines: Any, _say: Any) -> None:
    async for _ in lines:
        pass


async def test_it_says_that_it_is_well_and_of_which_version(serves: Serves) -> None:
    async with serves({}) as world:
        answer = await world.client.ask("GET", "/global/health")
        assert (answer.status, answer.json) == (200, {"healthy": True, "version": __version__})
        assert (await world.client.ask("GET", "/global/health", [HOST])).status == 401


async def test_every_status_is_one_of_five_words(serves: Serves) -> None:
    hung = spec("hung", timeouts=Timeouts(start=0.3, list=5, call=5))
    entries = (
        hung,
        spec("off", enabled=False),
        BadServer("bad", (BadEntry("`mcp.bad` makes no sense", hint="Mend it"),)),
    )
    slow = Timeouts(start=0.2, list=5, call=5)
    async with serves({"clock": Scripted(), "hung": never}, spec("clock", timeouts=slow), *entries) as world:
        answer = await world.client.ask("GET", "/mcp")
        fits(answer.json, STATUSES)
        assert answer.json["clock"] == {"status": "connected"}
        assert answer.json["off"] == {"status": "disabled"}
        assert answer.json["bad"] == {"status": "failed", "error": "`mcp.bad` makes no sense"}
        assert answer.json["hung"]["status"] == "failed"


async def test_who_is_not_there_in_time_is_still_connecting(serves: Serves, monkeypatch: Any) -> None:
    async with serves({"hung": never}) as world:
        monkeypatch.setattr("mooring.web.statuses.Statuses._patience", lambda _: 0.05)
        answer = await world.client.ask("GET", "/mcp")
        assert answer.json == {"hung": {"status": "failed", "error": "still connecting"}}


async def test_what_changes_shows_in_the_next_answer(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world:
        assert (await world.client.ask("GET", "/mcp")).json == {"clock": {"status": "connected"}}
        answer = await world.client.ask("POST", "/mcp/clock/disconnect")
        assert (answer.status, answer.json) == (200, True)
        assert isinstance(world.host.server("clock").status, Disabled)
        assert (await world.client.ask("GET", "/mcp")).json == {"clock": {"status": "disabled"}}
        answer = await world.client.ask("POST", "/mcp/clock/connect")
        assert (answer.status, answer.json) == (200, True)
        assert isinstance(world.host.server("clock").status, Connected)
        assert (await world.client.ask("GET", "/mcp")).json == {"clock": {"status": "connected"}}


async def test_a_server_that_cannot_be_connected_is_no_success(serves: Serves) -> None:
    async def ends(_lines: Any, _say: Any) -> None:
        pass

    async with serves({"gone": ends}) as world:
        answer = await world.client.ask("POST", "/mcp/gone/connect")
        assert (answer.status, answer.json["status"]) == (502, 502)
        failed = world.host.server("gone").status
        assert isinstance(failed, Failed)
        assert (answer.json["code"], answer.json["detail"]) == (failed.error.code, failed.error.sentence)
        assert answer.json["hint"]


@pytest.mark.parametrize("path", ["/mcp/x/connect", "/mcp/x/disconnect"])
async def test_a_server_that_nobody_configured_is_not_found(serves: Serves, path: str) -> None:
    async with serves({}) as world:
        answer = await world.client.ask("POST", path)
        assert answer.status == 404
        fits(answer.json, NOT_FOUND)
        assert answer.json["name"] == "x"


async def test_a_name_may_hold_whatever_can_be_encoded(serves: Serves) -> None:
    async with serves({"a/b ü": Scripted()}) as world:
        answer = await world.client.ask(
            "POST", "/mcp/a/b ü/disconnect", raw=b"/mcp/a%2Fb%20%C3%BC/disconnect"
        )
        assert answer.json is True
        assert (await world.client.ask("POST", "/mcp/a/b/disconnect")).status == 404


async def test_resources_are_named_by_server_and_address(serves: Serves) -> None:
    found = [
        {"uri": "note://a", "name": "a", "description": "A note", "mimeType": "text/plain"},
        {"uri": "note://b", "name": "b"},
    ]
    async with serves({"notes": Scripted(resources_list={"resources": found})}) as world:
        answer = await world.client.ask("GET", "/experimental/resource")
        fits(answer.json, {"type": "object", "additionalProperties": RESOURCE})
        assert answer.json == {
            "notes:note://a": {**found[0], "client": "notes"},
            "notes:note://b": {**found[1], "client": "notes"},
        }


async def test_an_unknown_path_or_method_is_a_problem_and_no_page(serves: Serves) -> None:
    async with serves({}) as world:
        answer = await world.client.ask("DELETE", "/mcp")
        assert (answer.status, answer.json["code"]) == (405, "MOOR-HTTP-014")
        answer = await world.client.ask("GET", "/nothing")
        assert (answer.status, answer.json["code"]) == (404, "MOOR-HTTP-013")
        assert (b"content-type", b"application/problem+json") in answer.headers
        assert (await world.client.ask("GET", "/nothing", [HOST])).status == 401


async def test_its_clients_hear_of_changed_tools(serves: Serves) -> None:
    server = Scripted()
    async with serves({"clock": server}) as world:
        await world.host.settled()
        async with world.client.open("/event") as heard:
            await heard.until(b'"server.connected"')
            server.tools = [TOOL, {**TOOL, "name": "tock"}]
            server.notify("tools/list_changed")
            body = await heard.until(b"mcp.tools.changed")
            assert b'"properties": {"server": "clock"}' in body
            assert (b"content-type", b"text/event-stream") in heard.answer.headers


# Where a browser without a key is told how to get one, and the link that gives it one.
PUBLIC = ["/", "/link/{code}", "/plain.css"]


async def test_every_route_wants_a_credential_and_one_that_is_enough(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world:
        await world.host.settled()
        world.keys.add_token("nobody-may-do-anything", "nobody", [])
        none = (b"authorization", b"Bearer nobody-may-do-anything")
        assert [route.path for route in world.served.routes.all if route.role is None] == PUBLIC
        for route in (each for each in world.served.routes.all if each.role is not None):
            path = re.sub(r"\{\w+\}", "clock", route.path)
            assert (await world.client.ask(route.method, path, [HOST])).status == 401, path
            assert (await world.client.ask(route.method, path, [HOST, none])).status == 403, path
            foreign = (b"host", b"evil.com")
            assert (await world.client.ask(route.method, path, [foreign, BEARER])).status == 421, path
            origin = (b"origin", b"http://evil.com")
            assert (await world.client.ask(route.method, path, [HOST, BEARER, origin])).status == 403, path
        assert isinstance(world.host.server("clock").status, Connected)


# --- our own stream


async def test_everything_that_happens_is_told_with_a_number(serves: Serves) -> None:
    async with serves({"clock": Scripted(tools_call={"content": []})}) as world:
        await world.host.settled()
        async with world.client.open("/api/v1/events") as heard:
            await heard.until(b"connected")
            await world.host.call(None, "clock_tick", {"password": "hidden-from-all"})
            body = await heard.until(b"event: call.ended")
        assert b"event: call.started" in body
        assert b'"outcome":"done"' in body
        assert b"hidden-from-all" not in body


async def test_what_was_missed_comes_first_and_too_much_of_it_is_said(
    serves: Serves, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serves({"clock": Scripted(tools_call={"content": []})}) as world:
        await world.host.settled()
        async with world.client.open("/api/v1/events") as heard:
            await heard.until(b"connected")
            await world.host.call(None, "clock_tick")
            body = await heard.until(b"event: call.ended")
        first = next(line for line in body.splitlines() if line.startswith(b"id: "))[4:]
        await world.host.call(None, "clock_tick")
        async with world.client.open("/api/v1/events", (b"last-event-id", first)) as heard:
            body = await heard.until(b"event: call.ended", 2)
            assert body.count(b"event: call.started") == 1
        async with world.client.open("/api/v1/events", (b"last-event-id", b"other-7")) as heard:
            await heard.until(b"event: events.missed")
        for _ in range(streams.ROOM // 2 + 1):
            await world.host.call(None, "clock_tick")
        async with world.client.open("/api/v1/events", (b"last-event-id", first)) as heard:
            body = await heard.until(b"event: events.missed")
            assert b"call.ended" not in body


async def test_whoever_does_not_take_what_is_sent_is_cut_off_and_delays_nobody(
    serves: Serves, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "PATIENCE", 0.1)
    async with serves({"clock": Scripted(tools_call={"content": []})}) as world:
        await world.host.settled()
        async with world.client.open("/api/v1/events") as stuck, world.client.open("/api/v1/events") as other:
            await stuck.until(b"connected")
            await other.until(b"connected")
            stuck.takes.clear()
            for times in range(1, 4):
                await world.host.call(None, "clock_tick")
                await other.until(b"event: call.ended", times)
            assert b"call.started" not in stuck.answer.body


@pytest.mark.parametrize("path", ["/event", "/api/v1/events"])
async def test_there_is_an_end_to_how_many_may_listen(
    serves: Serves, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(streams, "MOST", 2)
    async with serves({}) as world, world.client.open(path) as one, world.client.open(path) as other:
        await one.until(b"connected")
        await other.until(b"connected")
        answer = await world.client.ask("GET", path)
        assert (answer.status, answer.json["code"]) == (429, "MOOR-HTTP-012")
        assert answer.header(b"retry-after") == [b"1"]
        assert (await world.client.ask("GET", "/global/health")).status == 200


async def test_a_listener_that_hears_nothing_hears_that_it_is_still_heard(
    serves: Serves, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT", 0.02)
    async with (
        serves({}) as world,
        world.client.open("/api/v1/events") as ours,
        world.client.open("/event") as theirs,
    ):
        await ours.until(b": still here", 2)
        await theirs.until(b"server.heartbeat", 2)


async def test_streams_end_when_the_listener_leaves_and_when_all_is_closed(serves: Serves) -> None:
    async with serves({}) as world:
        async with world.client.open("/event") as heard:
            await heard.until(b"connected")
        async with world.client.open("/event") as heard:
            await heard.until(b"connected")
            world.served.close()
            heard.left.clear()


# --- servers that no file knows

JSON = (b"content-type", b"application/json")
FAR = {"name": "far", "config": {"type": "remote", "url": "http://127.0.0.1:9/mcp", "enabled": False}}
NEAR = {"name": "near", "config": {"type": "local", "command": ["none"], "enabled": False}}


async def add(world: World, body: Any, who: tuple[bytes, bytes] = BEARER) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await world.client.ask("POST", "/mcp", [HOST, who, JSON], body=data)


async def test_a_server_is_added_and_outlives_a_change_of_the_files(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world:
        answer = await add(world, FAR)
        assert (answer.status, answer.json["far"]) == (200, {"status": "disabled"})
        fits(answer.json, STATUSES)
        await world.host.reload(config(spec("other", enabled=False)))
        assert (await world.client.ask("GET", "/mcp")).json == {
            "other": {"status": "disabled"},
            "far": {"status": "disabled"},
        }
        wrong = {"name": "status", "config": {"type": "remote", "url": "http://127.0.0.1:9/mcp"}}
        assert (await add(world, wrong)).json["status"]["status"] == "failed"


async def test_a_program_that_is_connected_takes_no_login_either(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world:
        await world.host.settled()
        answer = await world.client.ask("POST", "/mcp/clock/auth")
        assert (answer.status, list(answer.json)) == (400, ["error"])


async def test_to_add_a_program_takes_exec(serves: Serves) -> None:
    may = (b"authorization", b"Bearer a-token-that-may-start-programs")
    async with serves({"clock": Scripted()}) as world:
        world.keys.add_token("a-token-that-may-start-programs", "may", list(Role))
        answer = await add(world, NEAR)
        assert (answer.status, answer.json["code"]) == (403, "MOOR-HTTP-003")
        hidden = {"name": "clock", "config": FAR["config"]}
        assert (await add(world, hidden)).status == 403, "a program would be replaced"
        reads = {"name": "far", "config": {**FAR["config"], "headers": {"X": "{file:/etc/passwd}"}}}  # type: ignore[dict-item]
        assert (await add(world, reads)).status == 403
        assert [view.name for view in world.host.servers()] == ["clock"]
        assert (await add(world, NEAR, may)).json["near"] == {"status": "disabled"}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        ({}, 400),
        ({"name": "", "config": {}}, 400),
        ({"name": 5, "config": {}}, 400),
        ({"name": "x", "config": []}, 400),
        ({**FAR, "more": 1}, 400),
        ({"name": "x", "config": {}}, 422),
        ({"name": "x", "config": {"type": "remote", "url": 5}}, 422),
    ],
    ids=["open", "empty", "no-name", "number", "list", "more", "nothing", "url"],
)
async def test_what_is_no_server_is_not_added(serves: Serves, body: Any, status: int) -> None:
    async with serves({}) as world:
        answer = await add(world, body)
        assert (answer.status, answer.json["code"][:5]) == (status, "MOOR-"), answer.json
        assert world.host.servers() == ()
