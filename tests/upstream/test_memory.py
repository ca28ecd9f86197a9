"""Conversations with servers that live in the test."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable

import pytest
from mcp.server.mcpserver import Context, MCPServer
from tests.upstream.scripted import Scripted, steps

from mooring.core.items import Kind
from mooring.core.spec import LocalSpec, Timeouts
from mooring.errors import CallTimeout, ConnectionLost, LineTooLong, MooringError, StartTimeout, Unreachable
from mooring.testing import dial_to
from mooring.upstream.order import Order
from mooring.upstream.trace import Traced

LEGACY, MODERN = "2025-11-25", "2026-07-28"


def greeter() -> MCPServer:
    server = MCPServer("greeter", instructions="Say who you are")

    @server.tool()
    async def greet(name: str, ctx: Context) -> str:
        await ctx.report_progress(1, 2, "thinking")
        return f"Hello {name}"

    @server.resource("note://one")
    def note() -> str:
        return "a note"

    return server


def order(name: str = "greeter", protocol: str = "auto", **more) -> Order:
    return Order(
        LocalSpec(name=name, command="none", timeouts=Timeouts(start=5, list=5, call=5)),
        protocol=protocol,
        **more,
    )


@pytest.mark.parametrize(("protocol", "spoken"), [("auto", MODERN), ("legacy", LEGACY), (MODERN, MODERN)])
async def test_a_server_of_the_sdk_is_spoken_with_in_both_eras(protocol: str, spoken: str) -> None:
    heard: list[Traced] = []
    async with dial_to({"greeter": greeter()})(order(protocol=protocol, trace=heard.append)) as session:
        assert session.agreed.protocol == spoken
        assert session.agreed.instructions == "Say who you are"
        assert [tool["name"] for tool in (await session.all(Kind.TOOL)).items] == ["greet"]
        assert (await session.call("greet", {"name": "Ada"})).text == "Hello Ada"
        assert b"a note" in (await session.read("note://one")).raw
    assert steps(heard) == ["start", "handshake", "end"]


async def test_calls_of_a_server_that_reads_nothing_end_in_time() -> None:
    async def reads_little(lines: AsyncIterator[bytes], say: Callable[[bytes], None]) -> None:
        about = {"protocolVersion": LEGACY, "capabilities": {}, "serverInfo": {"name": "one"}}
        first = json.loads(await anext(lines))
        say(json.dumps({"jsonrpc": "2.0", "id": first["id"], "result": about}).encode() + b"\n")
        await asyncio.Event().wait()

    async with dial_to({"greeter": reads_little})(order(protocol="legacy")) as session:
        session.timeouts = Timeouts(call=0.1)
        async with asyncio.timeout(5):
            ends = await asyncio.gather(*(session.call("x") for _ in range(200)), return_exceptions=True)
        assert {type(end) for end in ends} == {CallTimeout}


async def test_one_server_serves_many_connections() -> None:
    dial = dial_to({"greeter": greeter()})
    async with dial(order()) as one, dial(order(protocol="legacy")) as other:
        texts = await asyncio.gather(one.call("greet", {"name": "A"}), other.call("greet", {"name": "B"}))
    assert [each.text for each in texts] == ["Hello A", "Hello B"]
    async with dial(order()) as again:
        assert (await again.call("greet", {"name": "C"})).text == "Hello C"


async def lines_only(lines: AsyncIterator[bytes], say: Callable[[bytes], None]) -> None:
    """A server of the old era, in a few lines; it leaves when it is told to."""
    async for line in lines:
        asked = json.loads(line)
        match asked.get("method"):
            case "initialize":
                result = {"protocolVersion": "2024-11-05", "capabilities": {}, "serverInfo": {"name": "raw"}}
            case "tools/call":
                return
            case _:
                result = None
        if "id" in asked:
            answer = {"result": result} if result else {"error": {"code": -32601, "message": "what?"}}
            say(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}).encode() + b"\n")


async def test_a_coroutine_can_be_a_server_too() -> None:
    async with dial_to({"raw": lines_only})(order("raw")) as session:
        assert session.agreed.protocol == "2024-11-05"
        with pytest.raises(ConnectionLost, match="`raw` ended by itself"):
            await session.call("anything")
        assert isinstance(session.wire.ended.result(), ConnectionLost)


async def test_a_message_that_is_too_large_costs_its_call_alone() -> None:
    server = Scripted(LEGACY, {"tools/call": {"content": "x" * 17_000_000}, "ping": {}})
    async with dial_to({"it": server})(order("it")) as session:
        with pytest.raises(LineTooLong, match="more than 16 MiB"):
            await session.call("x")
        await session.ping(5)


async def test_a_server_that_hears_nothing_holds_back_whoever_speaks() -> None:
    server = Scripted(LEGACY, {})
    server.on("tools/call", lambda _identity, _params: asyncio.Event().wait())
    async with dial_to({"it": server})(order("it", "legacy")) as session:
        calls = [asyncio.create_task(session.call("x")) for _ in range(500)]
        async with asyncio.timeout(5):
            await server.heard("tools/call")
        assert session.wire.pending == 500
        assert len(server.asked("tools/call")) == 1
        for call in calls:
            call.cancel()
        await asyncio.wait(calls)
        assert session.wire.pending == 0


async def test_what_a_server_raises_is_the_cause_of_the_lost_connection() -> None:
    async def broken(lines: AsyncIterator[bytes], say: Callable[[bytes], None]) -> None:
        raise ZeroDivisionError("by design")

    with pytest.raises(ConnectionLost, match="ZeroDivisionError: by design") as lost:
        async with dial_to({"raw": broken})(order("raw")):
            pass
    assert isinstance(lost.value.__cause__, ZeroDivisionError)


async def test_a_server_that_says_nothing_is_given_up_and_stopped() -> None:
    stopped = asyncio.Event()

    async def silent(lines: AsyncIterator[bytes], say: Callable[[bytes], None]) -> None:
        async for _ in lines:
            pass
        stopped.set()

    spec = LocalSpec(name="raw", command="none", timeouts=Timeouts(start=0.1))
    with pytest.raises(StartTimeout):
        async with dial_to({"raw": silent})(Order(spec)):
            pass
    assert stopped.is_set()


async def test_a_server_that_nobody_gave_is_an_error_of_ours() -> None:
    with pytest.raises(Unreachable, match="no `other`") as missing:
        dial_to({"greeter": greeter()})(order("other"))
    assert isinstance(missing.value, MooringError)
