"""Servers written with the SDK, as something that hears lines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, cast

from mooring.upstream.memory import Speak

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp.server.mcpserver import MCPServer

__all__ = ["spoken"]


def spoken(server: MCPServer[Any] | Server[Any]) -> Speak:
    """It may be connected to many times, also at once; each time it begins anew."""

    async def speak(lines: AsyncIterator[bytes], say: Callable[[bytes], None]) -> None:
        import anyio  # noqa: PLC0415 - dear, and for servers in this process only
        from mcp.shared.message import SessionMessage  # noqa: PLC0415
        from mcp_types import jsonrpc_message_adapter  # noqa: PLC0415

        low = cast("Server[Any]", getattr(server, "_lowlevel_server", server))
        to_server, heard = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        said, from_server = anyio.create_memory_object_stream[SessionMessage](0)

        async def hear() -> None:
            async with to_server:
                async for line in lines:
                    try:
                        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                    except ValueError as error:
                        await to_server.send(error)
                    else:
                        await to_server.send(SessionMessage(message))

        async def tell() -> None:
            async with from_server:
                async for each in from_server:
                    text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                    say(text.encode() + b"\n")

        async with asyncio.TaskGroup() as group:
            hearing = group.create_task(hear())
            group.create_task(tell())
            async with heard, said:
                await low.run(heard, said, low.create_initialization_options())
            hearing.cancel()

    return speak
