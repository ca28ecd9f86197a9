"""HTTP+SSE, for servers of 2024: tried last, and never hiding why the newer transport failed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.servers.scripted_http import (
    MODERN,
    STREAM,
    HttpServer,
    Request,
    event,
    http_server,
    raw,
    session_with,
)
from tests.upstream.scripted import steps

from mooring.errors import (
    BadMessage,
    ConnectionLost,
    HttpRefused,
    MooringError,
    NeedsLogin,
    ServerError,
    StartTimeout,
)
from mooring.upstream.trace import Traced


class Old:
    """A server whose stream is at `/mcp`; what is posted there is refused with `refused`."""

    def __init__(self, endpoint: str = "/write?s=1", refused: int = 405) -> None:
        self.endpoint = endpoint
        self.refused = refused
        self.stream: asyncio.StreamWriter | None = None

    async def open(self, request: Request, writer: asyncio.StreamWriter) -> None:
        self.stream = writer
        writer.write(STREAM + f"event: endpoint\r\ndata: {self.endpoint}\r\n\r\n".encode())
        await asyncio.Event().wait()

    def served(self, server: HttpServer) -> dict[str, Any]:
        async def post(request: Request, writer: asyncio.StreamWriter) -> None:
            if request.target == "/mcp":
                writer.write(raw(self.refused, b"not here"))
                return
            if request.target == "/write?s=1" and request.message.get("params", {}).get("name") == "bad":
                writer.write(raw(500, b"broken"))
                return
            writer.write(raw(202, b"Accepted"))
            answer = _Answer()
            await server.plainly(request, answer)  # type: ignore[arg-type]  # pyright: ignore
            if self.stream is not None and b"\r\n\r\n{" in answer.said:
                body = answer.said.split(b"\r\n\r\n", 1)[1]
                self.stream.write(b"event: message\ndata: " + body + b"\n\n")

        verbs = (
            "initialize",
            "notifications/initialized",
            "server/discover",
            "tools/call",
            "tools/list",
            "ping",
        )
        return {"GET": self.open, **dict.fromkeys(verbs, post)}


class _Answer:
    said = b""

    def write(self, data: bytes) -> None:
        self.said += data


@pytest.mark.parametrize("status", [400, 404, 405])
async def test_a_server_that_knows_only_the_old_transport_is_spoken_to_in_it(status: int) -> None:
    heard: list[Traced] = []
    old = Old(refused=status)
    async with http_server() as server:
        server.on = old.served(server)
        async with session_with(server.url, protocol="auto", trace=heard.append) as session:
            assert (await session.call("echo", {"a": 1})).text == '{"a": 1}'
            calls = [session.call("echo", {"n": n}) for n in range(100)]
            assert [one.text for one in await asyncio.gather(*calls)] == [f'{{"n": {n}}}' for n in range(100)]
            assert session.wire.transport == "sse"
    assert steps(heard) == ["connect", "fallback", "handshake"]


async def test_a_post_that_fails_costs_its_call() -> None:
    old = Old()
    async with http_server() as server:
        server.on = old.served(server)
        async with session_with(server.url, transport="sse") as session:
            with pytest.raises(HttpRefused, match=r"500 .*broken"):
                await session.call("bad")
            assert (await session.call("good")).text == "{}"


async def test_the_end_of_the_stream_is_the_end_of_the_session() -> None:
    old = Old()
    async with http_server() as server:
        server.on = old.served(server)
        async with session_with(server.url, transport="sse") as session:
            assert old.stream is not None
            old.stream.close()
            assert isinstance(await asyncio.wait_for(session.wire.ended, 5), ConnectionLost)
            with pytest.raises(ConnectionLost):
                await session.call("echo")


@pytest.mark.parametrize("endpoint", ["https://127.0.0.1/x", "//evil.example/x", "http://127.0.0.1:9/x"])
async def test_nothing_is_written_to_another_origin(endpoint: str) -> None:
    old = Old(endpoint)
    async with http_server() as server:
        server.on = old.served(server)
        with pytest.raises(BadMessage, match="another origin"):
            async with session_with(server.url, transport="sse"):
                pass
        assert [request.method for request in server.requests] == ["GET"]


async def test_a_stream_that_never_says_where_to_write_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mooring.upstream.http.sse.ENDPOINT_WITHIN", 0.2)

    async def silent(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM + b": hello\n\n" + event({"jsonrpc": "2.0", "method": "x"}))
        await asyncio.Event().wait()

    async with http_server(on={"GET": silent}) as server:
        with pytest.raises(StartTimeout, match="where to write to"):
            async with session_with(server.url, transport="sse"):
                pass
        await server.until(lambda: server.busy == 0)


async def refused(posted: int, got: int, protocol: str = "auto") -> MooringError:
    async def post(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(raw(posted, b"first"))

    async def get(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(raw(got, b"second"))

    async with http_server(on={"initialize": post, "server/discover": post, "GET": get}) as server:
        with pytest.raises(MooringError) as caught:
            async with session_with(server.url, protocol=protocol):
                pass
    return caught.value


async def test_the_first_refusal_is_the_one_that_is_told() -> None:
    error = await refused(404, 500)
    assert isinstance(error, HttpRefused)
    assert error.status == 404
    assert error.sentence.endswith("404 (Not Found): first")
    assert "and as HTTP+SSE: `it` answers 500 (Internal Server Error): second" in error.hint


async def test_a_login_that_only_the_old_transport_asks_for_is_asked_for() -> None:
    error = await refused(405, 401)
    assert isinstance(error, NeedsLogin)
    assert "at first: `it` answers 405" in error.hint


async def test_other_refusals_are_no_reason_to_try_the_old_transport() -> None:
    error = await refused(503, 200)
    assert isinstance(error, HttpRefused)
    assert "HTTP+SSE" not in error.hint


async def test_a_server_that_should_speak_the_new_era_is_not_taken_for_an_old_one() -> None:
    error = await refused(404, 200, MODERN)
    assert isinstance(error, HttpRefused)
    assert "HTTP+SSE" not in error.hint


async def test_an_error_of_the_protocol_is_no_reason_either() -> None:
    async def post(request: Request, writer: asyncio.StreamWriter) -> None:
        body = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"not today"}}'
        writer.write(raw(400, body, kind="application/json"))

    async with http_server(on={"initialize": post}) as server:
        with pytest.raises(ServerError, match="not today"):
            async with session_with(server.url):
                pass
        assert not server.asked("GET")
