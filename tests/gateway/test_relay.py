"""What servers tell by themselves reaches the clients that it concerns, each in its own era."""

from __future__ import annotations

import asyncio

import pytest
from mcp.server.mcpserver import Context, MCPServer
from tests.gateway.conftest import META, MODERN, Client, Gated, Json, Scripted, text

from mooring.gateway.view import Scope

TOOLS = {"tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}}
CHANGED = "notifications/tools/list_changed"
UPDATED = "notifications/resources/updated"
SUBSCRIPTION = f"{META}subscriptionId"


def learner() -> MCPServer:
    server = MCPServer("ship")

    @server.tool()
    async def learn(ctx: Context) -> str:
        def signal() -> str:
            return "up"

        server.add_tool(signal)
        # each era hears of it in its own way, and does not hear of the other's
        await ctx.notify_tools_changed()
        await ctx.session.send_tool_list_changed()
        return "learnt"

    @server.tool()
    async def row(ctx: Context) -> str:
        for stroke in (1, 2):
            await ctx.report_progress(stroke, 2.5, f"stroke {stroke}")
        return "there"

    return server


async def listening(client: Client, **wanted: object) -> Json:
    """In the new era notices are asked for; in the old one they come."""
    client.begin("subscriptions/listen", {"notifications": wanted})
    return await client.until(lambda each: "subscriptions/acknowledged" in each.get("method", ""))


async def test_a_list_that_changes_is_announced(gated: Gated, version: str, protocol: str) -> None:
    async with gated({"ship": learner()}, protocol=protocol) as gate:
        client = await gate.client(version)
        assert len((await client.ask("tools/list"))["tools"]) == 2
        if version == MODERN:
            told = await listening(client, toolsListChanged=True, promptsListChanged=False)
            assert told["params"]["notifications"] == {"toolsListChanged": True}
            assert told["params"]["_meta"] == {SUBSCRIPTION: client.count}
        await client.call("ship_learn")
        change = await client.until(lambda each: each.get("method") == CHANGED)
        expected = {"_meta": {SUBSCRIPTION: 3}} if version == MODERN else None
        assert change.get("params") == expected
        names = [tool["name"] for tool in (await client.ask("tools/list"))["tools"]]
        assert names == ["ship_learn", "ship_row", "ship_signal"]


async def test_whoever_has_not_asked_is_not_told(gated: Gated) -> None:
    async with gated({"ship": learner()}) as gate:
        deaf, other = await gate.client(MODERN), await gate.client(MODERN)
        for client in (deaf, other):
            await client.ask("tools/list")
        await listening(deaf, promptsListChanged=True)
        await listening(other, toolsListChanged=True)
        await deaf.call("ship_learn")
        await other.until(lambda each: each.get("method") == CHANGED)
        assert CHANGED not in [each.get("method") for each in deaf.said]


async def test_listening_ends_when_the_client_has_had_enough(gated: Gated) -> None:
    async with gated({"ship": learner()}) as gate:
        client, other = await gate.client(MODERN), await gate.client(MODERN)
        for each in (client, other):
            await each.ask("tools/list")
        await listening(client, toolsListChanged=True)
        await listening(other, toolsListChanged=True)
        client.send({"method": "notifications/cancelled", "params": {"requestId": client.count}})
        await client.call("ship_learn")
        await other.until(lambda each: each.get("method") == CHANGED)
        assert CHANGED not in [each.get("method") for each in client.said]


async def test_progress_is_told_under_the_clients_own_token(
    gated: Gated, version: str, protocol: str
) -> None:
    async with gated({"ship": learner()}, protocol=protocol) as gate:
        one, two = await gate.client(version), await gate.client(version)
        params = {"name": "ship_row", "arguments": {}, "_meta": {"progressToken": "mine"}}
        found, _ = await asyncio.gather(one.ask("tools/call", params), two.call("ship_row"))
        told = [each["params"] for each in one.said if each.get("method") == "notifications/progress"]
        assert told == [
            {"progressToken": "mine", "progress": stroke, "total": 2.5, "message": f"stroke {stroke}"}
            for stroke in (1, 2)
        ]
        assert found["content"][0]["text"] == "there"
        assert "notifications/progress" not in [each.get("method") for each in two.said]


def memo() -> Scripted:
    listed = {"resources": [{"uri": "memo://today", "name": "today"}]}
    return Scripted({"resources/list": listed, "resources/subscribe": {}, "resources/unsubscribe": {}})


async def test_a_resource_is_followed_once_for_all_and_until_nobody_wants_it(
    gated: Gated, version: str
) -> None:
    home, office = memo(), memo()
    async with gated({"home": home, "office": office}) as gate:
        clients = [await gate.client(version) for _ in range(2)]
        uri = "memo://office/today"
        for client in clients:
            if version == MODERN:
                told = await listening(client, resourceSubscriptions=[uri, "memo://nowhere"])
                assert told["params"]["notifications"] == {"resourceSubscriptions": [uri]}
            else:
                assert await client.ask("resources/subscribe", {"uri": uri}) == {}
        home.say({"method": UPDATED, "params": {"uri": "memo://today"}})
        office.say({"method": UPDATED, "params": {"uri": "memo://today"}})
        for client in clients:
            told = await client.until(lambda each: each.get("method") == UPDATED)
            assert told["params"]["uri"] == uri
        assert [each["method"] for each in office.heard].count("resources/subscribe") == 1
        for client in clients:
            await client.leave()
        await office.until_heard("resources/unsubscribe")
        assert [each.get("method") for each in home.heard].count("resources/subscribe") == 0


async def test_what_a_server_logs_reaches_clients_from_their_level_on(gated: Gated) -> None:
    server = Scripted({**TOOLS, "tools/call": lambda _: text("yes")})
    async with gated({"s": server}) as gate:
        loud, quiet = await gate.client("2025-11-25"), await gate.client("2025-11-25")
        modern = await gate.client(MODERN)
        assert await quiet.ask("logging/setLevel", {"level": "error"}) == {}
        assert (await quiet.refused("logging/setLevel", {"level": "loud"}))["code"] == -32602
        for level in ("info", "error"):
            params = {"level": level, "logger": "db", "data": f"it is {level}"}
            server.say({"method": "notifications/message", "params": params})
        last = await loud.until(lambda each: each.get("params", {}).get("level") == "error")
        assert last["params"] == {"level": "error", "logger": "s/db", "data": "it is error"}
        await quiet.until(lambda each: each.get("params", {}).get("level") == "error")

        def levels(client: Client) -> list[str]:
            return [each["params"]["level"] for each in client.said if "message" in each.get("method", "")]

        assert levels(loud) == ["info", "error"]
        assert levels(quiet) == ["error"]
        assert levels(modern) == []


async def test_what_is_logged_about_one_client_no_other_reads(gated: Gated, version: str) -> None:
    listed = {"resources/list": {"resources": [{"uri": "memo://today", "name": "today"}]}}
    server = Scripted({**TOOLS, **listed, "tools/call": "no answer", "resources/read": "no answer"})
    async with gated({"s": server}) as gate:
        one, two = [Client(gate.hub, Scope(), version, hears_all=False) for _ in range(2)]
        gate.clients += [one, two]
        for each in (one, two):
            await each.greet()
        owner = await gate.client("2025-11-25")
        wanted = {"_meta": {f"{META}logLevel": "info"}}

        def log(words: str) -> None:
            server.say({"method": "notifications/message", "params": {"level": "info", "data": words}})

        log("of nobody")
        called = one.begin("tools/call", {"name": "s_echo", **wanted})
        await server.until_heard("tools/call")
        log("of one")
        two.begin("resources/read", {"uri": "memo://today", **wanted})
        await server.until_heard("resources/read")
        log("of either")
        one.send({"method": "notifications/cancelled", "params": {"requestId": called}})
        await server.until_heard("notifications/cancelled")
        log("of two")
        await two.until(lambda each: each.get("params", {}).get("data") == "of two")

        def heard(client: Client) -> list[str]:
            return [each["params"]["data"] for each in client.said if "message" in each.get("method", "")]

        assert (heard(one), heard(two)) == (["of one"], ["of two"])
        assert heard(owner) == ["of nobody", "of either"]


@pytest.mark.parametrize(("wanted", "told"), [("warning", ["error"]), ("debug", ["info", "error"])])
async def test_in_the_new_era_a_request_says_what_it_wants_to_read(
    gated: Gated, wanted: str, told: list[str]
) -> None:
    def call(_params: Json) -> Json:
        for level in ("info", "error"):
            server.say({"method": "notifications/message", "params": {"level": level, "data": "x"}})
        return text("yes")

    server = Scripted({**TOOLS, "tools/call": call})
    async with gated({"s": server}) as gate:
        client = await gate.client(MODERN)
        await client.ask("tools/call", {"name": "s_echo", "_meta": {f"{META}logLevel": wanted}})
        assert [each["params"]["level"] for each in client.said if "method" in each] == told
        await client.call("s_echo")
        assert len([each for each in client.said if "method" in each]) == len(told)
