"""The walk of a change: a server learns something new, and everybody knows.

The server's notice -> its `Link` lists again, in its own task -> the catalogues before and after are compared
-> `CatalogChanged` on the bus -> whoever looks now sees what is there now.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from mcp.server.mcpserver import MCPServer

from mooring import open_host
from mooring.core.changes import Changes, Delta
from mooring.core.events import CatalogChanged, Event
from mooring.testing import dial_to


async def test_what_a_server_learns_is_listed_announced_and_can_be_called(
    ship: MCPServer, protocol: str, tmp_path: Path
) -> None:
    pier = MCPServer("pier")
    pier.add_tool(lambda: "moored", name="moor", description="Tie up.")
    named = {name: {"command": [name], "protocol": protocol} for name in ("ship", "pier")}
    announced: asyncio.Queue[CatalogChanged] = asyncio.Queue()

    def hear(event: Event) -> None:
        if isinstance(event, CatalogChanged):
            announced.put_nowait(event)

    async with open_host({"mcp": named}, cwd=tmp_path, dial=dial_to({"ship": ship, "pier": pier})) as host:
        with host.bus.hear(hear):
            await host.settled()
            # coming up is a change too: everything is new
            first = {event.server: event for event in (await announced.get(), await announced.get())}
            assert first["pier"].changes.tools == Delta(added=("pier_moor",))
            before = host.catalog
            assert before.tool("ship_signal") is None

            await host.call(None, "ship_learn")
            news = await announced.get()
            assert news == CatalogChanged("ship", Changes(tools=Delta(added=("ship_signal",))))

            # who has the old catalogue keeps an old catalogue; who looks again sees the new one
            assert before.tool("ship_signal") is None
            assert host.catalog.tool("ship_signal") is not None
            assert (await host.call(None, "ship_signal", {"flag": "Yellow"})).text == "Yellow is up"

            # the other server was not asked again: what it offers is the very same value
            assert host.catalog.offers["pier"] is before.offers["pier"]
            assert announced.empty()
