"""Streamable HTTP as it should be: both eras, both kinds of answers, one connection that is kept."""

from __future__ import annotations

import asyncio

import pytest
from tests.servers.scripted_http import (
    LEGACY,
    MODERN,
    STREAM,
    Request,
    event,
    http_server,
    listening,
    result,
    session_with,
)
from tests.upstream.scripted import steps

from mooring.core.items import Kind
from mooring.core.spec import Timeouts
from mooring.errors import StartTimeout
from mooring.upstream.trace import Traced


async def test_the_old_era_says_its_session_and_version_with_every_request() -> None:
    async with http_server(headers={"mcp-session-id": "s-1"}) as server:
        async with session_with(server.url, headers={"X-Key": "k"}) as session:
            assert (await session.call("echo", {"a": 1})).text == '{"a": 1}'
        await server.until(lambda: bool(server.asked("DELETE")))
    first, *others = server.requests
    assert "mcp-session-id" not in first.headers
    assert "mcp-protocol-version" not in first.headers
    assert {request.headers["mcp-session-id"] for request in others} == {"s-1"}
    assert {request.headers["mcp-protocol-version"] for request in others} == {LEGACY}
    assert {request.headers["x-key"] for request in server.requests} == {"k"}


async def test_the_new_era_names_method_and_tool_in_headers() -> None:
    async with http_server(protocol=MODERN) as server, session_with(server.url, protocol="auto") as session:
        assert session.agreed.is_modern
        await session.call("écho", {})
    (call,) = server.asked("tools/call")
    assert call.headers["mcp-protocol-version"] == MODERN
    assert call.headers["mcp-method"] == "tools/call"
    assert call.headers["mcp-name"] == "=?base64?w6ljaG8=?="
    assert "mcp-session-id" not in call.headers
    assert not server.asked("GET")
    assert not server.asked("DELETE")


async def test_one_connection_serves_one_call_after_the_other() -> None:
    async with http_server(on={}) as server, session_with(server.url) as session:
        for _ in range(20):
            await session.call("echo", {})
        # One is for what the server says by itself.
        assert server.connections <= 2


async def test_an_answer_may_come_as_events() -> None:
    async def stream(request: Request, writer: asyncio.StreamWriter) -> None:
        progress = {"progressToken": request.message["params"]["_meta"]["progressToken"], "progress": 1}
        writer.write(STREAM + b": hello\n\n")
        writer.write(event({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress}))
        writer.write(event({"jsonrpc": "2.0", "id": request.id, "result": {"content": []}}, event="message"))
        writer.close()

    async with http_server(on={"tools/call": stream}) as server, session_with(server.url) as session:
        assert (await session.call("echo")).value == {"content": []}


async def test_what_the_server_says_by_itself_arrives() -> None:
    async def own(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM + event({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}))
        await asyncio.Event().wait()

    heard: asyncio.Queue[str] = asyncio.Queue()

    def hear(method: str, *_: object) -> None:
        heard.put_nowait(method)

    async with http_server(on={"GET": own}) as server, session_with(server.url, notice=hear):
        assert await asyncio.wait_for(heard.get(), 5) == "notifications/tools/list_changed"


@pytest.mark.parametrize("status", [404, 405, 501])
async def test_a_server_that_has_nothing_to_say_by_itself_is_asked_once(status: int) -> None:
    async def none(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(f"HTTP/1.1 {status} No\r\ncontent-length: 0\r\n\r\n".encode())

    async with http_server(on={"GET": none}) as server, session_with(server.url) as session:
        await server.until(lambda: bool(server.asked("GET")))
        assert len((await session.all(Kind.TOOL)).items) == 1
        assert len(server.asked("GET")) == 1


async def test_a_server_that_has_no_idea_of_the_new_era_is_greeted_in_the_old_way() -> None:
    async def broken(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 500 Oops\r\ncontent-length: 3\r\n\r\nno!")

    async def silly(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(result(request, "what?"))

    async def gone(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    for odd in (broken, silly, gone):
        on = {"server/discover": odd}
        async with http_server(on=on) as server, session_with(server.url, protocol="auto") as session:
            assert session.agreed.protocol == LEGACY


async def test_steps_are_told_as_they_are_taken() -> None:
    heard: list[Traced] = []
    async with http_server() as server, session_with(server.url, trace=heard.append):
        assert steps(heard) == ["connect", "handshake"]


HEAD = b"200 OK\r\nContent-Type:application/json; charset=utf-8\r\n"
HINTS = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\n"
CHUNKS = b"1;x=y\r\n{\r\n%x\r\n%s\r\n0\r\nT: x\r\n\r\n"
PLAIN = [
    b"HTTP/1.0 " + HEAD + b"\r\n%s",
    b"HTTP/1.1 " + HEAD + b"connection: close\r\n\r\n%s",
    HINTS + b"HTTP/1.1 " + HEAD + b"\r\n%s",
    b"HTTP/1.1 " + HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNKS,
]


@pytest.mark.parametrize("shape", PLAIN, ids=["1.0", "close", "continue", "chunked"])
async def test_every_shape_of_http_is_understood(shape: bytes) -> None:
    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        body = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}' % request.id
        is_chunked = b"chunked" in shape
        writer.write(shape % ((len(body) - 1, body[1:]) if is_chunked else (body,)))
        if not is_chunked:
            writer.close()

    async with http_server(on={"tools/call": answer}) as server, session_with(server.url) as session:
        for _ in range(3):
            assert (await session.call("echo")).value == {"content": []}


async def test_a_second_answer_to_one_request_is_taken_for_nothing() -> None:
    async def twice(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(result(request, {"content": []}) + result(request, {"content": ["stale"]})[:-4])

    async with http_server(on={"tools/call": twice}) as server, session_with(server.url) as session:
        for _ in range(3):
            assert (await session.call("echo")).value == {"content": []}


async def test_a_server_that_is_never_reached_costs_the_time_to_start() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with listening(silent) as port:
        before = asyncio.get_running_loop().time()
        with pytest.raises(StartTimeout, match=r"within 0.3 s"):
            async with session_with(f"https://127.0.0.1:{port}/", timeouts=Timeouts(start=0.3)):
                pass
        assert asyncio.get_running_loop().time() - before < 2
