"""The conversation with one client: what it has asked for, and what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import Any

from msgspec import Raw

from mooring.core.intake import tidy
from mooring.errors import MooringError, NotUnderstood, internal
from mooring.gateway.client import Client
from mooring.gateway.faults import fault
from mooring.gateway.messages import answer, failure, opened, params_in, parts
from mooring.gateway.request import Request, Say, version_of
from mooring.gateway.verbs import LEGACY, MODERN
from mooring.upstream.wire.envelope import Envelope

__all__ = ["Talk"]

METHOD_NOT_FOUND = -32601


class Talk:
    """Over one channel, in both directions."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.say = client.say
        self.running: dict[bytes, asyncio.Task[Any]] = {}

    def hear(self, message: bytes) -> None:
        """One message over a channel that has them all; whatever has to be answered is, when it is ready."""
        for each in parts(message) or [message]:
            self._hear(each)

    def _hear(self, message: bytes) -> None:
        try:
            envelope = opened(message)
        except MooringError as error:
            self.say(failure(b"", fault(error)))
            return
        if envelope.method and envelope.id:
            self._begin(envelope)
        else:
            self.noticed(envelope)

    def _begin(self, envelope: Envelope) -> None:
        identity = bytes(envelope.id)
        try:
            request = self.asked(envelope, self.say)
            work = self.work(request)
        except MooringError as error:
            self.say(failure(identity, fault(error)))
            return
        if isinstance(work, bytes):
            self.say(answer(identity, work))
            return
        task = asyncio.ensure_future(_answered(request, work))
        self.running[identity] = task
        task.add_done_callback(partial(self._done, identity))

    def _done(self, identity: bytes, task: asyncio.Task[bytes]) -> None:
        """What was cancelled is not answered: its client does not want to know any more."""
        if self.running.get(identity) is task:
            del self.running[identity]
        if task.cancelled():
            return
        problem = task.exception()
        if problem is None:
            self.say(task.result())
            return
        about = {"message": "a client's request was not answered", "exception": problem}
        task.get_loop().call_exception_handler(about)
        self.say(failure(identity, fault(internal(problem))))

    def asked(self, envelope: Envelope, say: Say, claimed: str = "") -> Request:
        """A request that makes sense; `claimed` is its version by a header."""
        identity, method = bytes(envelope.id), envelope.method
        if identity in self.running:
            raise NotUnderstood("this id is in use", hint="Give each request an id of its own")
        params = params_in(envelope.params)
        request = Request(identity, method, params, version_of(params, method, claimed), say)
        if method not in (MODERN if request.is_modern else LEGACY):
            raise NotUnderstood(f"no method `{tidy(method, 60)}` here", number=METHOD_NOT_FOUND)
        self.client.identify(request)
        return request

    def work(self, request: Request) -> bytes | Awaitable[bytes]:
        """Its result, or what comes to it."""
        verbs = MODERN if request.is_modern else LEGACY
        return verbs[request.method](self.client, request)

    def noticed(self, envelope: Envelope) -> None:
        """A notification or an answer; what cannot be understood is of no consequence."""
        match envelope.method:
            case "":
                self.client.outbound.answered(envelope)
            case "notifications/initialized":
                self.client.ready()
            case "notifications/cancelled":
                self._cancel(envelope.params)
            case _:
                pass

    def _cancel(self, raw: Raw) -> None:
        try:
            identity = bytes(params_in(raw).request_id)
        except MooringError:
            return
        task = self.running.pop(identity, None)
        if task is not None:
            task.cancel()

    def close(self) -> list[asyncio.Task[Any]]:
        """The client has gone: nothing that it asked for goes on."""
        self.client.close()
        running = list(self.running.values())
        self.running.clear()
        for task in running:
            task.cancel()
        return running


async def _answered(request: Request, work: Awaitable[bytes]) -> bytes:
    try:
        return answer(request.identity, await work)
    except MooringError as error:
        said = fault(error, is_modern=request.is_modern, uri=request.params.uri)
        return failure(request.identity, said)
