"""What a remote server can do wrong costs the call it is done to, and is said in words."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress

import pytest
from tests.servers.scripted_http import (
    MODERN,
    STREAM,
    HttpServer,
    Request,
    as_json,
    event,
    http_server,
    raw,
    result,
    session_with,
)

from mooring.core.items import Kind
from mooring.core.spec import Timeouts
from mooring.errors import (
    AnswerTooLarge,
    BadMessage,
    CallTimeout,
    ConnectionLost,
    HttpRefused,
    Interrupted,
    MooringError,
    NeedsLogin,
    NotMcp,
    ServerError,
    SessionLost,
    Unreachable,
)

MIB = 1024 * 1024
Answer = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


def says(data: bytes, *, then_close: bool = False) -> Answer:
    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        if then_close:
            writer.close()

    return answer


async def hangs(request: Request, writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def resets(request: Request, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


HALF = b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"
WORDS = {"error": {"message": "no\x1b[2J way"}}
PAGE = b"<!DOCTYPE html><html><title>Log in</title></html>"
FAULTS: list[tuple[str, Answer, type[MooringError], str]] = [
    ("reset", resets, Interrupted, "reset the connection|closed the connection"),
    ("half a body", says(HALF, then_close=True), Interrupted, "middle"),
    ("no HTTP", says(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"), NotMcp, "no HTTP"),
    ("401", says(raw(401, b"", www_authenticate="Bearer x")), NeedsLogin, "401 .Unauthorized"),
    ("403", says(raw(403, b"not yours")), NeedsLogin, "403 .Forbidden.: not yours"),
    ("404", says(raw(404, b"gone")), HttpRefused, "404 .Not Found.: gone"),
    ("429", says(raw(429, b"slow down", retry_after="7")), HttpRefused, "429"),
    ("500", says(raw(500, b"Traceback\nmore")), HttpRefused, "500 .*: Traceback$"),
    ("502", says(raw(502, PAGE, kind="text/html")), HttpRefused, "502 .*: a web page"),
    ("words in JSON", says(as_json(WORDS, 418)), HttpRefused, "418 .*: no way"),
    ("a web page", says(raw(200, PAGE, kind="text/html")), NotMcp, "a web page"),
    ("another type", says(raw(200, b"hi", kind="image/png")), NotMcp, "`image/png`"),
    ("nothing", says(raw(200, kind="application/json")), BadMessage, "nothing"),
    ("accepted", says(raw(202)), BadMessage, "nothing"),
    ("no JSON", says(raw(200, b"{nope", kind="application/json")), BadMessage, "something else|understood"),
    ("a wrong id", says(as_json({"jsonrpc": "2.0", "id": 999, "result": {}})), BadMessage, "something else"),
    ("packed oddly", says(raw(200, b"x", content_encoding="br")), BadMessage, "`br`"),
    ("a long head", says(b"HTTP/1.1 200 OK\r\n" + b"x: " + b"y" * 100_000), BadMessage, "64 KiB of headers"),
    ("a large body", says(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n"), AnswerTooLarge, "16 MiB"),
    ("a drop", says(STREAM + b": hello\n\n", then_close=True), ConnectionLost, "may have had an effect"),
    ("moved", says(raw(301, location="https://other.example/mcp")), HttpRefused, "https://other.example/mcp"),
    ("sent away", says(raw(307, location="http://127.0.0.1:9/mcp")), HttpRefused, "http://127.0.0.1:9/mcp"),
    ("in circles", says(raw(307, location="/round")), HttpRefused, "again and again"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "error", "words"), [row[1:] for row in FAULTS], ids=[r[0] for r in FAULTS]
)
async def test_a_fault_costs_one_call(answer: Answer, error: type[MooringError], words: str) -> None:
    async def by_name(request: Request, writer: asyncio.StreamWriter) -> None:
        is_bad = request.message["params"]["name"] == "bad"
        await (answer if is_bad else server.plainly)(request, writer)

    async with http_server(on={"tools/call": by_name}) as server, session_with(server.url) as session:
        bad, good = (
            asyncio.create_task(session.call("bad")),
            asyncio.create_task(session.call("good", {"a": 1})),
        )
        with pytest.raises(error, match=words) as caught:
            await bad
        assert type(caught.value) is error
        assert (await good).text == '{"a": 1}'
        assert (await session.call("good", {"a": 2})).text == '{"a": 2}'
        assert len(server.asked("tools/call")) == (6 if words == "again and again" else 3)


async def test_a_refusal_keeps_what_was_said() -> None:
    on = {"tools/call": says(raw(429, b"slow", retry_after="7"))}
    async with http_server(on=on) as server, session_with(server.url) as session:
        with pytest.raises(HttpRefused) as caught:
            await session.call("echo")
    assert (caught.value.status, caught.value.headers["retry-after"]) == (429, "7")
    assert caught.value.hint == "It asks to wait 7 s"


async def test_a_challenge_is_kept_for_the_login() -> None:
    on = {"initialize": says(raw(401, www_authenticate='Bearer resource_metadata="https://x/"'))}
    async with http_server(on=on) as server:
        with pytest.raises(NeedsLogin) as caught:
            async with session_with(server.url):
                pass
    assert (caught.value.status, caught.value.challenge) == (401, 'Bearer resource_metadata="https://x/"')


async def test_secrets_that_a_server_sends_back_are_masked() -> None:
    on = {"tools/call": says(raw(500, b"bad key hunter2-hunter2"))}
    async with (
        http_server(on=on) as server,
        session_with(server.url, secrets=("hunter2-hunter2",)) as session,
    ):
        with pytest.raises(HttpRefused, match=r"bad key \*\*\*$"):
            await session.call("echo")


async def test_an_error_of_the_protocol_comes_through_whatever_its_status() -> None:
    async def refuse(request: Request, writer: asyncio.StreamWriter) -> None:
        error = {"code": -32602, "message": "no such tool"}
        writer.write(as_json({"jsonrpc": "2.0", "id": request.id, "error": error}, 400))

    async with http_server(on={"tools/call": refuse}) as server, session_with(server.url) as session:
        with pytest.raises(ServerError, match="no such tool"):
            await session.call("echo")


async def test_nobody_there_is_said_as_such() -> None:
    async with http_server() as server:
        url = server.url
    with pytest.raises(Unreachable, match="refuses connections"):
        async with session_with(url):
            pass
    with pytest.raises(Unreachable, match="has no address"):
        async with session_with("http://nobody.invalid/mcp"):
            pass


@pytest.mark.parametrize(
    "begin", [b"", b"HTTP/1.1 200 OK\r\nx: ", STREAM + b"data: ", b"HTTP/1.1 200 OK\r\n\r\n"]
)
async def test_a_drip_ends_with_the_deadline(begin: bytes) -> None:
    async def drip(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(begin)
        while not writer.is_closing():
            writer.write(b"x")
            await asyncio.sleep(0.02)

    times = Timeouts(start=5, list=5, call=0.5, ceiling=5)
    async with (
        http_server(on={"tools/call": drip}) as server,
        session_with(server.url, timeouts=times) as session,
    ):
        await server.until(lambda: bool(server.asked("GET")))
        with pytest.raises((CallTimeout, NotMcp)):
            await session.call("echo")
        await server.until(lambda: server.busy == 0)
        await session.all(Kind.TOOL)


async def test_an_endless_body_ends_with_the_limit() -> None:
    async def endless(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        while not writer.is_closing():
            writer.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
            await writer.drain()

    async with http_server(on={"tools/call": endless}) as server, session_with(server.url) as session:
        with pytest.raises(AnswerTooLarge, match="16 MiB"):
            await session.call("echo")


def bomb() -> bytes:
    block = gzip.compress(b" " * (64 * MIB), 9)
    return b"".join([block] * 16)


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_a_small_body_that_unpacks_to_a_gigabyte_is_given_up(kind: str) -> None:
    packed = raw(200, bomb(), kind=kind, content_encoding="gzip")
    async with http_server(on={"tools/call": says(packed)}) as server, session_with(server.url) as session:
        before = time.process_time()
        with pytest.raises(AnswerTooLarge, match="16 MiB"):
            await session.call("echo")
        assert time.process_time() - before < 2


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_a_packed_answer_is_read_although_nobody_asked_for_it(kind: str) -> None:
    async def packed(request: Request, writer: asyncio.StreamWriter) -> None:
        message = {"jsonrpc": "2.0", "id": request.id, "result": {"content": []}}
        body = json.dumps(message).encode() if "json" in kind else event(message)
        writer.write(raw(200, gzip.compress(body), kind=kind, content_encoding="gzip"))

    async with http_server(on={"tools/call": packed}) as server, session_with(server.url) as session:
        assert (await session.call("echo")).value == {"content": []}
        assert server.asked("tools/call")[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_fifteen_megabytes_arrive_and_seventeen_do_not(kind: str) -> None:
    async def large(request: Request, writer: asyncio.StreamWriter) -> None:
        size = request.message["params"]["arguments"]["size"]
        message = {"jsonrpc": "2.0", "id": request.id, "result": {"content": [], "x": "y" * size}}
        body = json.dumps(message).encode() if "json" in kind else event(message)
        writer.write(raw(200, body, kind=kind))

    async with http_server(on={"tools/call": large}) as server, session_with(server.url) as session:
        assert len((await session.call("echo", {"size": 15 * MIB})).raw) > 15 * MIB
        with pytest.raises(AnswerTooLarge, match="16 MiB"):
            await session.call("echo", {"size": 17 * MIB})
        assert len((await session.call("echo", {"size": 1})).raw) < 100


async def test_a_session_that_was_forgotten_is_lost_as_a_whole() -> None:
    headers = {"mcp-session-id": "s-1"}
    on = {"tools/call": says(raw(404, b"Session not found"))}
    async with http_server(on=on, headers=headers) as server, session_with(server.url) as session:
        with pytest.raises(SessionLost, match="forgotten our session"):
            await session.call("echo")
        assert isinstance(session.wire.ended.result(), SessionLost)
        with pytest.raises(SessionLost):
            await session.all(Kind.TOOL)
    assert not server.asked("DELETE")


async def test_a_session_may_be_forgotten_in_other_words_too() -> None:
    """A server that answers 400 is asked something that cannot be wrong."""
    refused = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "no valid session id"}}

    async def refuse(request: Request, writer: asyncio.StreamWriter) -> None:
        is_bad = request.message["params"]["name"] == "bad"
        await (says(as_json(refused, 400))(request, writer) if is_bad else server.plainly(request, writer))

    headers = {"mcp-session-id": "s-1"}
    async with (
        http_server(on={"tools/call": refuse}, headers=headers) as server,
        session_with(server.url) as it,
    ):
        with pytest.raises(ServerError, match="no valid session id"):
            await it.call("bad")
        assert (await it.call("good")).text == "{}"
        server.on["ping"] = says(as_json(refused, 400))
        with pytest.raises(SessionLost):
            await it.call("bad")


async def test_a_server_that_does_not_take_its_session_back_holds_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mooring.upstream.http.streamable.LEAVE_WITHIN", 0.2)
    async with http_server(on={"DELETE": hangs}, headers={"mcp-session-id": "s-1"}) as server:
        async with session_with(server.url):
            pass
        assert len(server.asked("DELETE")) == 1
        await server.until(lambda: server.open == 0)


@pytest.mark.parametrize("bad", ["a b", "x" * 5000, "\u00e9"])
async def test_a_session_id_that_cannot_be_sent_is_refused(bad: str) -> None:
    async with http_server(headers={"mcp-session-id": bad}) as server:
        with pytest.raises(BadMessage, match="no header can carry"):
            async with session_with(server.url):
                pass


async def test_a_notification_that_fails_or_hangs_harms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mooring.upstream.http.streamable.TELL_WITHIN", 0.2)
    for odd in (says(raw(500)), resets, hangs):
        on = {"notifications/initialized": odd}
        async with http_server(on=on) as server, session_with(server.url) as session:
            assert (await session.call("echo")).text == "{}"


async def idle(server: HttpServer) -> None:
    await server.until(lambda: server.busy == 0)


@pytest.mark.parametrize("protocol", ["legacy", MODERN])
async def test_a_cancelled_call_ends_its_own_post_and_no_other(protocol: str) -> None:
    is_given_up = asyncio.Event()

    async def slow(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.message["params"]["name"] == "long":
            await hangs(request, writer)
        await is_given_up.wait()
        writer.write(result(request, {"content": []}))

    server_protocol = MODERN if protocol == MODERN else "2025-11-25"
    async with (
        http_server(on={"tools/call": slow}, protocol=server_protocol) as server,
        session_with(server.url, protocol=protocol) as session,
    ):
        long, short = (
            asyncio.create_task(session.call("long")),
            asyncio.create_task(session.call("short")),
        )
        await server.until(lambda: len(server.asked("tools/call")) == 2)
        long.cancel()
        await asyncio.wait([long])
        is_given_up.set()
        assert (await short).value == {"content": []}
        await idle(server)
        if protocol == "legacy":
            await server.until(lambda: bool(server.asked("notifications/cancelled")))
            cancelled = server.asked("notifications/cancelled")[0].message["params"]["requestId"]
            calls = {call.message["params"]["name"]: call.id for call in server.asked("tools/call")}
            assert cancelled == calls["long"]
        else:
            assert not server.asked("notifications/cancelled")


async def test_a_hundred_cancelled_calls_leave_nothing_behind() -> None:
    async with http_server(on={"tools/call": hangs}) as server, session_with(server.url) as session:
        calls = [asyncio.create_task(session.call("echo")) for _ in range(100)]
        await server.until(lambda: len(server.asked("tools/call")) == 32)
        for call in calls:
            call.cancel()
        await asyncio.wait(calls)
        assert len((await session.all(Kind.TOOL)).items) == 1
        await server.until(lambda: server.busy == 0)


async def test_a_thousand_calls_wait_for_their_turn() -> None:
    async def slow(request: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.01)
        await server.plainly(request, writer)

    times = Timeouts(start=5, list=5, call=30, ceiling=60)
    async with http_server(on={"tools/call": slow}) as server:
        async with session_with(server.url, timeouts=times) as session:
            calls = [session.call("echo", {"n": n}) for n in range(1000)]
            texts = [call.text for call in await asyncio.gather(*calls)]
        assert texts == [f'{{"n": {n}}}' for n in range(1000)]
        assert server.most_open <= 40


async def test_a_kept_connection_that_has_ended_is_not_used_again() -> None:
    async def last(request: Request, writer: asyncio.StreamWriter) -> None:
        await server.plainly(request, writer)
        writer.close()

    async with http_server(on={"tools/call": last}) as server, session_with(server.url) as session:
        for _ in range(20):
            assert (await session.call("echo")).text == "{}"


async def test_only_what_changes_nothing_is_sent_again_when_a_kept_connection_ends() -> None:
    met: dict[str, int] = {}

    async def once_gone(request: Request, writer: asyncio.StreamWriter) -> None:
        met[request.verb] = met.get(request.verb, 0) + 1
        if met[request.verb] == 1:
            writer.transport.abort()
        else:
            await server.plainly(request, writer)

    on = {"tools/list": once_gone, "tools/call": once_gone}
    async with http_server(on=on) as server, session_with(server.url) as session:
        await server.until(lambda: bool(server.asked("GET")))
        with suppress(ServerError):
            await session.ping(5)
        assert len((await session.all(Kind.TOOL)).items) == 1
        with pytest.raises(Interrupted, match="may have had an effect"):
            await session.call("echo")
        assert met == {"tools/list": 2, "tools/call": 1}


@pytest.mark.parametrize("flood", [b":\n\n", b"\n", b"id: 1\n\n", b"data: {}\n\n"])
async def test_a_flood_of_nothing_keeps_nobody_else_waiting(flood: bytes) -> None:
    async def floods(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM)
        while not writer.is_closing():
            writer.write(flood * 20_000)
            await writer.drain()

    times = Timeouts(start=5, list=5, call=1, ceiling=5)
    odd, even = http_server(on={"tools/call": floods}), http_server()
    async with odd as noisy, even as quiet, session_with(quiet.url) as beside, AsyncExitStack() as stack:
        session = await stack.enter_async_context(session_with(noisy.url, timeouts=times))
        hopeless = asyncio.create_task(session.call("echo"))
        await noisy.until(lambda: noisy.busy > 0)
        answered = 0
        while not hopeless.done():
            await beside.call("echo")
            answered += 1
        with pytest.raises(CallTimeout):
            await hopeless
        assert answered >= 5
