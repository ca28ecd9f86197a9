"""Every call leaves one row, however it ends and whoever made it."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.host.conftest import Opened, spec
from tests.host.scripted import Scripted

from mooring.core.questions import Caller, Face
from mooring.errors import CallRefused, CallTimeout, UnknownTool
from mooring.store import Asked

AGENT = Caller("planner", Face.AGENT, agent="plan")


def ticking(result: object) -> Scripted:
    return Scripted(tools_call=result)


async def test_who_called_what_and_how_it_went_is_written_down(opened: Opened) -> None:
    answer = {"content": [{"type": "text", "text": "tock"}]}
    async with opened({"clock": ticking(answer)}) as host:
        result = await host.call(None, "clock_tick", {"at": 5, "token": "hidden"})
        (kept,) = await host.store.calls(Asked())
    assert (kept.caller, kept.face, kept.server, kept.tool) == ("python", "python", "clock", "clock_tick")
    assert json.loads(kept.arguments) == {"at": 5, "token": "***"}
    assert (kept.outcome, kept.code, kept.received) == ("done", "", len(result.raw))
    assert kept.sent == len(b'{"at":5,"token":"hidden"}')


async def test_every_other_end_is_written_down_too(opened: Opened) -> None:
    slow = spec("slow", timeouts=spec("x").timeouts.__class__(start=5, list=5, call=0.05))
    servers = {
        "clock": ticking({"content": [], "isError": True}),
        "silent": ticking("nothing"),
        "slow": ticking("nothing"),
    }
    async with opened(servers, slow, settings={"permission": {"clock_*": "deny"}}) as host:
        await host.settled()
        with pytest.raises(UnknownTool):
            await host.call(None, "nobody_has_it")
        with pytest.raises(CallRefused):
            await host.call(AGENT, "clock_tick")
        with pytest.raises(CallTimeout):
            await host.call(None, "slow_tick")
        await host.call(Caller("ann", Face.TERMINAL), "clock_tick")
        waiting = asyncio.create_task(host.call(None, "silent_tick"))
        await servers["silent"].heard("tools/call")
        waiting.cancel()
        await asyncio.wait([waiting])
        rows = [(kept.server, kept.tool, kept.outcome, kept.code) for kept in await host.store.calls(Asked())]
    assert rows[::-1] == [
        ("", "nobody_has_it", "failed", "MOOR-CALL-002"),
        ("clock", "clock_tick", "refused", "MOOR-CALL-005"),
        ("slow", "slow_tick", "failed", "MOOR-CALL-004"),
        ("clock", "clock_tick", "tool_error", ""),
        ("silent", "silent_tick", "cancelled", ""),
    ]


async def test_a_line_break_in_a_name_forges_no_second_row(opened: Opened) -> None:
    async with opened({"clock": Scripted()}) as host:
        with pytest.raises(UnknownTool):
            await host.call(None, "x\n2026-01-01  done  1 ms  other")
        assert len(await host.store.calls(Asked())) == 1


async def test_a_host_that_calls_nothing_writes_nothing(opened: Opened, empty_home) -> None:
    async with opened({"clock": Scripted()}, settings={"mooring": {"pins": "off"}}) as host:
        await host.settled()
    assert not list(empty_home.rglob("mooring.db*"))
