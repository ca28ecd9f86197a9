"""The socket of this machine: whom it lets in, and what it does with what was left there."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from mooring.errors import AlreadyServed, StorageError

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="Windows has no socket that a command could find `serve` by"
)


@pytest.fixture
def path() -> Generator[str]:
    """In a short folder, since a socket's path is."""
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        yield f"{short}/mooring/name.sock"


class Echo(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._transport.write(b"heard " + data)
        self._transport.close()


async def answer(path: str, sent: bytes) -> bytes:
    from mooring.web.local import Local, meet

    async def app(*_: object) -> None: ...

    async def finish(_: float) -> None: ...

    with meet(path) as listener:
        local = Local(listener, app, {b"\0": Echo}, finish)
        loop = asyncio.get_running_loop()
        async with await loop.create_unix_server(lambda: local.protocol(Echo), sock=listener):
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(sent)
            try:
                return await reader.read()
            except ConnectionError:
                return b""
            finally:
                writer.close()


async def test_whoever_is_the_user_is_answered_in_the_words_that_they_use(path: str) -> None:
    assert await answer(path, b"\0attach") == b"heard \0attach"
    assert await answer(path, b"GET / HTTP/1.1") == b"heard GET / HTTP/1.1"


async def test_nobody_else_is(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mooring.web.local.user_of", lambda _: os.geteuid() + 1)
    assert await answer(path, b"\0attach") == b""


def test_a_place_that_is_taken_is_not_taken_away(path: str) -> None:
    from mooring.web.local import meet

    with meet(path), pytest.raises(AlreadyServed, match=f"by process {os.getpid()}"), meet(path):
        pass
    assert not Path(path).exists()


def test_what_was_left_behind_is_replaced(path: str) -> None:
    from mooring.web.local import meet

    Path(path).parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(path)
    with meet(path):
        assert Path(path).stat().st_mode & 0o777 == 0o600
    assert not Path(path).exists()


def test_a_folder_that_others_may_write_to_is_no_place(path: str) -> None:
    from mooring.web.local import meet

    Path(path).parent.mkdir()
    Path(path).parent.chmod(0o777)
    with pytest.raises(StorageError, match="written to by other users"), meet(path):
        pass
