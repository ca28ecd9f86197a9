"""What is listened on."""

from __future__ import annotations

import asyncio
import socket

import pytest

from mooring.errors import PortBusy
from mooring.web.server import listen


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
