"""The SDK's own session on top of our engine, with a real program at the other end."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
import pytest
from mcp.client.session import ClientSession
from mcp.client.subscriptions import ToolsListChanged, listen
from mcp.shared.dispatcher import Dispatcher
from mcp.shared.exceptions import MCPError
from tests.servers.kit import faulty

from mooring.upstream.stdio.carrier import StdioCarrier
from mooring.upstream.stdio.process import LocalProcess
from mooring.upstream.stdio.said import Said
from mooring.upstream.wire import Wire
from mooring.upstream.wire.dispatcher import WireDispatcher

pytestmark = pytest.mark.process
ERAS = pytest.mark.parametrize("era", ["legacy", "modern"])


@asynccontextmanager
async def talking(era: str, *faults: str, **callbacks: Any) -> AsyncIterator[ClientSession]:
    spec = faulty(*faults, era=era)
    wire = Wire("it")
    process = LocalProcess([spec.command, *spec.args], dict(os.environ), os.getcwd())  # noqa: PTH109
    carrier = StdioCarrier(wire, process, Said())
    try:
        await carrier.open()
        wire.carrier = carrier
        dispatcher: Dispatcher[Any] = WireDispatcher(wire, MCPError, ceiling=20)
        async with ClientSession(dispatcher=dispatcher, **callbacks) as session:
            await (session.initialize() if era == "legacy" else session.discover())
            yield session
    finally:
        await carrier.aclose()


def said(result: types.CallToolResult) -> str:
    [part] = result.content
    assert isinstance(part, types.TextContent)
    return part.text


@ERAS
async def test_it_is_greeted_and_its_tools_are_listed_and_called(era: str) -> None:
    async with talking(era) as session:
        assert session.protocol_version == ("2025-11-25" if era == "legacy" else "2026-07-28")
        assert "echo" in [tool.name for tool in (await session.list_tools()).tools]
        texts = await asyncio.gather(*(session.call_tool("echo", {"text": str(n)}) for n in range(50)))
        assert [said(each) for each in texts] == [str(n) for n in range(50)]


@ERAS
async def test_progress_is_heard_and_keeps_a_call_alive(era: str) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async with talking(era) as session:
        result = await session.call_tool(
            "sleep", {"seconds": 1}, read_timeout_seconds=0.5, progress_callback=hear
        )
        assert said(result) == "slept 1 s"
        assert heard[0] == (1, 10, "at work")


@ERAS
async def test_a_call_that_is_given_up_is_cancelled(era: str) -> None:
    async with talking(era) as session:
        waiting = asyncio.create_task(session.call_tool("quiet", {"seconds": 30}))
        await session.call_tool("echo", {"text": "written"})
        waiting.cancel()
        await asyncio.wait([waiting])
        assert waiting.cancelled()
        with pytest.raises(MCPError) as late:
            await session.call_tool("quiet", {"seconds": 30}, read_timeout_seconds=0.1)
        assert late.value.code == -32001
        heard = json.loads(said(await session.call_tool("heard")))
        assert [each["method"] for each in heard].count("notifications/cancelled") == 2


@ERAS
async def test_errors_are_the_sdks(era: str) -> None:
    async with talking(era, "crash-call=2") as session:
        with pytest.raises(MCPError) as refused:
            await session.call_tool("no-such-tool")
        assert (refused.value.code, refused.value.message) == (-32602, "Unknown tool: no-such-tool")
        for _ in range(2):
            with pytest.raises(MCPError) as gone:
                await session.call_tool("echo")
            assert gone.value.code == -32000


async def test_questions_of_the_old_era_are_answered_by_its_callbacks() -> None:
    async def elicit(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async with talking("legacy", elicitation_callback=elicit) as session:
        assert json.loads(said(await session.call_tool("ask")))["content"] == {"name": "Ada"}
    async with talking("legacy") as session:
        assert "not supported" in said(await session.call_tool("ask"))


async def test_notices_of_the_old_era_reach_its_handler() -> None:
    heard: asyncio.Queue[object] = asyncio.Queue()

    async def hear(message: object) -> None:
        heard.put_nowait(message)

    async with talking("legacy", message_handler=hear) as session:
        await session.call_tool("grow")
        assert isinstance(await heard.get(), types.ToolListChangedNotification)


async def test_its_subscriptions_work_in_the_new_era() -> None:
    async with talking("modern") as session, listen(session, tools_list_changed=True) as subscription:
        await session.call_tool("grow")
        assert await anext(subscription) == ToolsListChanged()
