"""A host in a process of its own, with a server that misbehaves and a bystander; prints what came of it.

    python tests/process/one_host.py '{"bad": {…}, "good": {…}, "words": 5, "calls": 3}'

`bad` and `good` are entries of a configuration. The tool `echo` of the first is called `calls` times, with so
many characters, one call after the other; all the while the second is called. `busy` is the most seconds of
computing for which nobody else had a turn; a machine that is busy with other things does not change that.
`memory` is the most that there was of it, in MiB.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from mooring import Host, open_host
from mooring.core import views
from mooring.errors import MooringError


async def bystander(host: Host, found: dict[str, Any], over: asyncio.Event) -> None:
    found.update(slowest=0.0, bystander=0)
    while not over.is_set():
        begun = time.monotonic()
        assert (await host.call(None, "good_echo", {"text": "hello"})).text == "hello"
        found["slowest"] = max(found["slowest"], time.monotonic() - begun)
        found["bystander"] += 1
        await asyncio.sleep(0.005)


async def ticker(found: dict[str, Any], over: asyncio.Event) -> None:
    found["busy"] = 0.0
    while not over.is_set():
        begun = time.thread_time()
        await asyncio.sleep(0.01)
        found["busy"] = max(found["busy"], time.thread_time() - begun)


async def call(host: Host, words: int) -> dict[str, Any]:
    begun = time.monotonic()
    try:
        text = (await host.call(None, "bad_echo", {"text": "x" * words})).text
    except MooringError as error:
        return {"code": error.code, "hint": error.hint, "seconds": time.monotonic() - begun}
    return {"code": "", "text": text[:100], "seconds": time.monotonic() - begun}


def view(host: Host) -> Any:
    return views.server(host.server("bad"))


async def run(asked: dict[str, Any], found: dict[str, Any]) -> None:
    over = asyncio.Event()
    opened = time.monotonic()
    async with open_host({"mcp": {"good": asked["good"], "bad": asked["bad"]}}) as host:
        await host.settled(["good"])
        async with asyncio.TaskGroup() as group:
            group.create_task(bystander(host, found, over))
            group.create_task(ticker(found, over))
            await host.settled(["bad"])
            found["settled"] = time.monotonic() - opened
            found["first"] = view(host)
            found["calls"] = [await call(host, asked["words"]) for _ in range(asked["calls"])]
            found["last"] = view(host)
            over.set()
        closing = time.monotonic()
    found["closed"] = time.monotonic() - closing


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def most_memory() -> int:
    """In MiB. What `getrusage` says would count whoever started this process too, until it was replaced."""
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line]
    return int(line.split()[1]) // 1024


async def main() -> None:
    found: dict[str, Any] = {}
    before = descriptors()
    await run(json.loads(sys.argv[1]), found)
    found["tasks"] = len(asyncio.all_tasks()) - 1
    found["descriptors"] = descriptors() - before
    found["memory"] = most_memory()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main())
