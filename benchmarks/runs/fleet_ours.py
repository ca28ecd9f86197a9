"""All tools of all servers of a file, through our library; prints how many there are."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mooring import open_host


async def main(config: Mapping[str, Any]) -> None:
    async with open_host(config, leave=True) as host:
        await host.settled()
        print(f"{len(host.catalog.tools())} tools")


asyncio.run(main(json.loads(Path(sys.argv[1]).read_text("utf-8"))))
