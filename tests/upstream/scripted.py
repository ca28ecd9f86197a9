"""A server of a few lines whose every word a test decides."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from mooring.core.spec import LocalSpec, Timeouts
from mooring.upstream.order import Order
from mooring.upstream.trace import Took, Traced

LEGACY, MODERN = "2025-11-25", "2026-07-28"
META = "io.modelcontextprotocol/"


def order(name: str = "it", protocol: str = "auto", **more: Any) -> Order:
    times = more.pop("timeouts", Timeouts(start=10, list=10, call=10))
    return Order(LocalSpec(name=name, command="none", timeouts=times), protocol=protocol, **more)


def steps(heard: list[Traced]) -> list[str]:
    return [each.step for each in heard if isinstance(each, Took)]


class Scripted:
    """`answers` by method: a result, or an error where the value is an `int` or a `(code, message, data)`.

    A method of `on` answers by itself, with the id and the parameters; "" stands for answers to its own
    questions. Everything else is no such method.
    """

    reason: Mapping[str, str] = {"reason": "nobody waits for the result any more"}

    def __init__(
        self, version: str, answers: Mapping[str, Any], capabilities: Mapping[str, Any] | None = None
    ) -> None:
        about = {"capabilities": capabilities or {}, "serverInfo": {"name": "scripted", "version": "1"}}
        greeting = (
            {"server/discover": {"supportedVersions": [version], "resultType": "complete", **about}}
            if version == MODERN
            else {"initialize": {"protocolVersion": version, **about}}
        )
        self._answers: dict[str, Any] = {**greeting, **answers}
        self._own: dict[str, Callable[[Any, Any], Any]] = {}
        self._write: Callable[[bytes], None] = lambda _data: None
        self._came = asyncio.Condition()
        self._has_to_leave = False
        self.messages: list[dict[str, Any]] = []

    def on(self, method: str, act: Callable[[Any, Any], Any]) -> None:
        self._own[method] = act

    async def __call__(self, lines: AsyncIterator[bytes], say: Callable[[bytes], None]) -> None:
        self._write = say
        async for line in lines:
            message = json.loads(line)
            self.messages.append(message)
            async with self._came:
                self._came.notify_all()
            await self._hear(message)
            if self._has_to_leave:
                return

    async def _hear(self, message: dict[str, Any]) -> None:
        method, identity = message.get("method", ""), message.get("id")
        if method in self._own:
            done = self._own[method](identity, message.get("params"))
            if inspect.isawaitable(done):
                await done
        elif method and identity is not None:
            self.answer(identity, self._answers.get(method, (-32601, "no such method", None)))

    def answer(self, identity: Any, value: Any) -> None:
        match value:
            case int():
                self.say(id=identity, error={"code": value, "message": "refused"})
            case (code, words, data):
                self.say(id=identity, error={"code": code, "message": words, "data": data})
            case _:
                self.say(id=identity, result=value)

    def say(self, **message: Any) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def write(self, data: bytes) -> None:
        self._write(data)

    def leave(self) -> None:
        self._has_to_leave = True

    def asked(self, method: str) -> list[Any]:
        """The parameters of all such messages, without what every request of the new era has."""
        found = [
            dict(message.get("params") or {}) for message in self.messages if message.get("method") == method
        ]
        for params in found:
            meta = {k: v for k, v in params.pop("_meta", {}).items() if not k.startswith(META)}
            params.update({"_meta": meta} if meta else {})
        return found

    async def heard(self, method: str, times: int = 1) -> Any:
        """Waits until that many of them came; the last one's parameters."""
        async with self._came:
            await self._came.wait_for(lambda: len(self.asked(method)) >= times)
        return self.asked(method)[times - 1]
