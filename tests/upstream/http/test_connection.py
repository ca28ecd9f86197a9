"""A kept connection is looked at before it is used again."""

from __future__ import annotations

import asyncio
import gc
import socket
import warnings

import pytest
from tests.turns import turns

from mooring.system.address import Address
from mooring.system.certificates import Certificates
from mooring.upstream.http.route import Route


async def test_an_end_that_nobody_has_heard_of_yet_is_noticed_before_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = Address.of(f"http://127.0.0.1:{listener.getsockname()[1]}/")
        connection = await Route(address, Certificates({})).open()
        peer, _ = listener.accept()
        assert connection.is_usable()
        peer.close()
        # Nothing was waited for in between, so the loop cannot know.
        assert connection.is_open
        assert not connection.is_usable()
        connection.abort()


async def test_what_comes_unasked_is_never_taken_for_an_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = Address.of(f"http://127.0.0.1:{listener.getsockname()[1]}/")
        connection = await Route(address, Certificates({})).open()
        peer, _ = listener.accept()
        peer.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        assert not connection.is_usable()
        connection.abort()
        peer.close()


@pytest.mark.parametrize("after", range(10))
async def test_what_is_given_up_while_it_is_opened_leaves_no_socket(after: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        address = Address.of(f"http://127.0.0.1:{listener.getsockname()[1]}/")
        opening = asyncio.create_task(Route(address, Certificates({})).open())
        await turns(after)
        opening.cancel()
        await asyncio.wait([opening])
        if not opening.cancelled():
            opening.result().abort()
        del opening
        # What was closed is gone after another turn.
        await turns()
        gc.collect()
    assert [str(each.message) for each in said] == []
