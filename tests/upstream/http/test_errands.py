"""A mistake of our own is told to whoever waits, at once."""

from __future__ import annotations

import asyncio

import pytest
from tests.servers.scripted_http import STREAM, Request, event, http_server, session_with
from tests.upstream.http.test_sse import Old

from mooring.errors import MooringError
from mooring.upstream.http import streamable
from mooring.upstream.http.answer import Answer
from mooring.upstream.wire import Wire

MISTAKE = "a mistake in Mooring itself: ZeroDivisionError"


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """What contains `broken` breaks whoever hears it."""
    receive = Wire.receive

    def hear(self: Wire, message: bytes, *rest: object) -> None:
        if b"broken" in message:
            raise ZeroDivisionError
        receive(self, message, *rest)  # type: ignore[arg-type]  # pyright: ignore

    monkeypatch.setattr(Wire, "receive", hear)


async def test_a_call_does_not_wait_for_a_task_that_broke(monkeypatch: pytest.MonkeyPatch) -> None:
    body_of = streamable.body_of

    async def odd(answer: Answer) -> bytes:
        if answer.status == 500:
            raise ZeroDivisionError
        return await body_of(answer)

    monkeypatch.setattr(streamable, "body_of", odd)

    async def refuse(request: Request, writer: asyncio.StreamWriter) -> None:
        is_bad = request.message["params"]["name"] == "bad"
        if is_bad:
            writer.write(b"HTTP/1.1 500 Said\r\ncontent-length: 0\r\n\r\n")
        else:
            await server.plainly(request, writer)

    async with http_server(on={"tools/call": refuse}) as server, session_with(server.url) as session:
        with pytest.raises(MooringError, match=MISTAKE) as caught:
            await session.call("bad")
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
        assert (await session.call("good")).text == "{}"


@pytest.mark.usefixtures("broken")
async def test_a_stream_of_the_server_that_broke_us_ends_the_session() -> None:
    async def own(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM + event({"jsonrpc": "2.0", "method": "broken"}))
        await asyncio.Event().wait()

    async with http_server(on={"GET": own}) as server, session_with(server.url) as session:
        ended = await asyncio.wait_for(asyncio.shield(session.wire.ended), 5)
        assert ended.sentence == MISTAKE


@pytest.mark.usefixtures("broken")
async def test_so_does_the_one_stream_of_the_old_transport() -> None:
    old = Old()
    async with http_server() as server:
        server.on = old.served(server)
        async with session_with(server.url, transport="sse") as session:
            with pytest.raises(MooringError, match=MISTAKE):
                await session.call("echo", {"text": "broken"})
