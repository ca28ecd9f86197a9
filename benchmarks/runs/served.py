"""One figure of a program that serves MCP servers over HTTP, in seconds or bytes.

`ready` is how long until it answers, `request` how long one `GET /mcp` takes where eight connections ask
without end, `memory` what its process occupies when its servers are connected and nobody asks anything.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

CONNECTIONS = 8
WARM, COUNTED = 1.0, 3.0
IDLE = 2.0
WITHIN = 60.0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def request(port: int, path: str) -> bytes:
    token = os.environ.get("MOORING_TOKEN", "none")
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


def ask(port: int, path: str, within: float = WITHIN) -> bytes:
    """The body of one answer, which has to say how long it is."""
    with socket.create_connection(("127.0.0.1", port), timeout=within) as end:
        end.sendall(request(port, path))
        head, body = b"", b""
        while b"\r\n\r\n" not in head:
            head += end.recv(65_536) or b"\r\n\r\n"
        head, _, body = head.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(head.decode(errors="replace"))
        lines = head.lower().split(b"\r\n")
        size = next(int(line[15:]) for line in lines if line.startswith(b"content-length:"))
        while len(body) < size:
            body += end.recv(65_536)
        return body


def until_it_answers(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.perf_counter() + WITHIN
    while time.perf_counter() < until and process.poll() is None:
        try:
            ask(port, "/global/health", 2)
        except OSError:
            # One that is about to listen may take a connection and forget it.
            time.sleep(0.002)
        else:
            return
    raise SystemExit("it never answered")


class Asking(asyncio.Protocol):
    """Asks again as soon as it has the answer; all answers are as long as the first."""

    def __init__(self, wanted: bytes, size: int) -> None:
        self.answers = 0
        self._wanted = wanted
        self._size = size
        self._come = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._wanted)

    def data_received(self, data: bytes) -> None:
        self._come += len(data)
        if self._come == self._size:
            self._come = 0
            self.answers += 1
            self._transport.write(self._wanted)


def answer_size(port: int) -> int:
    with socket.create_connection(("127.0.0.1", port), timeout=WITHIN) as end:
        end.sendall(request(port, "/mcp"))
        whole = end.recv(65_536)
        end.settimeout(0.2)
        while True:
            try:
                whole += end.recv(65_536)
            except TimeoutError:
                return len(whole)


async def seconds_a_request(port: int) -> float:
    loop, size = asyncio.get_running_loop(), answer_size(port)
    made = [
        await loop.create_connection(lambda: Asking(request(port, "/mcp"), size), "127.0.0.1", port)
        for _ in range(CONNECTIONS)
    ]
    await asyncio.sleep(WARM)
    before, began = sum(each.answers for _, each in made), time.perf_counter()
    await asyncio.sleep(COUNTED)
    answers, taken = sum(each.answers for _, each in made) - before, time.perf_counter() - began
    for transport, _ in made:
        transport.abort()
    return taken / answers


def resident(process: int) -> int:
    pages = Path(f"/proc/{process}/statm").read_text("ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def main(what: str, count: int, program: list[str]) -> float:
    port = free_port()
    began = time.perf_counter()
    process = subprocess.Popen(
        [*program, "--port", str(port)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, process_group=0
    )
    try:
        until_it_answers(port, process)
        if what == "ready":
            return time.perf_counter() - began
        statuses = [each["status"] for each in json.loads(ask(port, "/mcp")).values()]
        assert statuses == ["connected"] * count, statuses
        if what == "request":
            return asyncio.run(seconds_a_request(port))
        time.sleep(IDLE)
        return resident(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        finally:
            os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None


print(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
