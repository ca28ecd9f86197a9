"""A kept connection is looked at before it is used again."""

from __future__ import annotations

import socket

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
