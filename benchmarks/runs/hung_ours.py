"""Seconds of one call: `alone`, beside a server that hangs in a `call`, or one that hangs at its `start`.

It is the fastest of many calls: what else happens on the machine is not the hung server's doing.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence

from mooring import open_host

BATCH = 100


async def main(how: str, calls: int, program: Sequence[str]) -> float:
    servers = {"one": {"command": list(program)}}
    if how == "call":
        servers["hung"] = {"command": [*program, "--hang"]}
    elif how == "start":
        servers["hung"] = {"command": [*program, "--startup", "60000"]}
    async with open_host({"mcp": servers, "permission": {"*": "allow"}}, leave=True) as host:
        await host.settled(["one"])
        hung = None
        if how == "call":
            await host.settled()
            hung = asyncio.create_task(host.call(None, "hung_echo", {"text": "x"}))
            await asyncio.sleep(0)
        taken: list[float] = []
        for _ in range(calls // BATCH):
            started = time.perf_counter()
            for _ in range(BATCH):
                await host.call(None, "one_echo", {"text": "x"})
            taken.append((time.perf_counter() - started) / BATCH)
        if hung is not None:
            assert not hung.done()
            hung.cancel()
            await asyncio.wait([hung])
        return min(taken)


print(asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])))
