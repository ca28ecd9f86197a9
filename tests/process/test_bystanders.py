"""What one server does wrong is not felt by another."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time

import pytest
from tests.process.stdio import connected
from tests.servers.kit import faulty

from mooring.core.spec import Timeouts
from mooring.errors import MooringError

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="pipes and process groups of POSIX"),
]

FAULTS = [
    *("huge=50", "endless-line=400", "deep", "storm=100000", "flood-stderr=50", "hang-call", "crash-call"),
    *("no-read", "stop-call", "garbage", "bytewise", "duplicate-answers"),
]


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_bystander_stays_quick(fault: str) -> None:
    """What it waits for is its own server: not the deadline of the other, and not our work for the other."""
    loop = asyncio.get_running_loop()
    times = Timeouts(start=20, list=4, call=4, ceiling=8)
    slowest = busiest = 0.0
    async with (
        connected(faulty(name="good")) as good,
        connected(faulty(fault, timeouts=times), "legacy") as bad,
    ):

        async def misbehave() -> None:
            for _ in range(2):
                with contextlib.suppress(MooringError):
                    await bad.call("echo", {"text": "x" * 600_000})

        task = asyncio.create_task(misbehave())
        while not task.done():
            begun, worked = loop.time(), time.thread_time()
            assert (await good.call("echo", {"text": "hello"})).text == "hello"
            slowest = max(slowest, loop.time() - begun)
            busiest = max(busiest, time.thread_time() - worked)
            await asyncio.wait([task], timeout=0.005)
        await task
    assert slowest < times.call
    assert busiest < 0.5


async def test_a_session_may_be_closed_by_another_task_than_the_one_that_opened_it() -> None:
    opened = connected(faulty())
    session = await asyncio.create_task(opened.__aenter__())
    assert (await session.call("echo", {"text": "hello"})).text == "hello"
    await asyncio.create_task(opened.__aexit__(None, None, None))
    assert session.wire.ended.done()
