"""One server over time: lost and found again, slow, changing, asleep."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from pathlib import Path

import pytest
from mcp import MCPDeprecationWarning
from mcp.server.mcpserver import Context, MCPServer
from tests.host.conftest import Opened, spec
from tests.host.scripted import TOOL, Scripted
from tests.turns import turns

from mooring.core.events import CatalogChanged, LogMessage, ResourceUpdated, StatusChanged
from mooring.core.spec import Timeouts
from mooring.core.status import Connected, Connecting, Failed, Pending
from mooring.errors import CallTimeout, ConnectionLost, MooringError
from mooring.host import Host, attend
from mooring.host.remembered import Memory

SAFE = {**TOOL, "annotations": {"readOnlyHint": True}}


async def until(host: Host, kind: type, about: str = "") -> object:
    """The next event of a kind, among those that are still to come."""
    with host.bus.subscribe() as events:
        async for event in events:
            if isinstance(event, kind) and about in repr(event):
                return event
    raise AssertionError


async def test_a_server_that_is_lost_comes_back_by_itself(opened: Opened) -> None:
    server = Scripted()
    async with opened({"clock": server}, protocol="legacy") as host:
        await host.settled()
        lost = asyncio.create_task(until(host, StatusChanged, "after=Failed"))
        back = asyncio.create_task(until(host, StatusChanged, "after=Connected"))
        await turns()
        server.leave.set()
        await lost
        await back
        assert server.connections == 2


async def test_a_call_after_the_loss_waits_for_the_new_connection(opened: Opened) -> None:
    server = Scripted()
    async with opened({"clock": server}, protocol="legacy") as host, asyncio.timeout(5):
        await host.settled()
        lost = asyncio.create_task(until(host, StatusChanged, "after=Failed"))
        await turns()
        server.leave.set()
        await lost
        assert (await host.call(None, "clock_tick")).text == "tick done"
        assert server.connections == 2


@pytest.mark.parametrize(
    ("tool", "trusted", "sent"), [(TOOL, True, 1), (SAFE, True, 2), (SAFE, False, 1)], ids=str
)
async def test_only_what_is_safe_is_sent_twice(
    opened: Opened, tool: dict[str, object], trusted: bool, sent: int
) -> None:
    def ends(_params: object) -> object:
        server.leave.set()
        return "nothing"

    server = Scripted([tool], tools_call=ends)
    entry = spec("clock", protocol="legacy", trusted=trusted)
    async with opened({"clock": server}, entry) as host:
        await host.settled()
        with pytest.raises(ConnectionLost):
            await host.call(None, "clock_tick")
        assert server.asked["tools/call"] == sent


async def test_a_storm_of_changes_is_one_new_list(opened: Opened) -> None:
    server = Scripted()
    async with opened({"clock": server}, protocol="legacy") as host:
        await host.settled()
        changed = asyncio.create_task(until(host, CatalogChanged, "clock_tock"))
        await turns()
        server.tools = [TOOL, {**TOOL, "name": "tock"}]
        for _ in range(10_000):
            server.notify("tools/list_changed")
        await changed
        assert [tool.name for tool in host.catalog.tools()] == ["clock_tick", "clock_tock"]
        assert server.asked["tools/list"] == 2
        assert server.asked["resources/list"] == 1


async def test_a_list_that_cannot_be_had_again_stays_what_it_was(opened: Opened) -> None:
    server = Scripted()
    async with opened({"clock": server}, protocol="legacy") as host:
        await host.settled()
        server.on["tools_list"] = {"error": {"code": -32603, "message": "not now"}}
        server.notify("tools/list_changed")
        await server.heard("tools/list", 2)
        assert [tool.name for tool in host.catalog.tools()] == ["clock_tick"]
        assert isinstance(host.server("clock").status, Connected)


async def test_a_lazy_server_starts_at_its_first_use(opened: Opened) -> None:
    server = Scripted()
    entry = spec("clock", lazy=True)
    async with opened({"clock": server}, entry) as host:
        await host.settled()
        assert isinstance(host.server("clock").status, Connected), "nothing is known of it yet"
    async with opened({"clock": server}, entry) as host:
        await host.settled()
        assert isinstance(host.server("clock").status, Pending)
        assert [tool.name for tool in host.catalog.tools()] == ["clock_tick"]
        assert server.connections == 1
        assert (await host.call(None, "clock_tick")).text == "tick done"
        assert server.connections == 2


async def test_who_starts_only_some_can_still_use_the_others(opened: Opened) -> None:
    first, second = Scripted(), Scripted()
    async with opened({"first": first, "second": second}, only=["first"]) as host:
        await host.settled()
        assert (first.connections, second.connections) == (1, 0)
        assert (await host.call(None, "second_tick")).text == "tick done"
        assert second.connections == 1


async def test_the_era_of_a_server_is_asked_for_only_once(opened: Opened) -> None:
    server = Scripted()
    for _ in range(3):
        async with opened({"clock": server}) as host:
            await host.ready()
    assert server.asked["server/discover"] == 1
    assert server.asked["initialize"] == 3


async def test_what_was_listed_the_last_time_is_not_held_beside_what_is_listed_now(opened: Opened) -> None:
    server = Scripted()
    for _ in range(2):
        async with opened({"clock": server}) as host:
            await host.ready()
            gc.collect()
            held = [each for each in gc.get_objects() if isinstance(each, Memory)]
            assert held == []


async def test_a_verdict_that_is_wrong_by_now_is_forgotten(opened: Opened) -> None:
    server = Scripted()
    async with opened({"clock": server}) as host:
        await host.ready()
    server.on["initialize"] = {"error": {"code": -32600, "message": "not like this"}}
    server.on["server_discover"] = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "scripted", "version": "2"},
    }
    async with opened({"clock": server}) as host:
        await host.settled()
        status = host.server("clock").status
        assert isinstance(status, Connected)
        assert status.protocol == "2026-07-28"


async def test_a_verdict_that_took_all_the_time_is_forgotten_for_the_next_try(opened: Opened) -> None:
    server = Scripted()
    async with opened({"clock": server}) as host:
        await host.ready()
    server.on["initialize"] = "nothing"
    server.on["server_discover"] = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}

    entry = spec("clock", timeouts=Timeouts(start=0.3, list=5, call=5))
    async with opened({"clock": server}, entry) as host:
        await host.settled()
        assert isinstance(host.server("clock").status, Failed)
        assert (await host.call(None, "clock_tick")).text == "tick done"
        status = host.server("clock").status
        assert isinstance(status, Connected)
        assert status.protocol == "2026-07-28"


async def test_a_server_that_hangs_while_it_lists_is_known_by_its_last_list(opened: Opened) -> None:
    server = Scripted()
    async with opened({"clock": server}) as host:
        await host.ready()
    server.on["tools_list"] = "nothing"

    entry = spec("clock", timeouts=Timeouts(start=5, list=0.1, call=5))
    async with opened({"clock": server}, entry) as host:
        await host.settled()
        assert isinstance(host.server("clock").status, Connected)
        assert (await host.call(None, "clock_tick")).text == "tick done"


async def test_a_server_that_never_works_is_not_hurried_for_ever(opened: Opened) -> None:
    server = Scripted(initialize={"error": {"code": -32603, "message": "no"}})
    async with opened({"clock": server}, protocol="legacy") as host, asyncio.timeout(10):
        await host.settled()
        for _ in range(12):
            with pytest.raises(MooringError):
                await host.call(None, "clock_tick")
        status = host.server("clock").status
        assert isinstance(status, Failed)
        assert status.next_try is not None
        assert status.next_try > 40
        assert server.connections == 5


async def test_what_a_server_logs_is_announced_without_secrets(opened: Opened) -> None:
    server = Scripted()
    async with opened({"clock": server}, protocol="legacy") as host:
        await host.settled()
        heard = asyncio.create_task(until(host, LogMessage))
        await turns()
        server.notify(
            "message", level="loud", data={"say": "\x1b[2Jhello", "token": "sk-abcdefghijklmnop1234"}
        )
        said = await heard
        assert isinstance(said, LogMessage)
        assert (said.server, said.level) == ("clock", "info")
        assert "hello" in said.text
        assert "\x1b" not in said.text
        assert "abcdefghijklmnop" not in said.text


async def test_a_resource_that_is_followed_is_followed_after_a_loss_too(opened: Opened) -> None:
    server = Scripted()
    async with opened({"clock": server}, protocol="legacy") as host:
        await host.settled()
        await host.follow("clock", "note://1")
        server.leave.set()
        await host.call(None, "clock_tick")
        await server.heard("resources/subscribe", 2)
        heard = asyncio.create_task(until(host, ResourceUpdated))
        await turns()
        server.notify("resources/updated", uri="note://1")
        assert await heard == ResourceUpdated("clock", "note://1")


async def test_a_call_in_vain_leaves_the_server_in_use(opened: Opened) -> None:

    server = Scripted(tools_call="nothing")
    entry = spec("clock", protocol="legacy", timeouts=Timeouts(start=5, list=5, call=0.05))
    async with opened({"clock": server}, entry) as host:
        with pytest.raises(CallTimeout, match="tick"):
            await host.call(None, "clock_tick")
        assert isinstance(host.server("clock").status, Connected)
        await server.heard("notifications/cancelled")


async def test_a_dial_with_a_mistake_in_it_fails_alone(tmp_path: Path) -> None:
    from contextlib import asynccontextmanager

    from tests.host.conftest import config

    from mooring import open_host
    from mooring.testing import dial_to

    good = dial_to({"clock": Scripted()})

    @asynccontextmanager
    async def broken(order):
        raise ZeroDivisionError
        yield

    def dial(order):
        return broken(order) if order.spec.name == "bad" else good(order)

    async with open_host(config(spec("bad"), spec("clock")), cwd=tmp_path, dial=dial) as host:
        await host.settled()
        bad = host.server("bad").status
        assert isinstance(bad, Failed)
        assert bad.error.code == "MOOR-INTERNAL-001"
        assert not isinstance(host.server("clock").status, Connecting | Failed)


async def test_what_a_server_logs_is_kept_with_the_end_of_its_run(
    opened: Opened, protocol: str, empty_home: Path
) -> None:
    server = MCPServer("clock")

    @server.tool()
    async def tick(ctx: Context) -> str:
        with pytest.warns(MCPDeprecationWarning):
            await ctx.warning("slow: sk-abcdefghijklmnop1234", logger_name="db")
        return "tock"

    async with opened({"clock": server}, protocol=protocol) as host:
        assert (await host.call(None, "clock_tick")).text == "tock"
    file = empty_home / ".local/state/mooring/logs/clock.log"
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert [record["text"] for record in records] == ["connecting", "slow: ***", "stopped"]
    assert (records[1]["level"], records[1]["logger"]) == ("warning", "db")


async def test_a_server_without_a_word_leaves_no_journal(opened: Opened, empty_home: Path) -> None:
    async with opened({"clock": Scripted()}, protocol="legacy") as host:
        await host.call(None, "clock_tick")
    assert not (empty_home / ".local/state").exists()


async def test_a_server_that_announces_a_change_with_each_list_is_heard_ever_later(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attend, "TOGETHER", 0.01)
    asked: list[float] = []

    def echo(_params: object) -> dict[str, object]:
        asked.append(time.monotonic())
        server.notify("tools/list_changed")
        return {"tools": server.tools}

    server = Scripted(tools_list=echo)
    async with opened({"clock": server}, protocol="legacy"), asyncio.timeout(10):
        await server.heard("tools/list", 7)
    assert asked[6] - asked[0] >= 0.01 * (1 + 2 + 4 + 8 + 16 + 32)


async def test_a_server_that_answers_nothing_any_more_is_lost_although_it_is_called_all_the_time(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attend, "LOOK_AFTER", 0.1)
    monkeypatch.setattr(attend, "ANSWER_WITHIN", 0.1)
    server = Scripted(tools_call="nothing", ping="nothing")
    entry = spec("clock", protocol="legacy", timeouts=Timeouts(start=5, list=5, call=0.05))
    async with opened({"clock": server}, entry) as host, asyncio.timeout(10):
        await host.settled()
        lost = asyncio.create_task(until(host, StatusChanged, "after=Failed"))

        async def call_on() -> None:
            while not lost.done():
                with pytest.raises(MooringError):
                    await host.call(None, "clock_tick")

        first = asyncio.create_task(call_on())
        await server.heard("tools/call")
        await asyncio.gather(first, call_on(), lost)
        assert "NotReading" in repr(lost.result())


async def test_a_list_that_could_not_be_had_is_asked_for_again(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attend, "FRESH_AT_LEAST", 0.01)
    server = Scripted(resources_list={"error": {"code": -32603, "message": "not now"}})
    async with opened({"clock": server}, protocol="legacy") as host:
        await host.settled()
        changed = asyncio.create_task(until(host, CatalogChanged, "note://1"))
        await turns()
        server.on["resources_list"] = {"resources": [{"uri": "note://1", "name": "one"}]}
        async with asyncio.timeout(5):
            await changed
