"""What a remote server does to its host is told in words and in time; the server beside it feels nothing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.process.test_faults_of_one_host import HASTY, PATIENT, WORKS, code, outcome
from tests.process.test_http_faults import FAULTS as OF_A_CALL
from tests.process.test_http_faults import PAGE, Answer, bomb, hangs, resets, says
from tests.servers.scripted_http import MODERN, STREAM, HttpServer, Request, event, http_server, raw
from tests.upstream.http.test_sse import Old

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="descriptors and processes are looked up in /proc"),
]

UNREACHABLE, CUT, LARGE, REFUSED, NOT_MCP = (f"MOOR-NET-00{n}" for n in (1, 2, 5, 6, 7))
LATE_START, LATE_LIST, LONG, UNREADABLE = (f"MOOR-SERVER-00{n}" for n in (4, 5, 6, 8))
LOST, FORGOTTEN, LATE = "MOOR-SERVER-010", "MOOR-SERVER-012", "MOOR-CALL-004"
LOGIN, CLIENT = "MOOR-AUTH-001", "MOOR-AUTH-002"

GREETING = ("server/discover", "initialize")
CALL = ("tools/call",)


def packed(kind: str) -> Answer:
    return says(raw(200, bomb(), kind=kind, content_encoding="gzip"))


def drip(begin: bytes) -> Answer:
    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(begin)
        while not writer.is_closing():
            writer.write(b" ")
            await asyncio.sleep(0.02)

    return answer


async def endless(request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        await writer.drain()


async def ends_again_and_again(request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(STREAM + b"retry: 0\nid: 1\ndata:\n\n")
    writer.close()


JSON_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99999\r\n\r\n"
# Where, what, the status and code when it has settled, and how the calls end.
FAULTS: dict[str, tuple[tuple[str, ...], Answer, tuple[str, str | None], list[str]]] = {
    "a greeting reset": (GREETING, resets, ("failed", CUT), [CUT] * 2),
    "a greeting without HTTP": (GREETING, says(b"SSH-2.0-x\r\n\r\n"), ("failed", NOT_MCP), [NOT_MCP] * 2),
    "a greeting 401": (GREETING, says(raw(401)), ("needs_client_registration", None), [CLIENT] * 2),
    "a greeting 403": (GREETING, says(raw(403)), ("needs_auth", None), [LOGIN] * 2),
    "a greeting 404": (GREETING, says(raw(404)), ("failed", REFUSED), [REFUSED] * 2),
    "a greeting 429": (GREETING, says(raw(429, retry_after="3600")), ("failed", REFUSED), [REFUSED] * 2),
    "a greeting 503": (GREETING, says(raw(503)), ("failed", REFUSED), [REFUSED] * 2),
    "a greeting page": (GREETING, says(raw(200, PAGE, kind="text/html")), ("failed", NOT_MCP), [NOT_MCP] * 2),
    "a greeting moved": (GREETING, says(raw(307, location="http://[::1]/")), ("failed", REFUSED), [REFUSED]),
    "a greeting hangs": (GREETING, hangs, ("failed", LATE_START), [LATE_START]),
    "a greeting drips": (GREETING, drip(JSON_HEAD), ("failed", LATE_START), [LATE_START]),
    "a greeting without end": (GREETING, endless, ("failed", LARGE), [LARGE] * 2),
    "a greeting unpacks": (GREETING, packed("application/json"), ("failed", LARGE), [LARGE] * 2),
    "a notification reset": (("notifications/initialized",), resets, WORKS, [""] * 3),
    "a notification 500": (("notifications/initialized",), says(raw(500)), WORKS, [""] * 3),
    "a notification hangs": (("notifications/initialized",), hangs, WORKS, [""] * 3),
    "a list reset": (("tools/list",), resets, ("failed", CUT), [CUT] * 2),
    "a list 500": (("tools/list",), says(raw(500)), ("failed", REFUSED), [REFUSED] * 2),
    "a list hangs": (("tools/list",), hangs, ("failed", LATE_LIST), [LATE_LIST]),
    "a list unpacks": (("tools/list",), packed("text/event-stream"), ("failed", LARGE), [LARGE] * 2),
    "a call hangs": (CALL, hangs, WORKS, [LATE] * 2),
    "a call drips": (CALL, drip(JSON_HEAD), WORKS, [LATE] * 2),
    "a call drips events": (CALL, drip(STREAM), WORKS, [LATE] * 2),
    "a refusal drips": (CALL, drip(b"HTTP/1.1 500 No\r\ncontent-length: 9999\r\n\r\n"), WORKS, [REFUSED] * 2),
    "a call without end": (CALL, endless, WORKS, [LARGE] * 3),
    "a call unpacks": (CALL, packed("application/json"), WORKS, [LARGE] * 3),
    "a call unpacks to events": (CALL, packed("text/event-stream"), WORKS, [LARGE] * 3),
    "an answer ends again and again": (("GET", *CALL), ends_again_and_again, WORKS, [LOST] * 2),
    "its own stream ends again and again": (("GET",), ends_again_and_again, WORKS, [""] * 3),
    "its own stream drips": (("GET",), drip(STREAM), WORKS, [""] * 3),
    "its own stream unpacks": (("GET",), packed("text/event-stream"), WORKS, [""] * 3),
    "its own stream hangs": (("GET",), hangs, WORKS, [""] * 3),
    "a goodbye hangs": (("DELETE",), hangs, WORKS, [""]),
    "a session forgotten": (CALL, says(raw(404)), WORKS, [FORGOTTEN] * 3),
}  # fmt: skip


def entry(server: HttpServer, *, hasty: bool = False, **more: Any) -> dict[str, Any]:
    return {"url": server.url, "timeout": HASTY if hasty else PATIENT, **more}


async def found_by(bad: dict[str, Any], tmp_path: Path, calls: int) -> dict[str, Any]:
    found = await asyncio.to_thread(outcome, bad, calls=calls, tmp_path=tmp_path)
    assert [call for call in found["calls"] if call["code"] and not call["hint"]] == []
    return found


def judge(found: dict[str, Any], settled: tuple[str, str | None], calls: list[str], *, hasty: bool) -> None:
    first = found["first"]
    assert (first["status"], code(first)) == settled, first
    assert [call["code"] for call in found["calls"]] == calls
    if hasty:
        assert found["settled"] < 10
        assert all(call["seconds"] < 10 for call in found["calls"])
    if settled != WORKS:
        assert first["reason"]
        assert first["hint"]


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_is_told_in_time_and_felt_by_nobody_else(fault: str, tmp_path: Path) -> None:
    verbs, answer, settled, calls = FAULTS[fault]
    hasty = calls[0] in (LATE, LATE_START, LATE_LIST) or "drips" in fault
    async with http_server(on=dict.fromkeys(verbs, answer), headers={"mcp-session-id": "s-1"}) as server:
        found = await found_by(entry(server, hasty=hasty), tmp_path, len(calls))
        judge(found, settled, calls, hasty=hasty)
        streams = 1 + (len(calls) if verbs == ("GET", *CALL) else 0)
        # How long all of it lasted is the machine's affair; nobody is asked more often than this.
        assert len(server.asked("GET")) <= streams * (11 + found["settled"])
        await server.until(lambda: server.open == 0)


@pytest.mark.parametrize("protocol", ["2025-11-25", MODERN])
async def test_each_fault_of_a_call_costs_that_call(protocol: str, tmp_path: Path) -> None:
    """One host, one connection, one fault after the other, and a call that works after each."""
    met = 0

    async def in_turn(request: Request, writer: asyncio.StreamWriter) -> None:
        nonlocal met
        if request.target == "/round":
            writer.write(raw(307, location="/round"))
            return
        at, is_good = divmod(met, 2)
        met += 1
        await (server.plainly if is_good else OF_A_CALL[at][1])(request, writer)

    async with http_server(on={"tools/call": in_turn}, protocol=protocol) as server:
        found = await found_by(entry(server), tmp_path, 2 * len(OF_A_CALL))
        codes = [call["code"] for call in found["calls"]]
        assert codes[1::2] == [""] * len(OF_A_CALL)
        assert dict(zip([row[0] for row in OF_A_CALL], codes[::2], strict=True)) == {
            row[0]: row[2].code for row in OF_A_CALL
        }
        assert found["last"]["status"] == "connected"


async def test_nobody_there_is_told_at_once(tmp_path: Path) -> None:
    async with http_server() as server:
        bad = entry(server)
    found = await found_by(bad, tmp_path, 2)
    judge(found, ("failed", UNREACHABLE), [UNREACHABLE] * 2, hasty=False)
    assert found["first"]["nextTry"]


# --- the transport of 2024

Writing = Callable[[Old, Request, asyncio.StreamWriter], None]


def cut(old: Old, request: Request, writer: asyncio.StreamWriter) -> None:
    assert old.stream is not None
    old.stream.close()
    writer.write(raw(202))


def fill(old: Old, request: Request, writer: asyncio.StreamWriter) -> None:
    assert old.stream is not None
    old.stream.write(event({"jsonrpc": "2.0", "id": request.id, "result": {"x": "y" * (17 * 1024 * 1024)}}))
    writer.write(raw(202))


def reset(old: Old, request: Request, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


OLD: dict[str, tuple[Writing, list[str]]] = {
    "500": (lambda _old, _request, writer: writer.write(raw(500)), [REFUSED] * 3),
    "401": (lambda _old, _request, writer: writer.write(raw(401)), [LOGIN]),
    "reset": (reset, [CUT] * 3),
    "no answer": (lambda _old, _request, writer: writer.write(raw(202)), [LATE] * 2),
    "the stream ends": (cut, [LOST] * 2),
    "too much": (fill, [LONG] * 2),
}  # fmt: skip


@pytest.mark.parametrize("fault", OLD)
async def test_a_fault_of_the_old_transport_costs_a_call(fault: str, tmp_path: Path) -> None:
    write, calls = OLD[fault]
    old = Old()

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        write(old, request, writer)

    async with http_server() as server:
        server.on = {**old.served(server), "tools/call": answer}
        hasty = calls[0] == LATE
        found = await found_by(entry(server, hasty=hasty, transport="sse"), tmp_path, len(calls))
        judge(found, WORKS, calls, hasty=hasty)
        await server.until(lambda: server.open == 0)


OPENINGS: dict[str, tuple[Answer, str]] = {
    "nowhere to write to": (says(STREAM + b": hello\n\n", then_close=True), LOST),
    "never where to write to": (drip(STREAM + b": hello\n\n"), LATE_START),
    "another origin": (says(STREAM + b"event: endpoint\ndata: https://evil.example/\n\n"), UNREADABLE),
    "500": (says(raw(500)), REFUSED),
    "a page": (says(raw(200, PAGE, kind="text/html")), NOT_MCP),
    "hangs": (hangs, LATE_START),
}  # fmt: skip


@pytest.mark.parametrize("fault", OPENINGS)
async def test_a_stream_that_does_not_open_is_told_in_time(fault: str, tmp_path: Path) -> None:
    answer, why = OPENINGS[fault]
    async with http_server(on={"GET": answer}) as server:
        hasty = why == LATE_START
        found = await found_by(entry(server, hasty=hasty, transport="sse"), tmp_path, 1)
        judge(found, ("failed", why), [why], hasty=hasty)
        await server.until(lambda: server.open == 0)
