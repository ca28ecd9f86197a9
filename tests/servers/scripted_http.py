"""An HTTP server of a few lines, whose every byte a test decides."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mooring.core.spec import RemoteSpec, Timeouts
from mooring.upstream.ground import Ground
from mooring.upstream.order import Order
from mooring.upstream.remote import remote
from mooring.upstream.session import Session
from mooring.upstream.stdio.reaper import Reaper

LEGACY, MODERN = "2025-11-25", "2026-07-28"


@dataclass
class Request:
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        return json.loads(self.body) if self.body else {}

    @property
    def verb(self) -> str:
        """The method of the protocol, or of HTTP where there is none."""
        is_message = self.method == "POST" and "json" in self.headers.get("content-type", "json")
        return self.message.get("method", "") if is_message else self.method

    @property
    def id(self) -> Any:
        return self.message.get("id")


Answering = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


def raw(status: int, body: bytes = b"", *, kind: str = "text/plain", **headers: str) -> bytes:
    named = {"content-type": kind, "content-length": str(len(body)), **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status} Said\r\n{lines}\r\n".encode("latin-1") + body


def as_json(value: Any, status: int = 200, **headers: Any) -> bytes:
    return raw(status, json.dumps(value).encode(), kind="application/json", **headers)


def result(request: Request, value: Any, **headers: Any) -> bytes:
    return as_json({"jsonrpc": "2.0", "id": request.id, "result": value}, **headers)


def event(value: Any, **fields: str) -> bytes:
    named = "".join(f"{name}: {text}\n" for name, text in fields.items())
    return f"{named}data: {json.dumps(value)}\n\n".encode()


STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"


@dataclass
class HttpServer:
    """`on` by the method of the protocol, or of HTTP; the rest is answered as by a plain old server."""

    on: dict[str, Answering] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    protocol: str = LEGACY
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    open: int = 0
    busy: int = 0
    most_open: int = 0
    port: int = 0
    scheme: str = "http"
    host: str = "127.0.0.1"
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}/mcp"

    def asked(self, verb: str) -> list[Request]:
        return [request for request in self.requests if request.verb == verb]

    async def until(self, what: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not what():
                self.changed.clear()
                await self.changed.wait()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        self.most_open = max(self.open, self.most_open)
        try:
            while (request := await read(reader)) is not None and not writer.is_closing():
                self.requests.append(request)
                self.changed.set()
                self.busy += 1
                try:
                    await while_connected(reader, self.on.get(request.verb, self.plainly)(request, writer))
                    await writer.drain()
                finally:
                    self.busy -= 1
                    self.changed.set()
                if request.headers.get("connection") == "close":
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open -= 1
            self.changed.set()
            writer.close()

    async def plainly(self, request: Request, writer: asyncio.StreamWriter) -> None:
        match request.verb:
            case "initialize":
                about = {
                    "protocolVersion": LEGACY,
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "it"},
                }
                writer.write(result(request, about, **self.headers))
            case "server/discover" if self.protocol == MODERN:
                about = {"supportedVersions": [MODERN], "capabilities": {"tools": {}}}
                writer.write(result(request, about))
            case "tools/list":
                writer.write(
                    result(request, {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]})
                )
            case "tools/call":
                text = json.dumps(request.message["params"]["arguments"])
                writer.write(result(request, {"content": [{"type": "text", "text": text}]}))
            case "GET" | "DELETE":
                writer.write(raw(405))
            case _ if request.id is None:
                writer.write(raw(202))
            case _:
                error = {"code": -32601, "message": "no such method"}
                writer.write(as_json({"jsonrpc": "2.0", "id": request.id, "error": error}))


async def while_connected(reader: asyncio.StreamReader, answer: Awaitable[None]) -> None:
    """A client that goes ends what was done for it; it says nothing before it has its answer."""
    task, gone = asyncio.ensure_future(answer), asyncio.ensure_future(reader.read(1))
    try:
        await asyncio.wait([task, gone], return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        task.cancel()
    await asyncio.wait([task, gone])
    if not task.cancelled():
        task.result()


async def read(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    named = (line.partition(":") for line in lines if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in named}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, target, headers, body)


@asynccontextmanager
async def listening(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    tls: ssl.SSLContext | None = None,
    host: str = "127.0.0.1",
) -> AsyncIterator[int]:
    """A port of this machine; whoever is still connected at the end is cut off."""
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await answer(reader, writer)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            tasks.discard(task)

    server = await asyncio.start_server(serve, host, 0, ssl=tls, limit=64 * 1024 * 1024)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def http_server(tls: ssl.SSLContext | None = None, **settings: Any) -> AsyncIterator[HttpServer]:
    server = HttpServer(scheme="https" if tls else "http", **settings)
    async with listening(server.serve, tls, server.host) as port:
        server.port = port
        yield server


@asynccontextmanager
async def session_with(url: str, /, **more: Any) -> AsyncIterator[Session]:
    """`env`, `folder` and what an order or a spec may have; everything within 20 seconds."""
    of_order = {
        key: more.pop(key) for key in ("trace", "credentials", "secrets", "notice", "us") if key in more
    }
    ground = Ground(more.pop("env", {}), more.pop("folder", None) or more.pop("cwd", None), Reaper())
    protocol = more.pop("protocol", "legacy")
    times = more.pop("timeouts", Timeouts(start=5, list=5, call=5, ceiling=10))
    spec = RemoteSpec(name="it", url=url, timeouts=times, **more)
    async with (
        asyncio.timeout(30),
        remote(Order(spec, protocol=protocol, **of_order), spec, ground) as session,
    ):
        yield session
