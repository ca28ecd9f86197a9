"""What goes wrong leaves in the protocol's shape, with a code and the next step."""

from __future__ import annotations

import pytest
from tests.gateway.conftest import META, MODERN, Gated, Json, Scripted, text

TOOLS = {"tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}}


async def test_what_a_server_refuses_is_refused_in_its_words(gated: Gated, version: str) -> None:
    error = {"code": -31999, "message": "no: answered: twice", "data": {"why": ["paper"]}}
    async with gated({"s": Scripted({**TOOLS, "tools/call": {"error": error}})}) as gate:
        client = await gate.client(version)
        assert await client.refused("tools/call", {"name": "s_echo"}) == error


async def test_what_is_not_there_is_refused_with_a_hint(gated: Gated, version: str) -> None:
    async with gated({"s": Scripted(TOOLS)}) as gate:
        client = await gate.client(version)
        tool = await client.refused("tools/call", {"name": "s_eco"})
        assert (tool["code"], tool["data"]["code"]) == (-32602, "MOOR-CALL-002")
        assert "s_echo" in tool["data"]["hint"]
        resource = await client.refused("resources/read", {"uri": "memo://none"})
        assert resource["code"] == (-32602 if version == MODERN else -32002)
        assert resource["data"]["uri"] == "memo://none"
        prompt = await client.refused("prompts/get", {"name": "none"})
        assert (prompt["code"], prompt["data"]["code"]) == (-32602, "MOOR-CALL-003")
        method = await client.refused("tools/dance")
        assert method["code"] == -32601


@pytest.mark.parametrize(
    "params",
    [{"name": "s_echo", "arguments": [1]}, {"name": "s_echo", "arguments": "x"}, {"name": 7}, {}],
    ids=["a list", "a text", "a number for a name", "nothing"],
)
async def test_parameters_that_do_not_fit_never_reach_a_server(
    gated: Gated, version: str, params: Json
) -> None:
    server = Scripted({**TOOLS, "tools/call": lambda _: text("yes")})
    async with gated({"s": server}) as gate:
        client = await gate.client(version)
        refused = await client.refused("tools/call", params)
        assert (refused["code"], refused["data"]["code"]) == (-32602, "MOOR-GATEWAY-001")
        assert not [each for each in server.heard if each.get("method") == "tools/call"]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"nonsense", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":', -32700),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600),
        (b'"text"', -32700),
    ],
)
async def test_a_line_that_is_no_message_is_told_so(gated: Gated, line: bytes, number: int) -> None:
    async with gated({"s": Scripted(TOOLS)}) as gate:
        client = await gate.client("2025-11-25")
        client.talk.hear(line)
        found = await client.until(lambda each: each.get("id") is None and "error" in each)
        assert found["error"]["code"] == number
        # and the next one is heard
        assert await client.ask("ping") == {}


async def test_the_eras_do_not_mix(gated: Gated) -> None:
    async with gated({"s": Scripted(TOOLS)}) as gate:
        modern = await gate.client(MODERN)
        assert (await modern.refused("ping"))["code"] == -32601
        assert (await modern.refused("initialize"))["code"] == -32601
        said = {f"{META}protocolVersion": "2099-01-01", f"{META}clientCapabilities": {}}
        refused = await modern.refused("tools/list", {"_meta": said})
        assert refused["code"] == -32022
        assert (refused["data"]["supported"], refused["data"]["requested"]) == ([MODERN], "2099-01-01")
        modern.send({"id": "bare", "method": "tools/list"})
        found = await modern.until(lambda each: each.get("id") == "bare")
        assert found["error"]["code"] == -32602


@pytest.mark.parametrize("wanted", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_every_version_of_the_old_era_is_spoken(gated: Gated, wanted: str) -> None:
    async with gated({"s": Scripted(TOOLS)}) as gate:
        client = await gate.client(wanted)
        assert (await client.greet())["protocolVersion"] == wanted


async def test_a_version_that_nobody_knows_is_answered_with_the_newest_of_its_era(gated: Gated) -> None:
    async with gated({"s": Scripted(TOOLS)}) as gate:
        client = await gate.client("1999-01-01")
        assert (await client.greet())["protocolVersion"] == "2025-11-25"


async def test_a_batch_is_answered_message_by_message(gated: Gated) -> None:
    async with gated({"s": Scripted(TOOLS)}) as gate:
        client = await gate.client("2025-03-26")
        client.talk.hear(
            b'[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]'
        )
        for identity in ("a", "b"):
            found = await client.until(lambda each, it=identity: each.get("id") == it)
            assert found["result"] == {}


async def test_a_call_that_is_cancelled_is_cancelled_at_the_server_and_not_answered(
    gated: Gated, version: str
) -> None:
    server = Scripted({**TOOLS, "tools/call": "no answer"})
    async with gated({"s": server}) as gate:
        client = await gate.client(version)
        identity = client.begin("tools/call", {"name": "s_echo"})
        await server.until_heard("tools/call")
        client.send({"method": "notifications/cancelled", "params": {"requestId": identity}})
        await server.until_heard("notifications/cancelled")
        await client.refused("tools/dance")
        assert not [each for each in client.said if each.get("id") == identity]


async def test_a_server_that_crashes_fails_its_own_calls_alone(gated: Gated, version: str) -> None:
    class Fragile(Scripted):
        async def __call__(self, lines, say) -> None:
            async def until_hit():
                async for line in lines:
                    if b'"tools/call"' in line:
                        raise ConnectionResetError("crashed")
                    yield line

            await super().__call__(until_hit(), say)

    servers = {"bad": Fragile(TOOLS), "good": Scripted({**TOOLS, "tools/call": lambda _: text("fine")})}
    async with gated(servers) as gate:
        client = await gate.client(version)
        hit = client.begin("tools/call", {"name": "bad_echo"})
        assert await client.call("good_echo")
        found = await client.reply(hit)
        assert found["error"]["data"]["code"] == "MOOR-SERVER-010"
        # it comes back by itself, for whoever asks next
        listed = await client.ask("tools/list")
        assert [tool["name"] for tool in listed["tools"]] == ["bad_echo", "good_echo"]
