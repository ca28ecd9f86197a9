"""Whoever waits is told, whatever ends: a call, a server, the configuration, the host."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.host.conftest import Opened, config, spec
from tests.host.scripted import TOOL, Scripted
from tests.turns import turns

from mooring import open_host
from mooring.core.events import CallEnded
from mooring.core.questions import Allowed, Caller, Face, Scope
from mooring.core.spec import BadServer
from mooring.core.status import Connected, Disabled, Failed
from mooring.errors import BadEntry, MooringError, NotConnected
from mooring.host import Host
from mooring.testing import dial_to

SAFE = {**TOOL, "annotations": {"readOnlyHint": True}}
WAITING: dict[str, Callable[[Host], Awaitable[Any]]] = {
    "settled": lambda host: host.settled(),
    "connect": lambda host: host.connect("clock"),
    "call": lambda host: host.call(None, "clock_tick"),
    "read": lambda host: host.read(None, "note://1", server="clock"),
    "follow": lambda host: host.follow("clock", "note://1"),
}


async def told(waiting: asyncio.Task[Any]) -> BaseException | None:
    """How it ended; within seconds, or the test fails."""
    async with asyncio.timeout(5):
        await asyncio.wait([waiting])
    return waiting.exception()


@pytest.mark.parametrize("what", WAITING)
@pytest.mark.parametrize("end", ["removed", "changed", "switched off", "closed"])
async def test_who_waits_for_a_server_is_told_when_it_goes(tmp_path: Path, what: str, end: str) -> None:
    hung = Scripted(initialize="nothing", resources_read={"contents": []})
    dial = dial_to({"clock": hung})
    first = config(spec("clock", protocol="legacy"))
    async with AsyncExitStack() as closing:
        host = await closing.enter_async_context(open_host(first, cwd=tmp_path, dial=dial))
        await hung.heard("initialize")
        waiting = asyncio.ensure_future(WAITING[what](host))
        await turns()
        del hung.on["initialize"]
        match end:
            case "removed":
                await host.reload(config())
            case "changed":
                await host.reload(config(spec("clock", protocol="legacy", args=("-v",))))
            case "switched off":
                await host.disconnect("clock")
            case _:
                await closing.aclose()
        error = await told(waiting)
    if end == "changed" or what in ("settled", "connect"):
        assert error is None
    else:
        assert isinstance(error, NotConnected)


@pytest.mark.parametrize("end", ["removed", "switched off", "closed"])
@pytest.mark.parametrize("tool", [TOOL, SAFE], ids=["with effects", "harmless"])
async def test_a_call_under_way_is_told_when_its_server_goes(
    tmp_path: Path, end: str, tool: dict[str, Any]
) -> None:
    server = Scripted([tool], tools_call="nothing")
    entry = spec("clock", protocol="legacy", trusted=True)
    async with open_host(config(entry), cwd=tmp_path, dial=dial_to({"clock": server})) as host:
        waiting = asyncio.ensure_future(host.call(None, "clock_tick"))
        await server.heard("tools/call")
        match end:
            case "removed":
                await host.reload(config())
            case "switched off":
                await host.disconnect("clock")
            case _:
                pass
    assert isinstance(await told(waiting), MooringError)
    assert server.asked["tools/call"] == 1


@pytest.mark.parametrize("count", range(0, 60, 3))
async def test_a_server_may_be_switched_off_at_any_moment_of_its_start(tmp_path: Path, count: int) -> None:
    server = Scripted()
    entry = spec("clock", protocol="legacy")
    async with open_host(config(entry), cwd=tmp_path, dial=dial_to({"clock": server})) as host:
        await turns(count)
        async with asyncio.timeout(5):
            await host.disconnect("clock")
            await turns(60)
            assert isinstance(host.server("clock").status, Disabled)
            assert not host.catalog.tools()
            with pytest.raises(MooringError):
                await host.call(None, "clock_tick")
            await host.connect("clock")
            assert (await host.call(None, "clock_tick")).text == "tick done"


async def test_two_reloads_at_once_end_with_the_second(tmp_path: Path) -> None:
    servers = {name: Scripted() for name in ("one", "two", "three")}
    dial = dial_to(servers)
    async with open_host(config(spec("one")), cwd=tmp_path, dial=dial) as host:
        await host.settled()
        await asyncio.gather(host.reload(config(spec("two"))), host.reload(config(spec("three"))))
        await host.settled()
        assert [view.name for view in host.servers()] == ["three"]
        assert (await host.call(None, "three_tick")).text == "tick done"


async def test_a_reload_that_nobody_waits_for_is_a_whole_one(tmp_path: Path) -> None:
    servers = {name: Scripted() for name in ("one", "two")}
    dial = dial_to(servers)
    off = spec("two", enabled=False)
    async with open_host(config(spec("one"), off), cwd=tmp_path, dial=dial) as host:
        await host.settled()
        reload = asyncio.ensure_future(host.reload(config(spec("two"))))
        await turns()
        reload.cancel()
        await asyncio.wait([reload])
        await host.settled()
        assert isinstance(host.server("two").status, Connected)


async def test_an_error_in_the_block_keeps_its_cause(opened: Opened) -> None:
    async def use() -> None:
        async with opened({"clock": Scripted()}):
            try:
                raise ZeroDivisionError
            except ZeroDivisionError as error:
                raise LookupError("mine") from error

    with pytest.raises(LookupError) as caught:
        await use()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


async def test_a_host_may_be_closed_by_another_task_than_the_one_that_opened_it(tmp_path: Path) -> None:
    opening = open_host(config(spec("clock")), cwd=tmp_path, dial=dial_to({"clock": Scripted()}))
    host = await asyncio.create_task(opening.__aenter__())
    assert (await host.call(None, "clock_tick")).text == "tick done"
    await asyncio.create_task(opening.__aexit__(None, None, None))
    assert len(asyncio.all_tasks()) == 1


async def test_a_host_whose_end_is_given_up_has_ended_all_the_same(tmp_path: Path) -> None:
    """The end of a server takes its time; two who are in a hurry do not leave it behind."""
    closing, free = asyncio.Event(), asyncio.Event()
    good = dial_to({"clock": Scripted()})

    def dial(order: Any) -> Any:
        return _Slow(good(order), closing, free)

    async def use() -> None:
        async with open_host(config(spec("clock")), cwd=tmp_path, dial=dial) as host:
            await host.settled()

    using = asyncio.create_task(use())
    async with asyncio.timeout(5):
        await closing.wait()
        using.cancel()
        await turns()
        using.cancel()
        await turns(20)
        assert not using.done()
        free.set()
        await asyncio.wait([using])
    assert using.cancelled()
    assert len(asyncio.all_tasks()) == 1


class _Slow:
    """A session whose end waits until it is free to."""

    def __init__(self, session: Any, closing: asyncio.Event, free: asyncio.Event) -> None:
        self._session, self._closing, self._free = session, closing, free

    async def __aenter__(self) -> Any:
        return await self._session.__aenter__()

    async def __aexit__(self, *why: Any) -> Any:
        self._closing.set()
        freed = asyncio.ensure_future(self._free.wait())
        while not freed.done():
            try:
                await asyncio.shield(freed)
            except asyncio.CancelledError:
                continue
        return await self._session.__aexit__(*why)


async def test_a_call_that_began_has_an_end_whatever_the_caller_does(opened: Opened) -> None:
    async def ask(_question: object) -> Any:
        raise ZeroDivisionError

    caller = Caller("agent", Face.AGENT, ask=ask)
    ends: list[object] = []
    async with opened({"clock": Scripted()}) as host:
        with host.bus.hear(lambda event: ends.append(event) if isinstance(event, CallEnded) else None):
            with pytest.raises(ZeroDivisionError):
                await host.call(caller, "clock_tick")
            assert [end.outcome for end in ends if isinstance(end, CallEnded)] == ["failed"]


async def test_a_server_whose_entry_is_broken_by_a_reload_is_stopped_and_says_why(tmp_path: Path) -> None:
    server = Scripted()
    good = config(spec("clock", protocol="legacy"))
    bad = config(BadServer("clock", (BadEntry("`command` is no list"),)))
    async with open_host(good, cwd=tmp_path, dial=dial_to({"clock": server})) as host:
        await host.settled()
        await host.reload(bad)
        status = host.server("clock").status
        assert isinstance(status, Failed)
        assert status.error.sentence == "`command` is no list"
        assert not host.catalog.tools()
        async with asyncio.timeout(5):
            await server.left.wait()
        await host.reload(good)
        assert (await host.call(None, "clock_tick")).text == "tick done"


async def test_a_lazy_server_that_is_changed_sleeps_on(tmp_path: Path) -> None:
    server = Scripted()
    dial = dial_to({"clock": server})
    for _ in range(2):
        async with open_host(config(spec("clock", lazy=True)), cwd=tmp_path, dial=dial) as host:
            await host.settled()
            assert server.connections == 1
            await host.reload(config(spec("clock", lazy=True, trusted=True)))
            await host.settled()
            assert server.connections == 1
            assert [tool.name for tool in host.catalog.tools()] == ["clock_tick"]


@pytest.mark.parametrize("count", range(0, 90, 5))
async def test_a_call_may_be_given_up_at_any_moment(tmp_path: Path, count: int) -> None:
    """While its server is dialled, while somebody is asked, while it runs, and when it is done."""
    server, answers = Scripted(), asyncio.Event()

    async def ask(_question: object) -> Allowed:
        await turns(10)
        answers.set()
        return Allowed(Scope.ONCE)

    caller = Caller("agent", Face.AGENT, ask=ask)
    dial = dial_to({"clock": server})
    async with open_host(config(spec("clock", protocol="legacy")), cwd=tmp_path, dial=dial) as host:
        calls = [asyncio.ensure_future(host.call(caller, "clock_tick")) for _ in range(3)]
        await turns(count)
        for call in calls:
            call.cancel()
        async with asyncio.timeout(5):
            await asyncio.wait(calls)
            assert all(call.cancelled() or call.result().text == "tick done" for call in calls)
            assert (await host.call(caller, "clock_tick")).text == "tick done"
        assert answers.is_set()
        assert server.asked["notifications/cancelled"] <= server.asked["tools/call"] <= 4
    assert len(asyncio.all_tasks()) == 1
