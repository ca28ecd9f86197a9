"""Requests to an application in this process, as a server would hand them on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mooring.system.door import App, Scope

TOKEN = "a-token-that-is-long-enough"
BEARER = (b"authorization", f"Bearer {TOKEN}".encode())
HOST = (b"host", b"127.0.0.1:4096")


@dataclass
class Answer:
    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list[tuple[bytes, bytes]])
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: bytes) -> list[bytes]:
        return [value for key, value in self.headers if key == name]


class Open:
    """A request whose answer has begun, and whose listener may stop to listen."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self.answer = Answer()
        self.left = asyncio.Event()
        self.takes = asyncio.Event()
        self.takes.set()
        self._came = asyncio.Condition()

    async def receive(self) -> Any:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        await self.takes.wait()
        if message["type"] == "http.response.start":
            self.answer.status, self.answer.headers = message["status"], list(message["headers"])
        self.answer.body += message.get("body", b"")
        async with self._came:
            self._came.notify_all()

    async def until(self, text: bytes, times: int = 1) -> bytes:
        async with self._came:
            await self._came.wait_for(lambda: self.answer.body.count(text) >= times)
        return self.answer.body


def scope_of(method: str, path: str, headers: Iterable[tuple[bytes, bytes]], raw: bytes | None) -> Scope:
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode() if raw is None else raw,
        "query_string": b"",
        "headers": list(headers),
        "client": ("127.0.0.1", 5000),
    }


class Client:
    def __init__(self, app: App) -> None:
        self._app = app

    async def ask(
        self,
        method: str,
        path: str,
        headers: Iterable[tuple[bytes, bytes]] = (BEARER, HOST),
        *,
        body: bytes = b"",
        raw: bytes | None = None,
        query: bytes = b"",
    ) -> Answer:
        answer = Answer()
        messages: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return messages.pop() if messages else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.status, answer.headers = message["status"], list(message["headers"])
            answer.body += message.get("body", b"")

        scope = {**scope_of(method, path, headers, raw), "query_string": query}
        await self._app(scope, receive, send)
        return answer

    @asynccontextmanager
    async def open(
        self, path: str, *headers: tuple[bytes, bytes], method: str = "GET", body: bytes = b""
    ) -> AsyncGenerator[Open]:
        found = Open(body)
        scope = scope_of(method, path, (BEARER, HOST, *headers), None)
        task = asyncio.create_task(self._app(scope, found.receive, found.send))  # type: ignore[arg-type]
        try:
            yield found
        finally:
            found.left.set()
            found.takes.set()
            await task
