"""`mooring serve` as it is started and ended, and what slow, greedy and many clients do to everybody else."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX"),
]

SERVER = Path(__file__).parents[1] / "servers" / "notes.py"
TOKEN = "the-token-of-these-tests"
JSON_OF_ONE = b"Content-Type: application/json\r\nContent-Length: 1\r\n\r\n"
HEAD = f"Host: 127.0.0.1:%d\r\nAuthorization: Bearer {TOKEN}\r\n"


class Served:
    def __init__(self, process: asyncio.subprocess.Process, port: int, told: dict[str, Any]) -> None:
        self.process = process
        self.port = port
        self.told = told
        self.head = HEAD % port

    async def connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def get(self, path: str, method: str = "GET") -> tuple[int, bytes]:
        reader, writer = await self.connection()
        writer.write(f"{method} {path} HTTP/1.1\r\n{self.head}Connection: close\r\n\r\n".encode())
        try:
            whole = await reader.read()
        finally:
            writer.close()
        head, _, body = whole.partition(b"\r\n\r\n")
        return int(head.split()[1]), body


@pytest.fixture
def project(tmp_path: Path, empty_home: Path) -> Path:
    own = empty_home / ".config" / "mooring" / "mooring.json"
    own.parent.mkdir(parents=True)
    own.write_text(json.dumps({"mcp": {"notes": {"command": [sys.executable, str(SERVER)]}}}))
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


@asynccontextmanager
async def serving(folder: Path, *words: str) -> AsyncGenerator[Served]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "mooring", "serve", "--port", "0", "--json", *words),
        cwd=folder,
        env={**os.environ, "MOORING_TOKEN": TOKEN},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        lines: list[bytes] = []
        while not lines or lines[-1] != b"}\n":
            line = await process.stdout.readline()
            assert line, "it ended before it was listening"
            lines.append(line)
        told = json.loads(b"".join(lines))
        yield Served(process, int(told["url"].rpartition(":")[2]), told)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A request whose headers never end."""
    writer.write(b"GET / HTTP/1.1\r\n")
    for number in range(10_000):
        writer.write(f"X-{number}: {'y' * 100}\r\n".encode())
        await writer.drain()
    if not await reader.read(1):
        raise ConnectionError


def running(process: str) -> bool:
    return Path(f"/proc/{process}").exists()


def children(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


async def test_it_serves_what_is_configured_and_ends_all_of_it_when_it_is_told_to(project: Path) -> None:
    async with serving(project) as served:
        assert served.told["token"] == "MOORING_TOKEN"
        status, body = await served.get("/mcp")
        assert (status, json.loads(body)) == (200, {"notes": {"status": "connected"}})
        started = children(served.process.pid) if sys.platform == "linux" else []
        reader, writer = await served.connection()
        writer.write(f"GET /event HTTP/1.1\r\n{served.head}\r\n".encode())
        await reader.readuntil(b"server.connected")
        served.process.send_signal(signal.SIGTERM)
        assert await served.process.wait() == 0
        await reader.read()
        writer.close()
        assert [each for each in started if running(each)] == []


async def test_the_link_that_it_prints_opens_the_page_once(project: Path) -> None:
    async with serving(project) as served:
        link = served.told["link"].removeprefix(served.told["url"])
        status, page = await served.get(link)
        assert (status, b"Welcome" in page) == (200, True)
        assert (await served.get(link))[0] == 401


async def test_an_interrupt_ends_it_too_and_says_so(project: Path) -> None:
    async with serving(project) as served:
        served.process.send_signal(signal.SIGINT)
        assert await served.process.wait() == 130


async def test_a_port_that_is_taken_says_who_has_it(project: Path, tmp_path: Path) -> None:
    async with serving(project) as served:
        other = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "mooring", "serve", "--port", str(served.port), "--json"),
            cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await other.communicate()
        error = json.loads(out)["error"]
        assert (other.returncode, error["code"], error["hint"]) == (
            1,
            "MOOR-HTTP-015",
            "mooring serve --port 0",
        )
        if sys.platform == "linux":
            assert f"process {served.process.pid}" in error["message"]


async def test_a_change_of_the_files_shows_without_a_restart(project: Path, empty_home: Path) -> None:
    async with serving(project) as served:
        reader, writer = await served.connection()
        writer.write(f"GET /api/v1/events HTTP/1.1\r\n{served.head}\r\n".encode())
        await reader.readuntil(b": connected")
        own = empty_home / ".config" / "mooring" / "mooring.json"
        own.write_text(json.dumps({"mcp": {}}))
        await reader.readuntil(b"event: config.reloaded")
        writer.close()
        assert json.loads((await served.get("/mcp"))[1]) == {}


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, "MOOR-HTTP-007"),
        (b"GET /mcp HTTP/1.1\r\nA B: c\r\n\r\n", 400, "MOOR-HTTP-007"),
        (b"GET /mcp HTTP/1.1\r\nHost: evil.com\r\n\r\n", 421, "MOOR-HTTP-004"),
        (b"GET /mcp HTTP/1.0\r\n\r\n", 400, "MOOR-HTTP-007"),
        (b"POST /api/v1/call HTTP/1.1\r\n%sContent-Length: 10000000\r\n\r\n", 413, "MOOR-HTTP-008"),
        (
            b"POST /mcp HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{",
            400,
            "MOOR-HTTP-007",
        ),
        (b"POST /mcp HTTP/1.1\r\n%sContent-Length: 2\r\n\r\n{}", 415, "MOOR-HTTP-010"),
        (b"GET /mcp/ HTTP/1.1\r\n%s\r\n", 404, "MOOR-HTTP-013"),
        (b"GET //mcp HTTP/1.1\r\n%s\r\n", 400, "MOOR-HTTP-007"),
        (b"GET /api/v1/servers/a%%00b HTTP/1.1\r\n%s\r\n", 400, "MOOR-HTTP-007"),
        (b"GET /%%2e%%2e/etc/passwd HTTP/1.1\r\n%s\r\n", 400, "MOOR-HTTP-007"),
    ],
    ids=["tls", "header", "host", "no-host", "large", "open", "kind", "end", "twice", "zero", "path"],
)
async def test_what_is_no_request_of_ours_is_told_why(
    project: Path, sent: bytes, status: int, code: str
) -> None:
    async with serving(project) as served:
        reader, writer = await served.connection()
        writer.write(sent % served.head.encode() if b"%s" in sent else sent)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        body = json.loads(await reader.readexactly(length))
        assert (int(head.split()[1]), body["status"], body["code"]) == (status, status, code)
        assert b"application/problem+json" in head
        writer.close()
        assert (await served.get("/global/health"))[0] == 200


async def test_headers_that_never_end_are_not_waited_for(project: Path) -> None:
    async with serving(project) as served:
        reader, writer = await served.connection()
        writer.write(b"GET /mcp HTTP/1.1\r\nX-Slow: ")
        began = time.monotonic()
        with suppress(ConnectionError):
            assert await reader.read() == b""
        assert time.monotonic() - began < 20
        writer.close()
        reader, writer = await served.connection()
        with pytest.raises(ConnectionError):
            await flood(reader, writer)
        writer.close()
        assert (await served.get("/global/health"))[0] == 200


@pytest.fixture
def many_files() -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 4_096:
        pytest.skip("this machine does not let a process have so many connections")
    resource.setrlimit(resource.RLIMIT_NOFILE, (4_096, hard))


@pytest.mark.usefixtures("many_files")
async def test_a_thousand_silent_listeners_and_slow_requests_delay_nobody(project: Path) -> None:
    async with serving(project) as served:
        await served.get("/mcp")
        crowd = [await served.connection() for _ in range(1_000)]
        for _, writer in crowd:
            writer.write(f"GET /event HTTP/1.1\r\n{served.head}\r\n".encode())
        for reader, _ in crowd:
            await reader.readuntil(b"server.connected")
        slow = [await served.connection() for _ in range(100)]
        for _, writer in slow:
            writer.write(f"GET /mcp HTTP/1.1\r\n{served.head}".encode())
        taken: list[float] = []
        for _ in range(50):
            began = time.perf_counter()
            assert (await served.get("/mcp"))[0] == 200
            taken.append(time.perf_counter() - began)
        assert statistics.median(taken) < 0.25
        for _, writer in [*crowd, *slow]:
            writer.transport.abort()


async def test_ten_megabytes_in_pieces_are_refused_before_they_have_arrived(project: Path) -> None:
    async with serving(project) as served, asyncio.timeout(60):
        reader, writer = await served.connection()
        head = f"POST /api/v1/call HTTP/1.1\r\n{served.head}Content-Type: application/json\r\n"
        writer.write(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        piece = b"%x\r\n%b\r\n" % (65_536, b" " * 65_536)
        with suppress(ConnectionError):
            for _ in range(160):
                writer.write(piece)
                await writer.drain()
        began = time.perf_counter()
        assert (await served.get("/mcp"))[0] == 200
        assert time.perf_counter() - began < 10
        answer = await reader.readuntil(b"\r\n\r\n")
        assert int(answer.split()[1]) == 413
        writer.transport.abort()
