"""What is listened on."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.web.client import TOKEN
from tests.web.conftest import Serves

from mooring.errors import PortBusy
from mooring.system.door import App
from mooring.system.door import body as bodies
from mooring.web import server
from mooring.web.server import Turns, listen, run


async def test_answers_do_not_wait_for_the_other_side_to_acknowledge_their_heads() -> None:
    accepted = asyncio.get_running_loop().create_future()

    def connected(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        found: socket.socket = writer.get_extra_info("socket")
        accepted.set_result(found.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    with listen("127.0.0.1", 0) as listener:
        async with await asyncio.start_server(connected, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            assert await accepted
            writer.close()


def test_an_address_that_is_not_ours_cannot_be_listened_on() -> None:
    with pytest.raises(PortBusy, match="cannot be had"):
        listen("192.0.2.1", 4096)


class Caller:
    """Somebody with a connection of their own."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def says(self, text: str) -> None:
        own = f"Host: 127.0.0.1:4096\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json"
        self._writer.write(text.replace("\n", "\r\n").replace("OWN", own).encode())

    async def hears(self) -> tuple[int, Any]:
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        return int(head.split()[1]), json.loads(await self._reader.readexactly(length))

    async def leaves(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


class Place:
    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self._callers: list[Caller] = []

    async def caller(self) -> Caller:
        self._callers.append(Caller(*await asyncio.open_connection(*self._address)))
        return self._callers[-1]

    async def all_leave(self) -> None:
        for caller in self._callers:
            await caller.leaves()


@asynccontextmanager
async def listening(app: App) -> AsyncGenerator[Place]:
    """What `serve` listens with, until the signal that ends it."""
    began = asyncio.Event()
    with listen("127.0.0.1", 0) as listener:
        place = Place(listener.getsockname())
        running = asyncio.create_task(run(app, listener, Turns(began.set, lambda: None)))
        try:
            await began.wait()
            yield place
        finally:
            await place.all_leave()
            if not running.done():
                signal.raise_signal(signal.SIGTERM)
            await running


async def test_one_connection_too_many_is_told_so_and_the_others_are_served(
    serves: Serves, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)
    async with serves({}) as world, listening(world.served.app) as place:
        first, second = await place.caller(), await place.caller()
        for caller in (first, second):
            caller.says('POST /api/v1/call HTTP/1.1\nOWN\nContent-Length: 13\n\n{"name": ')
        status, problem = await (await place.caller()).hears()
        assert (status, problem["status"], problem["code"]) == (503, 503, "MOOR-HTTP-012")
        for caller in (first, second):
            caller.says('"x"}')
            assert (await caller.hears())[1]["code"] == "MOOR-CALL-002"


async def test_a_body_that_stops_on_its_way_is_given_up_and_the_others_are_served(
    serves: Serves, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "IN_TIME", 0.2)
    async with serves({}) as world, listening(world.served.app) as place:
        slow, other = await place.caller(), await place.caller()
        slow.says('POST /api/v1/call HTTP/1.1\nOWN\nContent-Length: 100\n\n{"name": ')
        other.says("GET /global/health HTTP/1.1\nOWN\n\n")
        assert (await other.hears())[0] == 200
        status, problem = await slow.hears()
        assert (status, problem["code"]) == (408, "MOOR-HTTP-011")
