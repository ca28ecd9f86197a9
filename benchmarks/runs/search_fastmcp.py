"""The share of requests that have an acceptable tool among the first five of FastMCP's search by words."""

# pyright: basic, reportMissingImports=false
from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from fastmcp import Client, FastMCP
from fastmcp.server.transforms.search.bm25 import BM25SearchTransform
from fastmcp.tools.base import Tool, ToolResult

sys.path.insert(0, str(Path(__file__).parents[1]))
from wishes import asked, catalogue


class Listed(Tool):
    async def run(self, arguments: dict[str, Any]) -> ToolResult:  # noqa: ARG002 - its signature
        return ToolResult(content=[])


async def main(which: str, file: str) -> float:
    tools = catalogue(Path(file))
    server = FastMCP("bench")
    own: dict[str, str] = {}
    for name, offered in tools.items():
        for tool in offered:
            public = f"{name}_{tool['name']}"
            own[public] = f"{name}/{tool['name']}"
            description = tool.get("description") or ""
            server.add_tool(Listed(name=public, description=description, parameters=tool["inputSchema"]))
    # Its names are all that is needed, and what else it writes for each tool would only take time.
    names = BM25SearchTransform(
        max_results=5, search_result_serializer=lambda found: [{"name": each.name} for each in found]
    )
    server.add_transform(names)
    hits = 0
    requests = asked(which, tools)
    async with Client(server) as client:
        for request, wanted in requests:
            answer = await client.call_tool("search_tools", {"query": request})
            found = json.loads(answer.content[0].text) if answer.content else []
            hits += bool(wanted & {own[each["name"]] for each in found})
    return hits / len(requests)


print(asyncio.run(main(*sys.argv[1:3])))
