"""Calls and servers are counted, for people and for Prometheus."""

from __future__ import annotations

from typing import Any

from tests.host.scripted import Scripted
from tests.web.client import BEARER, HOST
from tests.web.conftest import Serves, World

TEXT = (b"accept", b"text/plain;version=0.0.4")


async def metrics(world: World) -> Any:
    return (await world.client.ask("GET", "/api/v1/metrics")).json


async def text(world: World) -> list[str]:
    answer = await world.client.ask("GET", "/api/v1/metrics", [HOST, BEARER, TEXT])
    assert answer.header(b"content-type") == [b"text/plain; version=0.0.4; charset=utf-8"]
    return answer.body.decode().splitlines()


async def test_calls_are_counted_by_how_they_ended(serves: Serves) -> None:
    server = Scripted()
    async with serves({"clock": server, 'odd "one"': Scripted()}) as world:
        await world.host.settled()
        assert (await metrics(world))["calls"] == []
        await world.host.call(None, "clock_tick")
        server.on["tools_call"] = {"content": [], "isError": True}
        await world.host.call(None, "clock_tick")
        told = await metrics(world)
        assert (told["callsUnderWay"], told["servers"]) == (0, {"connected": 2})
        (clock,) = told["calls"]
        assert clock["outcomes"] == {"done": 1, "tool_error": 1}
        assert clock["buckets"]["+Inf"] == 2
        assert list(clock["buckets"].values()) == sorted(clock["buckets"].values())
        assert clock["seconds"] > 0
        lines = await text(world)
        assert 'mooring_calls_total{server="clock",outcome="tool_error"} 1' in lines
        assert 'mooring_call_seconds_bucket{server="clock",le="+Inf"} 2' in lines
        assert 'mooring_call_seconds_count{server="clock"} 2' in lines
        assert 'mooring_server_up{server="odd \\"one\\""} 1' in lines
        assert "mooring_calls_under_way 0" in lines


async def test_a_call_under_way_is_one(serves: Serves) -> None:
    server = Scripted(tools_call="nothing")
    async with serves({"clock": server}) as world:
        await world.host.settled()
        headers = (b"content-type", b"application/json"), (b"accept", b"text/event-stream")
        body = b'{"name": "clock_tick"}'
        async with world.client.open("/api/v1/call", *headers, method="POST", body=body):
            await server.heard("tools/call")
            assert (await metrics(world))["callsUnderWay"] == 1
        told = await metrics(world)
        assert (told["callsUnderWay"], told["calls"][0]["outcomes"]) == (0, {"cancelled": 1})
