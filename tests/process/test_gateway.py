"""`mooring gateway` as clients start it: lines and nothing else on stdout, and nothing left when they go."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from tests.process.stdio import gone

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        sys.platform != "linux", reason="which processes are left is looked up in /proc, which only Linux has"
    ),
]

SERVER = Path(__file__).parents[1] / "servers" / "notes.py"
WORDS = ("-m", "mooring", "gateway")
WITHIN = 40
TOKEN = "the-token-of-these-tests"


@pytest.fixture
def project(tmp_path: Path, empty_home: Path) -> Path:
    own = empty_home / ".config" / "mooring" / "mooring.json"
    own.parent.mkdir(parents=True)
    marks = {"NOTES_MARKS": str(tmp_path / "marks")}
    entry = {"command": [sys.executable, str(SERVER)], "environment": marks, "timeout": 30000}
    own.write_text(json.dumps({"mcp": {"notes": entry, "more": entry}}))
    os.mkfifo(tmp_path / "marks")
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


class Spawned:
    """A client that writes lines by hand."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    def send(self, method: str, identity: int | None = None, **params: Any) -> None:
        assert self.process.stdin is not None
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        line = json.dumps(message if identity is None else {**message, "id": identity})
        self.process.stdin.write(line.encode() + b"\n")

    async def heard(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        return json.loads(await self.process.stdout.readline())

    async def greet(self) -> dict[str, Any]:
        about = {"name": "by hand", "version": "1"}
        self.send("initialize", 1, protocolVersion="2025-11-25", capabilities={}, clientInfo=about)
        found = await self.heard()
        self.send("notifications/initialized")
        return found["result"]

    @property
    def servers(self) -> list[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in children.split()]


@asynccontextmanager
async def spawned(folder: Path, *words: str) -> AsyncGenerator[Spawned]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *WORDS, *words),
        cwd=folder,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(WITHIN):
            yield Spawned(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def used(client: Client, mode: str) -> None:
    """Everything that the two servers have, by way of the gateway."""
    assert client.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
    names = [tool.name for tool in (await client.list_tools()).tools]
    own = ["add", "ask", "count", "draw", "hang", "refuse"]
    assert sorted(names) == sorted(f"{server}_{tool}" for server in ("more", "notes") for tool in own)
    called = await client.call_tool("notes_add", {"title": "Milk", "stars": 3})
    assert called.structured_content == {"title": "Milk", "stars": 3}
    read = await client.read_resource("notes://more/today")
    assert "notes://today" in str(read.contents[0])
    prompt = await client.get_prompt("notes:summary", {"tone": "kind"})
    assert "Be kind" in str(prompt.messages[0])


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_sdks_client_uses_every_server_over_stdio(project: Path, mode: Any) -> None:
    words = StdioServerParameters(command=sys.executable, args=list(WORDS), cwd=project, env=dict(os.environ))
    async with asyncio.timeout(WITHIN), Client(words, mode=mode) as client:
        await used(client, mode)


@pytest.mark.parametrize("path", ["/mcp", "/gateway"])
async def test_the_sdks_client_uses_every_server_over_http(project: Path, path: str) -> None:
    """`mooring gateway --http` and `mooring serve` alike, in both eras of the protocol at once."""
    words = ("gateway", "--http", "0") if path == "/mcp" else ("serve", "--port", "0")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "mooring", *words),
        cwd=project,
        env={**os.environ, "MOORING_TOKEN": TOKEN},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(WITHIN):
            said = (await process.stdout.readline()).decode().split()[-1]
            url = said if path == "/mcp" else said + path
            for mode in ("legacy", "auto"):
                async with httpx2.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}) as http:
                    transport = streamable_http_client(url, http_client=http)
                    async with Client(transport, mode=mode) as client:
                        await used(client, mode)
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def test_a_client_that_goes_leaves_nothing_running(project: Path, tmp_path: Path) -> None:
    async with spawned(project) as it:
        assert (await it.greet())["serverInfo"]["name"] == "mooring"
        it.send("tools/call", 2, name="notes_hang")
        assert await asyncio.to_thread((tmp_path / "marks").read_text) == "hanging\n"
        servers = it.servers
        assert len(servers) >= 2
        assert it.process.stdin is not None
        it.process.stdin.close()
        # the call is cancelled at the server before that is ended
        assert await asyncio.to_thread((tmp_path / "marks").read_text) == "cancelled\n"
        assert await it.process.wait() == 0
        await gone(*servers)


async def test_a_signal_ends_it_and_its_servers(project: Path) -> None:
    async with spawned(project, "--names", "plain") as it:
        await it.greet()
        it.send("tools/list", 2)
        assert (await it.heard())["id"] == 2
        servers = it.servers
        it.process.send_signal(signal.SIGTERM)
        assert await it.process.wait() == 130
        await gone(*servers)
