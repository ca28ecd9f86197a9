"""All tools of all servers of a file, through our library; prints how many there are."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from mooring import open_host


async def main(file: str) -> None:
    async with open_host(json.loads(Path(file).read_text("utf-8")), leave=True) as host:
        await host.settled()
        print(f"{len(host.catalog.tools())} tools")


asyncio.run(main(sys.argv[1]))
