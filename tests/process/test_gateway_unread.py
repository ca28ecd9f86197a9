"""A client of the gateway that does not read its answers: what waits for it is bounded."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from mooring.errors import NothingRead
from mooring.gateway import stdio as gateway

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="the event loop of Windows cannot read from pipes"),
]

WITHIN = 40
ANSWER = b"x" * (1024 * 1024)
COUNT = 64


class Talking:
    """Answers each line at once, with as much as it likes."""

    def __init__(self, say: Callable[[bytes], None]) -> None:
        self.say = say
        self.said = 0
        self.most = 0
        self.taken = 0
        self.heard = asyncio.Event()

    def hear(self, line: bytes) -> None:
        self.say(line + ANSWER)
        self.said += len(line) + len(ANSWER) + 1
        self.most = max(self.most, self.said - self.taken)
        self.heard.set()

    def close(self) -> list[asyncio.Task[Any]]:
        return []


class Served:
    """The gateway at two pipes, and its client's ends of them."""

    def __init__(self) -> None:
        inward, self.to = os.pipe()
        self.of, outward = os.pipe()
        self._begun: asyncio.Future[Talking] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(gateway.stdio(self._begin, inward, outward))  # type: ignore[arg-type]

    def _begin(self, say: Callable[[bytes], None]) -> Talking:
        talking = Talking(say)
        self._begun.set_result(talking)
        return talking

    async def talking(self) -> Talking:
        return await self._begun


async def test_a_client_that_does_not_read_is_not_listened_to() -> None:
    """Not even to the rest of what it wrote at once; and nothing of it is lost when it reads again."""
    it = Served()
    async with asyncio.timeout(WITHIN):
        talking = await it.talking()
        os.write(it.to, b"".join(b"%d \n" % number for number in range(COUNT)))
        await talking.heard.wait()
        assert talking.said <= gateway.HIGH_WATER + 2 * len(ANSWER)
        numbers, rest = [], b""
        while len(numbers) < COUNT:
            data = await asyncio.to_thread(os.read, it.of, 1 << 20)
            talking.taken += len(data)
            *lines, rest = (rest + data).split(b"\n")
            numbers += [int(line.partition(b" ")[0]) for line in lines]
        assert numbers == list(range(COUNT))
        assert talking.most <= gateway.HIGH_WATER + 3 * len(ANSWER)
        os.close(it.to)
        await it.task
    os.close(it.of)


async def test_a_client_that_takes_nothing_at_all_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """What servers tell by themselves would wait for it without an end."""
    monkeypatch.setattr(gateway, "MOST_UNREAD", 8 * len(ANSWER))
    it = Served()
    async with asyncio.timeout(WITHIN):
        talking = await it.talking()
        for _ in range(64):
            talking.say(ANSWER)
        with pytest.raises(NothingRead) as raised:
            await it.task
    assert raised.value.sentence == "the client left 8 MiB of answers unread"
    os.close(it.to)
    os.close(it.of)
