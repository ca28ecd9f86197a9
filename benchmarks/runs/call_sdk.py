"""Processor seconds of one call through the SDK's `Client`."""

from __future__ import annotations

import asyncio
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent
from spent import spent


async def main(calls: int, program: list[str]) -> None:
    server = StdioServerParameters(command=program[0], args=program[1:])
    async with Client(stdio_client(server)) as client:
        await client.list_tools()  # else the first call does it

        async def call() -> str:
            result = await client.call_tool("echo", {"text": "hello", "count": 3})
            assert not result.is_error
            part = result.content[0]
            assert isinstance(part, TextContent)
            return part.text

        print(await spent(call, calls))


asyncio.run(main(int(sys.argv[1]), sys.argv[2:]))
