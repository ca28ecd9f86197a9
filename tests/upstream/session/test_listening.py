"""Notices keep coming: in the old era by themselves, in the new one through a request that stays open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from mcp.server.mcpserver import Context, MCPServer
from tests.turns import turns
from tests.upstream.scripted import LEGACY, MODERN, Scripted, order

from mooring.errors import ConnectionLost, ServerError
from mooring.testing import dial_to
from mooring.upstream.session import Listening, listening

Living = MCPServer | Scripted
TOOLS, UPDATED = "notifications/tools/list_changed", "notifications/resources/updated"


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "FIRST_PAUSE", 0.01)


def changing() -> MCPServer:
    server = MCPServer("changing")

    @server.resource("note://one")
    def note() -> str:
        return "a note"

    @server.tool()
    async def change(ctx: Context) -> str:
        await ctx.notify_tools_changed()
        await ctx.notify_resource_updated("note://one")
        return "changed"

    @server.tool()
    async def change_as_of_old(ctx: Context) -> str:
        await ctx.session.send_tool_list_changed()
        await ctx.session.send_resource_updated("note://one")
        return "changed"

    return server


@asynccontextmanager
async def heard(server: Living, protocol: str) -> AsyncIterator[SimpleNamespace]:
    notices: asyncio.Queue[tuple[str, object]] = asyncio.Queue()
    lost = asyncio.Queue()
    wanted = order("it", protocol, notice=lambda method, params, _cause: notices.put_nowait((method, params)))
    async with dial_to({"it": server})(wanted) as session:
        mine = Listening(session, lambda: lost.put_nowait("lost"))
        running = asyncio.create_task(mine.run())
        yield SimpleNamespace(session=session, listening=mine, notices=notices, lost=lost, running=running)
    async with asyncio.timeout(5):
        await running


@pytest.mark.parametrize(("protocol", "tool"), [(MODERN, "change"), (LEGACY, "change_as_of_old")])
async def test_notices_of_both_eras_have_one_shape(protocol: str, tool: str) -> None:
    async with heard(changing(), protocol) as it:
        if protocol == MODERN:
            await it.listening.follow("note://one")
        await it.session.call(tool)
        assert await it.notices.get() == (TOOLS, {})
        assert await it.notices.get() == (UPDATED, {"uri": "note://one"})


async def test_what_is_not_followed_any_more_is_silent() -> None:
    async with heard(changing(), MODERN) as it:
        await it.listening.follow("note://one")
        await it.listening.follow("note://one", wanted=False)
        await it.listening.follow("note://two")
        await it.session.call("change")
        assert await it.notices.get() == (TOOLS, {})
        assert it.notices.empty()


async def test_who_gives_up_takes_nothing_from_others() -> None:
    async with heard(changing(), MODERN) as it:
        one, other = (asyncio.create_task(it.listening.follow("note://one")) for _ in range(2))
        await turns()
        one.cancel()
        await other
        await it.session.call("change")
        assert [await it.notices.get(), await it.notices.get()] == [
            (TOOLS, {}),
            (UPDATED, {"uri": "note://one"}),
        ]


async def test_in_the_old_era_following_is_a_request_of_its_own() -> None:
    server = Scripted(LEGACY, {"resources/subscribe": {}, "resources/unsubscribe": {}})
    async with heard(server, LEGACY) as it:
        await it.listening.follow("note://one")
        await it.listening.follow("note://one", wanted=False)
    assert server.asked("resources/subscribe") == [{"uri": "note://one"}]
    assert server.asked("resources/unsubscribe") == [{"uri": "note://one"}]


def acknowledging(server: Scripted, identity: str, **honoured: object) -> None:
    meta = {"io.modelcontextprotocol/subscriptionId": identity}
    server.say(
        method="notifications/subscriptions/acknowledged", params={"notifications": honoured, "_meta": meta}
    )


async def test_a_request_that_ends_is_made_again_and_the_loss_is_told() -> None:
    server = Scripted(MODERN, {}, capabilities={"tools": {}})

    def listen(identity: str, params: object) -> None:
        acknowledging(server, identity, toolsListChanged=True)
        if identity != "listen-3":
            server.answer(identity, {})

    server.on("subscriptions/listen", listen)
    async with heard(server, MODERN) as it:
        assert [await it.lost.get(), await it.lost.get()] == ["lost", "lost"]
        server.say(method=TOOLS)
        assert await it.notices.get() == (TOOLS, {})
        assert it.lost.empty()
    assert [each["notifications"] for each in server.asked("subscriptions/listen")] == [
        {"toolsListChanged": True}
    ] * 3


async def test_a_server_may_end_it_by_a_notice_too() -> None:
    server = Scripted(MODERN, {}, capabilities={"tools": {}})

    def listen(identity: str, params: object) -> None:
        acknowledging(server, identity, toolsListChanged=True)
        if identity == "listen-1":
            server.say(method="notifications/cancelled", params={"requestId": identity})

    server.on("subscriptions/listen", listen)
    async with heard(server, MODERN) as it:
        assert await it.lost.get() == "lost"
        assert len(server.asked("subscriptions/listen")) == 2


async def test_a_server_without_it_is_asked_once() -> None:
    server = Scripted(MODERN, {}, capabilities={"tools": {}})
    async with heard(server, MODERN) as it:
        with pytest.raises(ServerError, match="no such method"):
            await it.listening.follow("note://one")
    assert len(server.asked("subscriptions/listen")) <= 2


async def test_a_server_that_tells_nothing_is_not_held_on_to() -> None:
    server = Scripted(MODERN, {}, capabilities={"tools": {}})
    server.on("subscriptions/listen", lambda identity, _params: acknowledging(server, identity))
    async with heard(server, MODERN) as it:
        assert await server.heard("notifications/cancelled") == {"requestId": "listen-1", **server.reason}
        with pytest.raises(ServerError, match="does not tell when `note://one` changes"):
            await it.listening.follow("note://one")
        assert it.session.wire.pending == 0


async def test_a_server_with_nothing_to_list_is_not_asked_at_all() -> None:
    server = Scripted(MODERN, {"tools/list": {"tools": []}})
    async with heard(server, MODERN) as it:
        await it.session.ask("tools/list", {}, 5)
    assert server.asked("subscriptions/listen") == []


async def test_the_end_of_the_connection_ends_it_and_whoever_waits() -> None:
    server = Scripted(MODERN, {}, capabilities={"tools": {}})
    server.on("subscriptions/listen", lambda _identity, _params: server.leave())
    async with heard(server, MODERN) as it:
        with pytest.raises(ConnectionLost):
            await it.listening.follow("note://one")
        async with asyncio.timeout(5):
            await it.running


async def test_a_silent_server_is_given_up_and_asked_again() -> None:
    server = Scripted(MODERN, {}, capabilities={"tools": {}})

    def listen(identity: str, params: object) -> None:
        if identity != "listen-1":
            acknowledging(server, identity, toolsListChanged=True)

    server.on("subscriptions/listen", listen)
    async with heard(server, MODERN) as it:
        it.session.timeouts = type(it.session.timeouts)(list=0.05)
        assert (await server.heard("notifications/cancelled"))["requestId"] == "listen-1"
        await server.heard("subscriptions/listen", times=2)
        assert it.session.wire.pending == 1
