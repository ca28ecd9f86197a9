"""OpenCode's own client package uses our `/mcp` routes as if they were OpenCode's."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from base64 import b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from tests.flows.test_login import NO_ISS, redirected
from tests.process.test_serve import SERVER, Served, project, serving
from tests.servers.oauth import guarded

__all__ = ["project"]

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(
        os.name != "posix", reason="`mooring serve` is ended by a signal that Windows does not have"
    ),
]

PEERS = Path(__file__).parent
NODE = Path(sys.executable).with_name("node")
PASSWORD = "the-password-of-these-tests"
BASIC = "Basic " + b64encode(f"opencode:{PASSWORD}".encode()).decode()


class Theirs:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def call(self, path: str, generation: str = "second", **parameters: Any) -> dict[str, Any]:
        sent, told = self._process.stdin, self._process.stdout
        assert sent is not None
        assert told is not None
        sent.write(json.dumps([generation, path, parameters]).encode() + b"\n")
        async with asyncio.timeout(60):
            line = await told.readline()
        assert line, "it ended without an answer"
        return json.loads(line)


@asynccontextmanager
async def client(served: Served) -> AsyncGenerator[Theirs]:
    program = [NODE, PEERS / "opencode.mjs", f"http://127.0.0.1:{served.port}", BASIC]
    process = await asyncio.create_subprocess_exec(
        *program, cwd=PEERS, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield Theirs(process)
    finally:
        # It ends with its input; what we started is only what starts it.
        async with asyncio.timeout(30):
            await process.communicate(b"")


async def test_it_sees_starts_stops_and_adds_servers(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENCODE_SERVER_PASSWORD", PASSWORD)
    async with serving(project, "--allow-exec") as served, client(served) as theirs:
        assert (await theirs.call("global.health"))["data"]["healthy"] is True
        for generation in ("first", "second"):
            told = await theirs.call("mcp.status", generation)
            assert (told["status"], told["data"]) == (200, {"notes": {"status": "connected"}})
        assert (await theirs.call("mcp.disconnect", name="notes"))["data"] is True
        assert (await theirs.call("mcp.status"))["data"] == {"notes": {"status": "disabled"}}
        assert (await theirs.call("mcp.connect", name="notes"))["data"] is True
        unknown = await theirs.call("mcp.connect", name="nobody")
        assert (unknown["status"], unknown["error"]["_tag"]) == (404, "McpServerNotFoundError")
        assert (await theirs.call("event.subscribe"))["data"]["type"] == "server.connected"
        assert (await theirs.call("experimental.resource.list"))["status"] == 200
        more = {"type": "local", "command": [sys.executable, str(SERVER)]}
        told = await theirs.call("mcp.add", name="more", config=more)
        assert told["data"] == {"notes": {"status": "connected"}, "more": {"status": "connected"}}
        wrong = await theirs.call("mcp.add", name="wrong", config={})
        assert (wrong["status"], wrong["error"]["code"][:5]) == (422, "MOOR-")
        no_login = await theirs.call("mcp.auth.start", name="notes")
        assert (no_login["status"], list(no_login["error"])) == (400, ["error"])


async def test_it_logs_in_and_out(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENCODE_SERVER_PASSWORD", PASSWORD)
    async with (
        guarded(changes=NO_ISS) as server,
        serving(project) as served,
        client(served) as theirs,
    ):
        far = {"type": "remote", "url": server.url}
        assert (await theirs.call("mcp.add", name="far", config=far))["data"]["far"] == {
            "status": "needs_auth"
        }
        begun = (await theirs.call("mcp.auth.start", name="far"))["data"]
        query = dict(parse_qsl(urlsplit(await redirected(begun["authorizationUrl"])).query))
        assert query["state"] == begun["oauthState"]
        told = await theirs.call("mcp.auth.callback", name="far", code=query["code"])
        assert told["data"] == {"status": "connected"}
        assert (await theirs.call("mcp.auth.remove", name="far"))["data"] == {"success": True}
        assert (await theirs.call("mcp.status"))["data"]["far"] == {"status": "needs_auth"}
