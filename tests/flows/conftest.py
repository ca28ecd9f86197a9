"""What every walk starts from: the era that it is walked in, and a server that lives in the test."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations


@pytest.fixture(params=["2025-11-25", "2026-07-28"])
def protocol(request: pytest.FixtureRequest) -> str:
    """The last version of the old era, and the first one of the new."""
    return request.param


@dataclass(slots=True)
class Logbook:
    """What the server does, seen from its own side."""

    kept: list[str] = field(default_factory=list)
    patience: asyncio.Event = field(default_factory=asyncio.Event)
    is_waiting: asyncio.Event = field(default_factory=asyncio.Event)
    was_cancelled: asyncio.Event = field(default_factory=asyncio.Event)


@pytest.fixture
def logbook() -> Logbook:
    return Logbook()


@pytest.fixture
def ship(logbook: Logbook) -> MCPServer:
    """A logbook that can be written and read, and that gets another tool when somebody asks for it."""
    server = MCPServer("ship", version="1.2.0", instructions="Write down what happens")

    @server.tool(description="Write a line into the logbook.")
    async def write(text: str, ctx: Context) -> str:
        await ctx.report_progress(1, 2, "the ink is wet")
        logbook.kept.append(text)
        return f"line {len(logbook.kept)}"

    @server.tool(annotations=ToolAnnotations(read_only_hint=True), description="Wait for the wind.")
    async def wait(ctx: Context) -> str:
        logbook.is_waiting.set()
        try:
            await logbook.patience.wait()
        except BaseException:
            logbook.was_cancelled.set()
            raise
        return "it blows"

    @server.tool(description="Sail off the map.")
    async def sink() -> str:
        raise ToolError("there is no water here")

    @server.tool(description="Learn to signal.")
    async def learn(ctx: Context) -> str:
        def signal(flag: str) -> str:
            return f"{flag} is up"

        server.add_tool(signal, description="Show a flag.")
        # each era hears of it in its own way, and does not hear of the other's
        await ctx.notify_tools_changed()
        await ctx.session.send_tool_list_changed()
        return "learnt"

    @server.resource("log://today", description="Today's lines.")
    def today() -> str:
        return "\n".join(logbook.kept)

    return server
