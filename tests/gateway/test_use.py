"""Calls, resources, prompts and completions, as clients of either era make them of servers of either era."""

from __future__ import annotations

import json

import pytest
from mcp.server.mcpserver import Context, MCPServer
from tests.gateway.conftest import META, MODERN, Client, Gated, Json, Scripted, text

from mooring.core.exposure import Exposure
from mooring.gateway.view import Scope
from mooring.store import Asked

TOOLS = {"tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}}


def sdk() -> MCPServer:
    server = MCPServer("sdk", instructions="Use it")

    @server.tool()
    def add(a: int, b: int) -> int:
        return a + b

    @server.resource("notes://today")
    def today() -> str:
        return "rain"

    @server.resource("notes://{day}/weather")
    def weather(day: str) -> str:
        return f"{day}: sun"

    @server.prompt()
    def greet(name: str) -> str:
        return f"Greet {name}"

    return server


async def test_every_verb_works_from_either_era_to_either_era(
    gated: Gated, version: str, protocol: str
) -> None:
    async with gated({"sdk": sdk()}, protocol=protocol) as gate:
        client = await gate.client(version)
        called = await client.call("sdk_add", a=1, b=2)
        assert called["content"] == [{"type": "text", "text": "3"}]
        assert called["structuredContent"] == {"result": 3}
        listed = await client.ask("resources/read", {"uri": "notes://today"})
        assert listed["contents"][0]["text"] == "rain"
        made = await client.ask("resources/read", {"uri": "notes://monday/weather"})
        assert made["contents"][0]["text"] == "monday: sun"
        prompt = await client.ask("prompts/get", {"name": "sdk:greet", "arguments": {"name": "Ada"}})
        assert prompt["messages"][0]["content"]["text"] == "Greet Ada"
        if version == MODERN:
            assert {each.get("resultType") for each in (called, listed, made, prompt)} == {"complete"}
            assert {each.get("cacheScope") for each in (listed, made)} == {"private"}
            assert {each.get("ttlMs") for each in (listed, made)} == {0}


async def test_a_client_need_not_wait_for_the_answer_to_its_greeting(gated: Gated) -> None:
    """Whoever writes all its lines at once is understood: they are read in their order."""
    async with gated({"s": Scripted({**TOOLS, "tools/call": lambda _: text("yes")})}) as gate:
        client = Client(gate.hub, Scope(), "2025-11-25")
        gate.clients.append(client)
        about = {"name": "in haste", "version": "1"}
        said = {"protocolVersion": client.version, "capabilities": {}, "clientInfo": about}
        greeted = client.begin("initialize", said)
        client.send({"method": "notifications/initialized"})
        listed = client.begin("tools/list")
        called = client.begin("tools/call", {"name": "s_echo"})
        assert (await client.reply(greeted))["result"]["protocolVersion"] == client.version
        assert [tool["name"] for tool in (await client.reply(listed))["result"]["tools"]] == ["s_echo"]
        assert (await client.reply(called))["result"] == text("yes")


async def test_a_result_passes_as_the_bytes_that_came(gated: Gated, version: str) -> None:
    odd = b'{"content": [],  "big": 1e400, "same": 1.0, "new": {"type": "of tomorrow"}, "_meta": {"a/b": 1}}'
    server = Scripted({**TOOLS, "tools/call": lambda _: odd})
    async with gated({"s": server}) as gate:
        client = await gate.client(version)
        identity = client.begin("tools/call", {"name": "s_echo"})
        await client.reply(identity)
        stamp = b'{"resultType":"complete",' if version == MODERN else b"{"
        assert client.raw[-1] == b'{"jsonrpc":"2.0","id":%d,"result":%b}' % (identity, stamp + odd[1:])


async def test_arguments_reach_the_server_as_they_were_written(gated: Gated, version: str) -> None:
    server = Scripted({**TOOLS, "tools/call": lambda params: text(json.dumps(params["arguments"]))})
    async with gated({"s": server}) as gate:
        client = await gate.client(version)
        given = {"n": 1.0, "text": "zwei\nZeilen ✓", "deep": {"a": [None, True]}}
        assert json.loads((await client.call("s_echo", **given))["content"][0]["text"]) == given
        nothing = await client.ask("tools/call", {"name": "s_echo"})
        assert nothing["content"][0]["text"] == "{}"


@pytest.mark.parametrize("searches", [False, True], ids=["by name", "by call_tool"])
async def test_what_a_client_says_in_meta_reaches_the_server(
    gated: Gated, version: str, protocol: str, searches: bool
) -> None:
    """All but what the protocol says there, which each connection has for itself."""
    passed = {"traceparent": "00-1-2-01", "a.b/own": {"n": [1.0, None]}}
    meta = {**passed, "progressToken": "mine", f"{META}tomorrow": 1}
    seen = []

    def heard(ctx: Context) -> None:
        seen.append(dict(ctx.request_context.meta or {}))

    server = MCPServer("sdk")

    @server.tool()
    def tell(ctx: Context) -> str:
        heard(ctx)
        return "told"

    @server.resource("memo://{day}")
    def memo(day: str, ctx: Context) -> str:
        heard(ctx)
        return day

    @server.prompt()
    def greet(ctx: Context) -> str:
        heard(ctx)
        return "hello"

    async with gated({"sdk": server}, protocol=protocol) as gate:
        client = await gate.client(version, Scope(exposure=Exposure("search")) if searches else None)
        tool = {"name": "call_tool", "arguments": {"name": "sdk_tell", "arguments": {}}}
        await client.ask("tools/call", {**(tool if searches else {"name": "sdk_tell"}), "_meta": meta})
        await client.ask("resources/read", {"uri": "memo://today", "_meta": meta})
        await client.ask("prompts/get", {"name": "sdk:greet", "_meta": meta})
        await client.call("sdk_tell")
    assert [{key: each[key] for key in passed if key in each} for each in seen] == [passed] * 3 + [{}]
    assert not [each for each in seen if "mine" in each.values() or f"{META}tomorrow" in each]


async def test_ids_come_back_exactly_as_they_were_sent(gated: Gated) -> None:
    async with gated({"s": Scripted({**TOOLS, "tools/call": lambda _: text("yes")})}) as gate:
        client = await gate.client("2025-11-25")
        for identity in ("7", 'a"\\u0041', "", -3, 12345678901234567890):
            client.send({"id": identity, "method": "tools/call", "params": {"name": "s_echo"}})
            found = await client.until(lambda each, it=identity: each.get("id") == it)
            assert type(found["id"]) is type(identity)
            assert found["result"] == text("yes")


async def test_the_same_address_of_two_servers_reads_from_the_right_one(gated: Gated) -> None:
    def of(name: str) -> Scripted:
        lists = {
            "resources/list": {"resources": [{"uri": "memo://today", "name": "today"}]},
            "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "memo://{day}", "name": "d"}]},
        }

        def read(params: Json) -> Json:
            return {"contents": [{"uri": params["uri"], "text": f"{name}: {params['uri']}"}]}

        return Scripted({**lists, "resources/read": read})

    async with gated({"home": of("home"), "office": of("office")}) as gate:
        client = await gate.client("2025-11-25")

        async def said(uri: str) -> str:
            return (await client.ask("resources/read", {"uri": uri}))["contents"][0]["text"]

        assert await said("memo://office/today") == "office: memo://today"
        assert await said("memo://home/monday") == "home: memo://monday"
        refused = await client.refused("resources/read", {"uri": "memo://today"})
        assert "memo://home/today" in refused["data"]["hint"]
        refused = await client.refused("resources/read", {"uri": "memo://monday"})
        assert "home" in refused["data"]["hint"]
        alone = await gate.client("2025-11-25", Scope("office"))
        found = await alone.ask("resources/read", {"uri": "memo://monday"})
        assert found["contents"][0]["text"] == "office: memo://monday"


async def test_a_gap_is_completed_by_the_server_that_has_it(gated: Gated, version: str) -> None:
    lists = {
        "prompts/list": {"prompts": [{"name": "sum up", "arguments": [{"name": "tone"}]}]},
        "resources/list": {"resources": []},
        "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "memo://{day}", "name": "d"}]},
    }

    def completed(params: Json) -> Json:
        return {"completion": {"values": [json.dumps(params, sort_keys=True)]}}

    async with gated({"notes": Scripted({**lists, "completion/complete": completed})}) as gate:
        client = await gate.client(version)
        gap = {"name": "tone", "value": "k"}
        reference = {"type": "ref/prompt", "name": "notes:sum_up"}
        found = await client.ask("completion/complete", {"ref": reference, "argument": gap})
        asked = json.loads(found["completion"]["values"][0])
        assert asked["ref"] == {"type": "ref/prompt", "name": "sum up"}
        assert asked["argument"] == gap
        reference = {"type": "ref/resource", "uri": "memo://{day}"}
        context = {"arguments": {"month": "may"}}
        asking = {"ref": reference, "argument": gap, "context": context}
        found = await client.ask("completion/complete", asking)
        asked = json.loads(found["completion"]["values"][0])
        assert (asked["ref"], asked["context"]) == (reference, context)


async def test_calls_are_written_down_like_everybody_elses(gated: Gated, version: str) -> None:
    async with gated({"s": Scripted({**TOOLS, "tools/call": lambda _: text("yes")})}) as gate:
        client = await gate.client(version)
        await client.ask("tools/call", {"name": "s_echo", "arguments": {"word": "hi"}})
        (kept,) = await gate.host.store.calls(Asked())
        assert (kept.face, kept.server, kept.tool, kept.outcome) == ("gateway", "s", "s_echo", "done")
        assert json.loads(kept.arguments) == {"word": "hi"}
        assert kept.caller == ("tester" if version != MODERN else "gateway")
