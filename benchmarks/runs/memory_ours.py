"""Bytes that a host keeps for more: `tools` for a thousand of them, `server` for one connected server.

`traced` counts what Python has allocated, `resident` what the process occupies.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

from mooring import Host, open_host
from mooring.config.load import given_as
from mooring.core.spec import Config
from mooring.system.dirs import Dirs

MORE_TOOLS = 1000  # of two servers: more than 512 of one are not listed
MORE_SERVERS = 20
BEFORE = {"tools": ("1", 2), "server": ("5", 5)}
AFTER = {"tools": (str(1 + MORE_TOOLS // 2), 2), "server": ("5", 5 + MORE_SERVERS)}


def config(program: Sequence[str], tools: str, count: int) -> Config:
    servers = {f"server-{number}": {"command": [*program, "--tools", tools]} for number in range(count)}
    return given_as({"mcp": servers}, Path.cwd(), Dirs.of(os.environ))


def occupied(how: str) -> int:
    gc.collect()
    if how == "traced":
        return tracemalloc.get_traced_memory()[0]
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def settled(host: Host, tools: int) -> None:
    """Everything is listed, announced, and nothing of it is on its way any more."""
    await host.settled()
    found = len(host.catalog.tools())
    assert found == tools, f"{found} tools, not {tools}: {host.servers()}"
    await asyncio.sleep(0.2)


async def main(what: str, how: str, program: Sequence[str]) -> float:
    (tools, count), (more_tools, more) = BEFORE[what], AFTER[what]
    if how == "traced":
        tracemalloc.start()
    async with open_host(config(program, tools, count), leave=True) as host:
        await settled(host, int(tools) * count)
        before = occupied(how)
        await host.reload(config(program, more_tools, more))
        await settled(host, int(more_tools) * more)
        grown = occupied(how) - before
    return max(0, grown) / (1 if what == "tools" else MORE_SERVERS)


print(asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:])))
