"""Requests that the server makes, each answered in a task of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TypeAlias

from msgspec import Raw

from mooring.core.frozen import frozen
from mooring.core.redact import clean
from mooring.core.values import JSON
from mooring.errors import MooringError, ServerError
from mooring.system.tasks import beside
from mooring.upstream.wire.envelope import encode
from mooring.upstream.wire.slot import Slot

__all__ = ["INTERNAL", "METHOD_NOT_FOUND", "Inbound", "OnRequest", "Serving"]

METHOD_NOT_FOUND = -32601
INTERNAL = -32603
MOST = 8


@frozen
class Inbound:
    """One of them; `slots` and `cause` are the requests of ours that it is about, where that is known."""

    identity: Raw
    method: str
    params: Mapping[str, JSON]
    cause: object
    slots: tuple[Slot, ...] = ()


OnRequest: TypeAlias = Callable[[Inbound], Awaitable[Mapping[str, JSON]]]


async def refuse(inbound: Inbound) -> Mapping[str, JSON]:
    raise ServerError(f"no method `{clean(inbound.method)[:60]}` here", number=METHOD_NOT_FOUND)


class Serving:
    """`send` takes answers; a server that asks too much at once is told so."""

    def __init__(self, send: Callable[[Mapping[str, object]], Coroutine[None, None, None]]) -> None:
        self.on_request: OnRequest = refuse
        self._send = send
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._refusals: set[asyncio.Future[None]] = set()

    def ask(self, inbound: Inbound) -> None:
        key = bytes(inbound.identity).decode(errors="replace")
        if len(self._tasks) < MOST and key not in self._tasks:
            task = self._tasks[key] = asyncio.create_task(self._serve(inbound))
            task.add_done_callback(lambda done: self._forget(key, inbound, done))
        elif len(self._refusals) < MOST:
            self._refuse(inbound, "too many requests at once")

    def withdraw(self, identity: JSON) -> None:
        """The server does not want to know any more."""
        task = self._tasks.get(encode(identity).decode())
        if task is not None:
            task.cancel()

    def stop(self) -> None:
        for task in [*self._tasks.values(), *self._refusals]:
            task.cancel()

    def _forget(self, key: str, inbound: Inbound, task: asyncio.Task[None]) -> None:
        """Whatever went wrong inside, the server is not left waiting."""
        if self._tasks.get(key) is task:
            del self._tasks[key]
        problem = None if task.cancelled() else task.exception()
        if problem is not None:
            about = {"message": f"`{inbound.method}` was not answered", "exception": problem}
            task.get_loop().call_exception_handler(about)
            self._refuse(inbound, "an error inside the client")

    async def _serve(self, inbound: Inbound) -> None:
        answer: dict[str, object] = {"jsonrpc": "2.0", "id": inbound.identity}
        for slot in inbound.slots:
            slot.hold()
        try:
            answer["result"] = await self._asked(inbound)
        except ServerError as error:
            data = {} if error.data is None else {"data": error.data}
            answer["error"] = {"code": error.number or INTERNAL, "message": error.sentence, **data}
        except MooringError as error:
            answer["error"] = {"code": INTERNAL, "message": error.sentence}
        finally:
            for slot in inbound.slots:
                slot.release()
        await self._send(answer)

    async def _asked(self, inbound: Inbound) -> Mapping[str, JSON]:
        """Nobody is bothered any longer than the calls last that it is about."""
        asked = beside(self.on_request(inbound))
        calls = [slot.future for slot in inbound.slots]
        over = [asyncio.ensure_future(asyncio.wait(calls))] if calls else []
        try:
            await asyncio.wait([asked, *over], return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                return asked.result()
        finally:
            for task in (asked, *over):
                task.cancel()
        raise ServerError("the call that this is about has ended")

    def _refuse(self, inbound: Inbound, words: str) -> None:
        error = {"code": INTERNAL, "message": words}
        answer: dict[str, object] = {"jsonrpc": "2.0", "id": inbound.identity, "error": error}
        refusal = asyncio.ensure_future(self._send(answer))
        self._refusals.add(refusal)
        refusal.add_done_callback(self._refusals.discard)
