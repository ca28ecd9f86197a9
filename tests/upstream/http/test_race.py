"""Hosts with several addresses: one is used, dead ones delay nobody, and nothing stays open."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.turns import turns

from mooring.errors import Unreachable
from mooring.system.address import Address
from mooring.system.certificates import Certificates
from mooring.upstream.http.race import connected
from mooring.upstream.http.route import Route

Named = Callable[..., None]


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Named:
    """From now on every name has these addresses, without a resolver's thread in between."""

    def give(*addresses: tuple[str, int]) -> None:
        async def getaddrinfo(*_: Any, **__: Any) -> list[Any]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", address) for address in addresses]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)

    return give


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0), backlog=512)) as server:
        yield server


def dead() -> tuple[str, int]:
    """Nobody listens there; it is taken, so that nobody else begins to."""
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    _TAKEN.append(taken)
    return taken.getsockname()


_TAKEN: list[socket.socket] = []


@pytest.fixture(autouse=True)
def given_back() -> Iterator[None]:
    yield
    while _TAKEN:
        _TAKEN.pop().close()


def sockets() -> set[str]:
    """Of this process, by what the kernel calls them."""
    found: set[str] = set()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            found.add(str(entry.readlink()))
        except OSError:
            continue
    return {name for name in found if name.startswith("socket:")}


async def test_an_address_that_refuses_gives_way_to_the_next(named: Named, listener: socket.socket) -> None:
    named(dead(), listener.getsockname())
    async with asyncio.timeout(20):
        first = await connected("any.example", 80)
    with closing(first):
        assert first.getpeername() == listener.getsockname()


async def test_where_all_refuse_the_reason_is_said(named: Named) -> None:
    named(dead(), dead())
    with pytest.raises(Unreachable, match="refuses connections"):
        await Route(Address.of("http://any.example/"), Certificates({})).open()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open sockets can be counted on Linux alone")
async def test_the_loser_of_a_race_is_closed(
    named: Named, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mooring.upstream.http.race.HEAD_START", 0.0)
    before = sockets()
    for _ in range(50):
        named(*[listener.getsockname()] * 4)
        (await connected("any.example", 80)).close()
    await turns(3)
    assert sockets() == before


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open sockets can be counted on Linux alone")
async def test_who_stops_waiting_leaves_no_socket_open(named: Named, listener: socket.socket) -> None:
    named(*[listener.getsockname()] * 3)
    before = sockets()
    for steps in range(40):
        opening = asyncio.create_task(Route(Address.of("http://any.example/"), Certificates({})).open())
        await turns(steps)
        opening.cancel()
        (found,) = await asyncio.gather(opening, return_exceptions=True)
        if not isinstance(found, BaseException):
            found.abort()
        del found
        await turns(3)
    assert sockets() == before
