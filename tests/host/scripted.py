"""A server written out by hand, which counts what it is asked and can be made to misbehave."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

TOOL = {"name": "tick", "inputSchema": {"type": "object"}}


class Scripted:
    """Of the old era. `on` holds what each method answers, or a function of its parameters that does."""

    def __init__(self, tools: list[dict[str, Any]] | None = None, **on: Any) -> None:
        self.tools = [TOOL] if tools is None else tools
        self.asked: Counter[str] = Counter()
        self.on = on
        self.connections = 0
        self.said: Callable[[bytes], None] = lambda _data: None
        self.leave = asyncio.Event()
        self.left = asyncio.Event()
        self._something = asyncio.Condition()

    async def heard(self, method: str, times: int = 1) -> None:
        """Until it was asked so often; the test's own deadline bounds it."""
        async with self._something:
            await self._something.wait_for(lambda: self.asked[method] >= times)

    async def __call__(self, lines: AsyncIterator[bytes], say: Callable[[bytes], None]) -> None:
        self.connections += 1
        self.said = say
        self.leave = asyncio.Event()
        self.left = asyncio.Event()
        hearing = asyncio.ensure_future(self._hear(lines))
        leaving = asyncio.ensure_future(self.leave.wait())
        try:
            await asyncio.wait([hearing, leaving], return_when=asyncio.FIRST_COMPLETED)
        finally:
            hearing.cancel()
            leaving.cancel()
            self.left.set()

    async def _hear(self, lines: AsyncIterator[bytes]) -> None:
        async for line in lines:
            message = json.loads(line)
            method = message.get("method", "")
            self.asked[method] += 1
            async with self._something:
                self._something.notify_all()
            if "id" in message and method:
                self._answer(message["id"], method, message.get("params", {}))

    def _answer(self, identity: Any, method: str, params: dict[str, Any]) -> None:
        answer: Any = self.on.get(
            method.replace("/", "_"), getattr(self, "_" + method.replace("/", "_"), None)
        )
        if callable(answer):
            answer = answer(params)
        if answer is None:
            answer = {"error": {"code": -32601, "message": "no such method"}}
        if answer != "nothing":
            result = answer if "error" in answer else {"result": answer}
            self.send({"jsonrpc": "2.0", "id": identity, **result})

    def send(self, message: dict[str, Any]) -> None:
        self.said(json.dumps(message).encode() + b"\n")

    def notify(self, method: str, **params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params})

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        capabilities = {"tools": {"listChanged": True}, "resources": {"subscribe": True}}
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": capabilities,
            "serverInfo": {"name": "scripted", "version": "1"},
        }

    def _tools_list(self, _params: dict[str, Any]) -> dict[str, Any]:
        return {"tools": self.tools}

    def _resources_list(self, _params: dict[str, Any]) -> dict[str, Any]:
        return {"resources": []}

    def _resources_templates_list(self, _params: dict[str, Any]) -> dict[str, Any]:
        return {"resourceTemplates": []}

    def _resources_subscribe(self, _params: dict[str, Any]) -> dict[str, Any]:
        return {}

    def _ping(self, _params: dict[str, Any]) -> dict[str, Any]:
        return {}

    def _tools_call(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": f"{params['name']} done"}]}
