"""The page that browsers come back to, asked over real sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing

import pytest

from mooring.auth.callback import PATH, Callback
from mooring.auth.loopback import HEAD, MOST, Loopback
from mooring.auth.page import Outcome, response
from mooring.errors import BadCallback, CallbackBusy

WELL = Outcome("Logged in", "`notes` is yours.", is_well=True)


@pytest.fixture
def port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def back(port: int) -> Callback:
    return Callback(f"http://127.0.0.1:{port}{PATH}", port, is_fixed=True)


@pytest.fixture
def taken(port: int) -> Iterator[None]:
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        yield


def has_ipv6() -> bool:
    try:
        with closing(socket.socket(socket.AF_INET6)) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


async def send(port: int, request: bytes, host: str = "127.0.0.1") -> str:
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer.decode()


def asked(back: Callback, query: str, *, method: str = "GET", host: str | None = None) -> bytes:
    said = f"127.0.0.1:{back.port}" if host is None else host
    return f"{method} {back.path}?{query} HTTP/1.1\r\nHost: {said}\r\n\r\n".encode()


def status(answer: str) -> int:
    return int(answer.split(" ")[1])


async def test_a_browser_brings_its_code_and_is_told_how_it_ended(back: Callback) -> None:
    loopback = Loopback()
    async with loopback.at(back) as there, loopback.expecting(there, "s-1") as guest:
        page = asyncio.ensure_future(send(back.port, asked(back, "code=c&state=s-1")))
        assert await guest.arrived == "code=c&state=s-1"
        assert not page.done()
        guest.tell(WELL)
        answer = await page
    assert status(answer) == 200
    assert "<h1>Logged in</h1><p>`notes` is yours.</p><p>You can close this window.</p>" in answer
    for header in ("default-src 'none'", "cache-control: no-store", "referrer-policy: no-referrer"):
        assert header in answer


async def test_the_page_is_there_on_both_loopbacks_and_gone_afterwards(back: Callback) -> None:
    loopback = Loopback()
    async with loopback.at(back) as there, loopback.expecting(there, "s"):
        for host in ("127.0.0.1", "::1") if has_ipv6() else ("127.0.0.1",):
            assert status(await send(back.port, asked(back, "code=c&state=x"), host)) == 400
    with pytest.raises(OSError, match=r"refused|Connect call failed"):
        await send(back.port, asked(back, "code=c&state=s"))


async def test_logins_at_once_on_one_port_are_told_apart_by_their_state(back: Callback) -> None:
    loopback = Loopback()
    async with AsyncExitStack() as stack:
        guests = {}
        for state in "abc":
            there = await stack.enter_async_context(loopback.at(back))
            guests[state] = await stack.enter_async_context(loopback.expecting(there, state))
        for state in "cab":
            page = asyncio.ensure_future(send(back.port, asked(back, f"code=for-{state}&state={state}")))
            assert await guests[state].arrived == f"code=for-{state}&state={state}"
            guests[state].tell(Outcome(f"This was {state}"))
            assert f"This was {state}" in await page


async def test_a_state_is_good_for_one_arrival_only(back: Callback) -> None:
    loopback = Loopback()
    async with loopback.at(back) as there, loopback.expecting(there, "s") as guest:
        first = asyncio.ensure_future(send(back.port, asked(back, "code=mine&state=s")))
        await guest.arrived
        assert status(await send(back.port, asked(back, "code=theirs&state=s"))) == 400
        guest.tell(WELL)
        assert status(await first) == 200
        assert "theirs" not in guest.arrived.result()


async def test_a_login_that_is_given_up_says_so_in_the_browser(back: Callback) -> None:
    loopback = Loopback()
    async with loopback.at(back) as there:
        async with loopback.expecting(there, "s") as guest:
            page = asyncio.ensure_future(send(back.port, asked(back, "code=c&state=s")))
            await guest.arrived
        assert "nothing was kept" in await page
        assert status(await send(back.port, asked(back, "code=c&state=s"))) == 404


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        ("GET {path}?code=c&state=wrong HTTP/1.1\r\nHost: {host}\r\n\r\n", 400),
        ("GET {path}?code=c HTTP/1.1\r\nHost: {host}\r\n\r\n", 400),
        ("GET {path}?state=s HTTP/1.1\r\nHost: {host}\r\n\r\n", 400),
        ("GET {path}?code=c&state=s&state=s HTTP/1.1\r\nHost: {host}\r\n\r\n", 400),
        ("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n", 404),
        ("GET /favicon.ico HTTP/1.1\r\nHost: {host}\r\n\r\n", 404),
        ("GET {path}/../x?code=c&state=s HTTP/1.1\r\nHost: {host}\r\n\r\n", 404),
        ("POST {path}?code=c&state=s HTTP/1.1\r\nHost: {host}\r\n\r\n", 405),
        ("HEAD {path}?code=c&state=s HTTP/1.1\r\nHost: {host}\r\n\r\n", 405),
        ("GET {path}?code=c&state=s HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        ("GET {path}?code=c&state=s HTTP/1.1\r\nHost: {host}.evil.example\r\n\r\n", 421),
        ("GET {path}?code=c&state=s HTTP/1.1\r\nHost: {host}\r\nhost: evil.example\r\n\r\n", 421),
        ("GET {path}?code=c&state=s HTTP/1.1\r\n\r\n", 421),
        ("GET {path}?code=c&state=s\r\n\r\n", 400),
        ("\x16\x03\x01\r\n\r\n", 400),
        ("GET {path}?code=c&state=s HTTP/1.1\r\nX: " + "x" * HEAD + "\r\n\r\n", 431),
    ],
    ids=[str(n) for n in range(17)],
)
async def test_what_is_no_login_is_refused_and_the_login_goes_on(
    request_: str, wanted: int, back: Callback
) -> None:
    loopback = Loopback()
    async with loopback.at(back) as there, loopback.expecting(there, "s") as guest:
        wire = request_.format(path=back.path, host=f"127.0.0.1:{back.port}").encode("latin-1")
        answer = await send(back.port, wire)
        assert status(answer) == wanted
        assert "state=s" not in answer
        assert not guest.arrived.done()
        page = asyncio.ensure_future(send(back.port, asked(back, "code=c&state=s")))
        await guest.arrived
        guest.tell(WELL)
        assert status(await page) == 200


async def test_many_silent_connections_neither_block_the_page_for_ever_nor_its_end(back: Callback) -> None:
    loopback = Loopback()
    async with asyncio.timeout(4), loopback.at(back) as there, loopback.expecting(there, "s"):
        silent = [await asyncio.open_connection("127.0.0.1", back.port) for _ in range(MOST)]
        # One more is turned away at once: it hears the end without having said anything.
        reader, writer = await asyncio.open_connection("127.0.0.1", back.port)
        assert await reader.read() == b""
        silent.append((reader, writer))
    for reader, writer in silent:
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()


async def test_a_taken_port_moves_the_page_to_the_next_free_one(port: int, taken: None) -> None:
    loopback = Loopback()
    async with loopback.at(Callback(f"http://127.0.0.1:{port}{PATH}", port, is_fixed=False)) as there:
        assert there.port > port
        assert there.uri == f"http://127.0.0.1:{there.port}{PATH}"
        async with loopback.expecting(there, "s") as guest:
            page = asyncio.ensure_future(send(there.port, asked(there, "code=c&state=s")))
            await guest.arrived
            guest.tell(WELL)
            assert status(await page) == 200


async def test_a_taken_port_that_may_not_move_is_an_error_with_a_way_out(back: Callback, taken: None) -> None:
    with pytest.raises(CallbackBusy, match=f"Port {back.port} .* is taken") as busy:
        async with Loopback().at(back):
            pytest.fail("the port was taken")
    assert "--paste" in busy.value.hint


async def test_a_page_elsewhere_is_not_ours_to_serve() -> None:
    with pytest.raises(BadCallback, match="No page of ours") as refused:
        async with Loopback().at(Callback("https://h.example/back", 443, is_fixed=True)):
            pytest.fail("that is not this machine")
    assert "oauth.callbackPort" in refused.value.hint


def test_hostile_words_stay_words() -> None:
    evil = Outcome('<script>alert("1")</script>\x1b[2J', "<img src=x onerror=alert(1)>" + "x" * 10_000)
    page = response(evil, 200).decode()
    assert page.count("<script>") == 1
    assert "<img" not in page
    assert "\x1b" not in page
    assert len(page) < 4_000
