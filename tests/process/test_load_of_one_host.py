"""Much at once, and often: a host stays as large as it was."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.process.stdio import alive
from tests.process.test_local_sessions import memory
from tests.servers.kit import faulty

from mooring import Host, open_host
from mooring.core.status import Connected

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="memory and descriptors are looked up in /proc"),
]


def entry(*more: str) -> dict[str, Any]:
    return {"command": [sys.executable, *faulty(args=more).args]}


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def echoes(host: Host, numbers: range) -> None:
    calls = [host.call(None, "it_echo", {"text": str(number)}) for number in numbers]
    assert [each.text for each in await asyncio.gather(*calls)] == [str(number) for number in numbers]


async def test_a_thousand_calls_in_flight_come_back_each_to_its_own_and_delay_nobody(tmp_path: Path) -> None:
    async with open_host({"mcp": {"it": entry(), "good": entry()}}, cwd=tmp_path) as host:
        await host.ready()
        slow = [asyncio.create_task(host.call(None, "it_quiet", {"seconds": 1})) for _ in range(200)]
        many = asyncio.create_task(echoes(host, range(1000)))
        async with asyncio.timeout(10):
            assert (await host.call(None, "good_echo", {"text": "hello"})).text == "hello"
        assert not many.done()
        await many
        await asyncio.gather(*slow)


async def test_ten_thousand_calls_leave_nothing(tmp_path: Path) -> None:
    async with open_host({"mcp": {"it": entry()}}, cwd=tmp_path) as host:
        await host.ready()
        with host.bus.subscribe():
            for _ in range(20):
                await echoes(host, range(100))
            before = memory(), descriptors(), len(asyncio.all_tasks())
            for _ in range(100):
                await echoes(host, range(100))
            after = memory(), descriptors(), len(asyncio.all_tasks())
    assert after[0] - before[0] < 2048
    assert after[1:] == before[1:]


async def test_a_server_that_is_killed_again_and_again_leaves_nothing(tmp_path: Path) -> None:
    note = tmp_path / "pids"
    async with open_host({"mcp": {"it": entry("--note", str(note))}}, cwd=tmp_path) as host:

        async def killed(times: int) -> tuple[int, int]:
            for _ in range(times):
                os.kill(int(note.read_text().split()[-1]), signal.SIGKILL)
                async with asyncio.timeout(10):
                    with host.bus.subscribe() as events:
                        while isinstance(host.server("it").status, Connected):
                            await anext(events)
                assert isinstance((await host.connect("it")).status, Connected)
            return descriptors(), len(asyncio.all_tasks())

        await host.ready()
        before = await killed(2)
        assert await killed(20) == before
        assert sum(alive(int(line)) for line in note.read_text().split()) == 1


async def test_hosts_opened_again_and_again_leave_nothing(tmp_path: Path) -> None:
    async def used(times: int) -> tuple[int, int]:
        for _ in range(times):
            async with open_host({"mcp": {"it": entry()}}, cwd=tmp_path) as host:
                await host.call(None, "it_echo", {"text": "x"})
        return descriptors(), len(asyncio.all_tasks())

    assert await used(10) == await used(2)
