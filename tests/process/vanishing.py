"""A host whose remote server vanishes without a word, and comes back; prints what came of it.

    unshare --map-root-user --net python -m tests.process.vanishing calling 2025-11-25

The server is in a network of its own, and the cable between the two is pulled: nothing is answered any
more, not even with a refusal, and no connection ends. With `calling` a call is made then, with `idle` nobody
wants anything.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.process import one_host
from tests.servers.kit import FAULTY
from tests.servers.scripted_http import STREAM, Request, http_server

from mooring import Host, open_host
from mooring.host import attend

OURS, THEIRS = "10.9.0.1", "10.9.0.2"
TIMES = {"start": 3000, "list": 3000, "call": 1500, "ceiling": 4000}


def run(*words: str) -> None:
    subprocess.run(words, check=True, timeout=10)


class Cable:
    """From here to the network of another process; this side does not see when the other one is pulled."""

    def __init__(self, pid: int) -> None:
        self._there = ("nsenter", "--target", str(pid), "--net")
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "here", "type", "veth", "peer", "name", "there", "netns", str(pid))
        run("ip", "address", "add", f"{OURS}/30", "dev", "here")
        run("ip", "link", "set", "here", "up")
        mac = "02:00:00:00:00:02"
        run(*self._there, "ip", "link", "set", "there", "address", mac)
        run(*self._there, "ip", "address", "add", f"{THEIRS}/30", "dev", "there")
        # Otherwise the kernel would say after a while that nobody has this address.
        run("ip", "neighbour", "replace", THEIRS, "lladdr", mac, "dev", "here", "nud", "permanent")
        self.plug()

    def plug(self, how: str = "up") -> None:
        run(*self._there, "ip", "link", "set", "there", how)


async def peer(protocol: str) -> None:
    """The server: it keeps its own stream open, so that a connection is idle in both directions."""

    async def own(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM)
        await asyncio.Event().wait()

    headers = {"mcp-session-id": "s-1"}
    everywhere = "0.0.0.0"
    async with http_server(host=everywhere, on={"GET": own}, protocol=protocol, headers=headers) as server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


@contextmanager
def peer_beyond(protocol: str) -> Iterator[tuple[str, Cable]]:
    words = ["unshare", "--net", sys.executable, "-m", "tests.process.vanishing", "peer", protocol]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            yield f"http://{THEIRS}:{port}/mcp", Cable(process.pid)
        finally:
            process.kill()


async def until(host: Host, *, connected: bool) -> float:
    begun = time.monotonic()
    with host.bus.subscribe() as events:
        async with asyncio.timeout(20):
            while (one_host.view(host)["status"] == "connected") is not connected:
                await anext(events)
    return time.monotonic() - begun


async def watch(host: Host, cable: Cable, found: dict[str, Any], *, calling: bool) -> None:
    over = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(one_host.bystander(host, found, over))
        group.create_task(one_host.ticker(found, over))
        found["before"] = await one_host.call(host, 5)
        await asyncio.to_thread(cable.plug, "down")
        found["during"] = await one_host.call(host, 5) if calling else None
        found["noticed"] = await until(host, connected=False)
        found["view"] = one_host.view(host)
        found["after"] = await one_host.call(host, 5)
        await asyncio.to_thread(cable.plug)
        found["returned"] = await until(host, connected=True)
        found["again"] = await one_host.call(host, 5)
        await asyncio.to_thread(cable.plug, "down")
        over.set()


async def main(how: str, protocol: str) -> None:
    attend.LOOK_AFTER = attend.ANSWER_WITHIN = 1.0
    found: dict[str, Any] = {}
    with peer_beyond(protocol) as (url, cable):
        good = {"command": [sys.executable, "-S", "-E", str(FAULTY)]}
        bad = {"url": url, "timeout": TIMES}
        async with open_host({"mcp": {"good": good, "bad": bad}}) as host:
            await host.settled()
            await watch(host, cable, found, calling=how == "calling")
            closing = time.monotonic()
        found["closed"] = time.monotonic() - closing
    found["tasks"] = len(asyncio.all_tasks()) - 1
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(peer(sys.argv[2]) if sys.argv[1] == "peer" else main(*sys.argv[1:]))
