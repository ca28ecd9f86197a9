"""A gateway in front of servers that live in the test, and clients that say what they like to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from mooring.gateway.client import Client as Known
from mooring.gateway.hub import Hub, open_hub
from mooring.gateway.talk import Talk
from mooring.gateway.view import Scope
from mooring.host import open_host
from mooring.testing import dial_to

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
WITHIN = 30

Json: TypeAlias = dict[str, Any]


def text(words: str, **more: Any) -> Json:
    return {"content": [{"type": "text", "text": words}], **more}


class Scripted:
    """A server of the old era in a few lines: what it lists, and what it answers, is given to it."""

    def __init__(self, answers: dict[str, Any], **more: Any) -> None:
        self.answers = answers
        self.heard: list[Json] = []
        self._more = asyncio.Event()
        self.instructions = more.get("instructions", "")
        self.say: Callable[[Json], None] = lambda _message: None
        self.asked: Any = None
        self.on_answer: Callable[[Json], None] = lambda _message: None

    async def until_heard(self, method: str) -> Json:
        async with asyncio.timeout(WITHIN):
            while True:
                for each in self.heard:
                    if each.get("method") == method:
                        return each
                self._more.clear()
                await self._more.wait()

    def _greeting(self, message: Json) -> Json:
        known = {"tools/list": "tools", "resources/list": "resources", "prompts/list": "prompts"}
        able = {what: {} for method, what in known.items() if method in self.answers}
        greeting = {
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {**able, "logging": {}, "completions": {}},
            "serverInfo": {"name": "scripted", "version": "1"},
        }
        return {**greeting, "instructions": self.instructions} if self.instructions else greeting

    async def __call__(self, lines: AsyncIterator[bytes], say: Callable[[bytes], None]) -> None:
        def tell(message: Json) -> None:
            raw = message.pop("raw", None)
            line = json.dumps({"jsonrpc": "2.0", **message}).encode()
            say((line if raw is None else line[:-1] + b', "result": ' + raw + b"}") + b"\n")

        self.say = tell
        async for line in lines:
            message = json.loads(line)
            self.heard.append(message)
            self._more.set()
            if "method" not in message:
                self.on_answer(message)
            if "id" not in message or "method" not in message:
                continue
            if message["method"] == "initialize":
                tell({"id": message["id"], "result": self._greeting(message)})
                continue
            self.asked = message["id"]
            found = self.answers.get(message["method"])
            result = found(message.get("params") or {}) if callable(found) else found
            if isinstance(result, bytes):
                tell({"id": message["id"], "raw": result})
            elif isinstance(result, dict):
                tell({"id": message["id"], **({} if "error" in result else {"result": result}), **result})
            elif result is None:
                error = {"code": -32601, "message": "Method not found"}
                tell({"id": message["id"], "error": error})


class Client:
    """One client: it counts its requests, and keeps what it is told."""

    def __init__(self, hub: Hub, scope: Scope, version: str, *, hears_all: bool = True) -> None:
        self.version = version
        self.able: Json = {}
        self.said: list[Json] = []
        self.raw: list[bytes] = []
        self._more = asyncio.Event()
        self.count = 0
        self.talk = Talk(Known(hub, scope, self._heard, hears_all=hears_all))

    def _heard(self, message: bytes) -> None:
        self.raw.append(message)
        self.said.append(json.loads(message))
        self._more.set()

    def send(self, message: Json) -> None:
        self.talk.hear(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def begin(self, method: str, params: Json | None = None) -> int:
        """A request that is waited for later, if at all."""
        self.count += 1
        params = dict(params or {})
        if self.version == MODERN:
            said = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": self.able}
            params["_meta"] = {**said, **params.get("_meta", {})}
        self.send({"id": self.count, "method": method, "params": params})
        return self.count

    async def until(self, is_it: Callable[[Json], bool]) -> Json:
        async with asyncio.timeout(WITHIN):
            while True:
                for each in self.said:
                    if is_it(each):
                        return each
                self._more.clear()
                await self._more.wait()

    async def reply(self, identity: int) -> Json:
        return await self.until(lambda each: each.get("id") == identity and "method" not in each)

    async def ask(self, method: str, params: Json | None = None) -> Json:
        found = await self.reply(self.begin(method, params))
        assert "result" in found, found
        return found["result"]

    async def refused(self, method: str, params: Json | None = None) -> Json:
        found = await self.reply(self.begin(method, params))
        assert "error" in found, found
        return found["error"]

    async def leave(self) -> None:
        left = self.talk.close()
        if left:
            await asyncio.wait(left, timeout=WITHIN)

    async def call(self, name: str, **arguments: Any) -> Json:
        return await self.ask("tools/call", {"name": name, "arguments": arguments})

    async def greet(self, **able: Any) -> Json:
        """The first words of its era."""
        self.able = able
        if self.version == MODERN:
            return await self.ask("server/discover")
        about = {"name": "tester", "version": "1"}
        params = {"protocolVersion": self.version, "capabilities": able, "clientInfo": about}
        found = await self.ask("initialize", params)
        self.send({"method": "notifications/initialized"})
        return found


class Gate:
    """A gateway over one host, and as many clients as a test wants."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.host = hub.host
        self.clients: list[Client] = []

    async def client(self, version: str, scope: Scope | None = None, **able: Any) -> Client:
        found = Client(self.hub, scope or Scope(), version)
        self.clients.append(found)
        await found.greet(**able)
        return found


Gated: TypeAlias = Callable[..., AbstractAsyncContextManager[Gate]]


@pytest.fixture(params=["2025-11-25", MODERN])
def version(request: pytest.FixtureRequest) -> str:
    """What the client speaks: the last version of the old era, and the first one of the new."""
    return request.param


@pytest.fixture(params=["2025-11-25", MODERN], ids=["over-2025-11-25", "over-2026-07-28"])
def protocol(request: pytest.FixtureRequest) -> str:
    """What the servers speak."""
    return request.param


@pytest.fixture
def gated(tmp_path: Path) -> Gated:
    """`gated({"notes": server})`; `protocol` is for all of them, `settings` stand beside the servers."""

    @asynccontextmanager
    async def gate(servers: dict[str, Any], **settings: Any) -> AsyncGenerator[Gate]:
        protocol = settings.pop("protocol", "auto")
        entry = {"command": ["none"], "protocol": protocol, "timeout": 20000}
        config = {"mcp": {name: dict(entry) for name in servers}, **settings}
        async with open_host(config, cwd=tmp_path, dial=dial_to(servers)) as host:
            await host.settled()
            with open_hub(host) as hub:
                found = Gate(hub)
                yield found
                for client in found.clients:
                    await client.leave()

    return gate
