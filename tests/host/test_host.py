"""A host from outside: what is configured is connected, listed and called."""

from __future__ import annotations

import asyncio

import pytest
from mcp.server.mcpserver import Context, MCPServer
from tests.host.conftest import Opened, spec

from mooring.core.status import Connected, Disabled, Failed
from mooring.errors import RequiredServer, UnknownItem, UnknownServer, UnknownTool


def notes() -> MCPServer:
    server = MCPServer("notes", instructions="Keep it short")
    kept: list[str] = []

    @server.tool()
    async def add(text: str, ctx: Context) -> str:
        kept.append(text)
        await ctx.report_progress(1, 2, "half way")
        return f"{len(kept)} notes"

    @server.resource("note://first")
    def first() -> str:
        return kept[0]

    @server.resource("note://{number}/text")
    def numbered(number: str) -> str:
        return kept[int(number)]

    @server.prompt()
    def sum_up(tone: str) -> str:
        return f"Sum up in a {tone} tone"

    return server


async def test_what_is_configured_is_connected_listed_and_called(opened: Opened, protocol: str) -> None:
    heard: list[tuple[float, float | None, str]] = []
    async with opened({"notes": notes()}, protocol=protocol) as host:
        await host.ready()
        assert [tool.name for tool in host.catalog.tools()] == ["notes_add"]
        status = host.server("notes").status
        assert isinstance(status, Connected)
        assert (status.protocol, status.tools, status.resources, status.prompts) == (protocol, 1, 1, 1)
        result = await host.call(
            None, "notes_add", {"text": "milk"}, progress=lambda *said: heard.append(said)
        )
        assert result.text == "1 notes"
        assert heard == [(1.0, 2.0, "half way")]
        assert "milk" in (await host.read(None, "note://first")).text
        assert "milk" in (await host.read(None, "notes:note://0/text")).text
        assert "milk" in (await host.read(None, "note://0/text")).text
        assert "grave" in (await host.prompt(None, "notes:sum_up", {"tone": "grave"})).text


async def test_a_call_waits_for_its_own_server_only(opened: Opened) -> None:
    async def hangs(lines, say) -> None:
        async for _ in lines:
            pass

    async with opened({"notes": notes(), "hung": hangs}) as host, asyncio.timeout(3):
        assert (await host.call(None, "notes_add", {"text": "milk"})).text == "1 notes"
        assert not isinstance(host.server("hung").status, Connected)


async def test_names_that_nobody_has_are_told_apart_from_servers_that_failed(opened: Opened) -> None:
    async def ends(lines, say) -> None:
        """It goes before it has said anything."""

    async with opened({"notes": notes(), "gone": ends}) as host:
        await host.settled()
        with pytest.raises(UnknownTool, match="notes_ad") as caught:
            await host.call(None, "notes_ad")
        assert caught.value.hint == "Did you mean `notes_add`?"
        with pytest.raises(UnknownItem):
            await host.read(None, "note://nowhere/at/all")
        with pytest.raises(UnknownItem):
            await host.prompt(None, "notes:sum")
        with pytest.raises(UnknownServer):
            host.server("note")
        failure = host.server("gone").status
        assert isinstance(failure, Failed)
        with pytest.raises(type(failure.error), match="gone"):
            await host.call(None, "gone_anything")


async def test_a_required_server_that_fails_is_named(opened: Opened) -> None:
    async with opened({}, spec("vital", required=True)) as host:
        with pytest.raises(RequiredServer, match="vital"):
            await host.ready()


async def test_a_server_is_stopped_and_started_by_hand(opened: Opened) -> None:
    async with opened({"notes": notes()}) as host:
        await host.settled()
        assert isinstance((await host.disconnect("notes")).status, Disabled)
        assert isinstance((await host.connect("notes")).status, Connected)
        assert (await host.call(None, "notes_add", {"text": "milk"})).text == "1 notes"


async def test_a_host_that_is_left_at_once_leaves_nothing_behind(opened: Opened) -> None:
    async with opened({f"n{number}": notes() for number in range(20)}):
        pass
    assert len(asyncio.all_tasks()) == 1


async def test_an_error_in_the_block_comes_out_as_it_is(opened: Opened) -> None:
    with pytest.raises(LookupError, match="mine"):
        async with opened({"notes": notes()}):
            raise LookupError("mine")
