"""Processor seconds of one call through the SDK's `Client`, over `stdio` or `http`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent
from serving import serving
from spent import on_one_core, spent


async def through(client: Client, calls: int) -> float:
    await client.list_tools()  # else the first call does it

    async def call() -> str:
        result = await client.call_tool("echo", {"text": "hello", "count": 3})
        assert not result.is_error
        part = result.content[0]
        assert isinstance(part, TextContent)
        return part.text

    return await spent(call, calls)


async def main(how: str, calls: int, program: Sequence[str]) -> float:
    if how == "stdio":
        server = StdioServerParameters(command=program[0], args=list(program[1:]))
        async with Client(stdio_client(server)) as client:
            return await through(client, calls)
    with serving(program) as address:
        async with Client(address) as client:
            return await through(client, calls)


on_one_core()
print(asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])))
