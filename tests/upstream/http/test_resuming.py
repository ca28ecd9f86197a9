"""A stream that ends too early is taken up again where it can be, patiently."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from tests.servers.scripted_http import MODERN, STREAM, Request, event, http_server, raw, session_with

from mooring.core.spec import Timeouts
from mooring.errors import AnswerTooLarge, CallTimeout, ConnectionLost, SessionLost
from mooring.upstream.http import pace

PATIENT = Timeouts(start=5, list=5, call=20, ceiling=30)


class Dropping:
    """Each POST gets the first words of a stream; a GET with an id goes on with what `rest` says."""

    def __init__(self, first: bytes = b"id: e-1\nretry: 0\ndata:\n\n") -> None:
        self.first = first
        self.resumed: list[str] = []
        self.times: list[float] = []
        self.call: Request | None = None

    async def post(self, request: Request, writer: asyncio.StreamWriter) -> None:
        self.call = request
        writer.write(STREAM + self.first)
        writer.close()

    async def get(self, request: Request, writer: asyncio.StreamWriter) -> None:
        last = request.headers.get("last-event-id")
        if last is None:
            writer.write(raw(405))
            return
        self.resumed.append(last)
        self.times.append(asyncio.get_running_loop().time())
        await self.rest(writer, len(self.resumed))

    async def rest(self, writer: asyncio.StreamWriter, times: int) -> None:
        writer.write(STREAM)
        if self.call is not None and times == 3:
            writer.write(event({"jsonrpc": "2.0", "id": self.call.id, "result": {"content": []}}, id="e-9"))
        writer.close()

    def on(self) -> dict[str, object]:
        return {"tools/call": self.post, "GET": self.get}


async def test_the_rest_of_an_answer_is_fetched_with_the_last_id() -> None:
    odd = Dropping()
    async with http_server(on=odd.on()) as server, session_with(server.url) as session:
        assert (await session.call("echo")).value == {"content": []}
    assert odd.resumed == ["e-1"] * 3
    assert len(server.asked("tools/call")) == 1


async def test_the_pause_that_the_server_wants_is_kept() -> None:
    odd = Dropping(b"id: e-1\nretry: 300\ndata:\n\n")
    async with http_server(on=odd.on()) as server, session_with(server.url) as session:
        await session.call("echo")
    assert all(after - before >= 0.29 for before, after in itertools.pairwise(odd.times))


async def test_after_five_times_without_news_the_call_has_failed() -> None:
    class Empty(Dropping):
        async def rest(self, writer: asyncio.StreamWriter, times: int) -> None:
            writer.write(STREAM + b"id: e-1\ndata:\n\n")
            writer.close()

    odd = Empty()
    async with http_server(on=odd.on()) as server, session_with(server.url) as session:
        with pytest.raises(ConnectionLost, match="5 times without news; the call may have had an effect"):
            await session.call("echo")
    assert len(odd.resumed) == 5


async def test_a_server_that_always_has_news_is_asked_ten_times_in_ten_seconds_at_most() -> None:
    class Storm(Dropping):
        async def rest(self, writer: asyncio.StreamWriter, times: int) -> None:
            writer.write(STREAM + f"id: n-{times}\nretry: 0\ndata:\n\n".encode())
            writer.close()

    odd = Storm()
    times = Timeouts(start=5, list=5, call=1, ceiling=5)
    async with http_server(on=odd.on()) as server, session_with(server.url, timeouts=times) as session:
        with pytest.raises(CallTimeout):
            await session.call("echo")
    assert len(odd.resumed) == pace.MOST


async def test_a_refused_rest_is_an_end() -> None:
    class Refusing(Dropping):
        async def rest(self, writer: asyncio.StreamWriter, times: int) -> None:
            writer.write(raw(400))

    async with http_server(on=Refusing().on()) as server, session_with(server.url) as session:
        with pytest.raises(ConnectionLost, match="refuses the rest of an answer with 400"):
            await session.call("echo")


async def test_in_the_new_era_nothing_is_fetched_later() -> None:
    odd = Dropping()
    served = http_server(on=odd.on(), protocol=MODERN)
    async with served as server, session_with(server.url, protocol=MODERN) as session:
        with pytest.raises(ConnectionLost, match="may have had an effect"):
            await session.call("echo")
    assert odd.resumed == []


async def test_the_servers_own_stream_is_opened_again_with_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "FIRST", 0.01)
    heard: asyncio.Queue[str] = asyncio.Queue()
    opened: list[str | None] = []

    async def own(request: Request, writer: asyncio.StreamWriter) -> None:
        opened.append(request.headers.get("last-event-id"))
        match len(opened):
            case 1:
                writer.transport.abort()
            case 2:
                writer.write(raw(503))
            case 3:
                writer.write(STREAM + event({"jsonrpc": "2.0", "method": "one"}, id="a"))
                writer.close()
            case 4:
                writer.write(STREAM + event({"jsonrpc": "2.0", "method": "two"}, id="b"))
                await asyncio.Event().wait()

    def hear(method: str, *_: object) -> None:
        heard.put_nowait(method)

    async with http_server(on={"GET": own}) as server, session_with(server.url, notice=hear):
        assert await asyncio.wait_for(heard.get(), 5) == "one"
        assert await asyncio.wait_for(heard.get(), 5) == "two"
    assert opened == [None, None, None, "a"]


async def test_a_server_that_forgets_us_while_it_is_listened_to_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pace, "FIRST", 0.01)
    times = itertools.count(1)

    async def own(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM if next(times) == 1 else raw(404))
        writer.close()

    headers = {"mcp-session-id": "s-1"}
    async with http_server(on={"GET": own}, headers=headers) as server, session_with(server.url) as session:
        assert isinstance(await asyncio.wait_for(asyncio.shield(session.wire.ended), 5), SessionLost)


async def test_an_event_that_is_too_large_costs_the_call_and_nothing_else() -> None:
    odd = Dropping(b"data: " + b"x" * (17 * 1024 * 1024) + b"\n\n")
    async with http_server(on=odd.on()) as server, session_with(server.url, timeouts=PATIENT) as session:
        with pytest.raises(AnswerTooLarge):
            await session.call("echo")
        assert len(await session.ask("tools/list", {}, 5)) > 0
