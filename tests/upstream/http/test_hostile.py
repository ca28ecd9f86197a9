"""What only a server that means harm would send."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
from collections.abc import Mapping

import pytest
from tests.servers.scripted_http import Request, http_server, raw, session_with

from mooring.errors import BadMessage, HttpRefused

CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
# Bounds of attacks: what follows each is sent again and again, and none of it is a body.
ENDLESS: Mapping[str, tuple[bytes, bytes]] = {
    "trailers": (CHUNKED + b"1\r\n{\r\n0\r\n", b"x-more: " + b"y" * 65_000 + b"\r\n"),
    "one trailer": (CHUNKED + b"1\r\n{\r\n0\r\nx: ", b"y" * 65_000),
    "the extension of a chunk": (CHUNKED + b"1;x=", b"y" * 65_000),
    "news that it goes on": (b"", b"HTTP/1.1 100 Continue\r\nx: y\r\n\r\n" * 1_000),
}


@pytest.mark.parametrize("what", ENDLESS)
async def test_what_is_no_body_has_an_end_too(what: str) -> None:
    sent = 0

    async def endless(request: Request, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        first, more = ENDLESS[what]
        writer.write(first)
        while not writer.is_closing():
            writer.write(more)
            sent += len(more)
            await writer.drain()

    async with http_server(on={"tools/call": endless}) as server, session_with(server.url) as session:
        with pytest.raises(BadMessage, match="64 KiB"):
            await session.call("echo")
    assert sent < 16 * 1024 * 1024


@pytest.mark.parametrize(
    "header", ["timeout=\xb2", "timeout=" + "9" * 5000, "timeout=", "=,,;", "timeout=-1"]
)
async def test_an_odd_promise_of_how_long_a_connection_is_kept_is_none(header: str) -> None:
    async def odd(request: Request, writer: asyncio.StreamWriter) -> None:
        message = {"jsonrpc": "2.0", "id": request.id, "result": {"content": []}}
        writer.write(raw(200, json.dumps(message).encode(), kind="application/json", keep_alive=header))

    async with http_server(on={"tools/call": odd}) as server, session_with(server.url) as session:
        for _ in range(2):
            async with asyncio.timeout(5):
                assert (await session.call("echo")).value == {"content": []}


@pytest.mark.parametrize("header", ["\xb2", "9" * 5000, "-1", "soon"])
async def test_an_odd_wish_to_be_left_alone_is_told_in_a_line(header: str) -> None:
    async def refuses(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(raw(429, retry_after=header))

    async with http_server(on={"tools/call": refuses}) as server, session_with(server.url) as session:
        with pytest.raises(HttpRefused) as caught:
            await session.call("echo")
        assert len(caught.value.hint) < 100


async def test_many_packed_nothings_are_no_work() -> None:
    nothings = gzip.compress(b"") * 100_000

    async def packs(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(raw(200, nothings, kind="application/json", content_encoding="gzip"))

    async with http_server(on={"tools/call": packs}) as server, session_with(server.url) as session:
        before = time.process_time()
        with pytest.raises(BadMessage):
            await session.call("echo")
        assert time.process_time() - before < 1
