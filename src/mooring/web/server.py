"""The listener: uvicorn with bounds on headers and connections, and a stop that finishes what was begun."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
from asyncio.events import TimerHandle
from collections.abc import Callable, Generator
from http import HTTPStatus
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mooring.core.frozen import frozen
from mooring.errors import BadRequest, MooringError, PortBusy, TooManyRequests
from mooring.system.door import App
from mooring.system.door.problem import problem
from mooring.system.holder import holder
from mooring.web.local import Local

__all__ = ["Turns", "listen", "run"]

HEADERS_IN_TIME = 10.0
MOST_HEADERS = 64 * 1024
MOST_CONNECTIONS = 12_288
DRAIN = 10


def listen(address: str, port: int) -> socket.socket:
    """A socket that is ours; 0 is any free port."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # asyncio sets TCP_NODELAY only where a socket says that it is TCP; without it an answer takes 40 ms.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((address, port))
        found.listen(2048)
    except OSError as error:
        found.close()
        who = holder(port)
        taken = (
            f"Port {port} on {address} is held by {who}" if who else f"Port {port} on {address} cannot be had"
        )
        raise PortBusy(
            f"{taken}: {(error.strerror or 'unknown error').lower()}", hint="mooring serve --port 0"
        ) from error
    return found


@frozen
class Turns:
    """What is done when it listens, and when it stops to."""

    began: Callable[[], None]
    ending: Callable[[], None]


async def run(app: App, listener: socket.socket, turns: Turns, local: Local | None = None) -> int | None:
    """Until a signal; which one, is the answer."""
    server = _Server(_config(app), turns, local)
    loop = asyncio.get_running_loop()
    heard: list[int] = []

    def stop(number: int) -> None:
        # The second one does not wait for anybody.
        server.force_exit = bool(heard)
        server.should_exit = True
        heard.append(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    try:
        await server.serve([listener])
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
    return heard[0] if heard else None


def _config(app: App) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type] - the same shapes, spelled in another way
        http=_Counted,
        ws="none",
        loop="none",
        lifespan="off",
        log_config=None,
        log_level=logging.CRITICAL,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=DRAIN,
    )


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, turns: Turns, local: Local | None) -> None:
        super().__init__(config)
        self._turns = turns
        self._local = local
        self._beside: asyncio.Server | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        # Signals are ours: uvicorn would raise them again before the servers are closed.
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._local is not None:
            await self._listen_beside(self._local)
        self._turns.began()

    async def _listen_beside(self, local: Local) -> None:
        config = _config(local.app)
        config.load()

        def http() -> asyncio.Protocol:
            return _Protocol(config, self.server_state, {})

        loop = asyncio.get_running_loop()
        self._beside = await loop.create_unix_server(lambda: local.protocol(http), sock=local.listener)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Streams would never end by themselves.
        if self._beside is not None:
            self._beside.close()
        self._turns.ending()
        if self._local is None:
            await super().shutdown(sockets)
        else:
            await asyncio.gather(super().shutdown(sockets), self._local.finish(DRAIN))


class _Protocol(HttpToolsProtocol):
    """One connection; headers that take too long or grow too large end it."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._waiting: TimerHandle | None = None
        self._size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - in words of uvicorn's
        """What is no HTTP gets a problem document too; then it ends, since nobody knows where it stands."""
        self._refuse(BadRequest("This is no request of HTTP", hint="Look at what is sent"), 400)

    def _refuse(self, error: MooringError, status: int, also: str = "") -> None:
        body = problem(error, status)
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/problem+json\r\n"
            f"{also}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._size = 0
        if self._waiting is None:
            self._wait()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._grown(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._grown(len(name) + len(value))

    def on_headers_complete(self) -> None:
        self._arrived()
        super().on_headers_complete()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEADERS_IN_TIME, self.transport.abort)

    def _arrived(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _grown(self, by: int) -> None:
        self._size += by
        if self._size > MOST_HEADERS:
            self.transport.abort()


class _Counted(_Protocol):
    """One of many; one too many is refused before it asks. The local socket refuses nobody."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        most = _most_connections()
        if len(self.connections) > most:
            error = TooManyRequests(f"More than {most} connections at once", hint="Close some of them")
            self._refuse(error, 503, "Retry-After: 1\r\n")


def _most_connections() -> int:
    """A quarter of the files that may be open is left to servers, logs and what is stored."""
    files = os.sysconf("SC_OPEN_MAX") if os.name == "posix" else -1
    return min(MOST_CONNECTIONS, files * 3 // 4) if files > 0 else MOST_CONNECTIONS
