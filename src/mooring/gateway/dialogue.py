"""A request of the new era that asks back: it waits here while its client answers, request by request."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from typing import Any

from mooring.core.questions import Answer, Question
from mooring.core.values import JSON
from mooring.gateway.questions import Asked, asked, refusal, understood
from mooring.gateway.request import Request
from mooring.upstream.wire import encode

__all__ = ["Dialogue", "Dialogues"]

PATIENCE = 600.0
MOST = 1000


class Dialogue:
    """`of` is whose it is, and what it is about: only the same may go on with it."""

    _work: asyncio.Task[bytes]

    def __init__(self, of: tuple[object, ...], request: Request) -> None:
        self.of = of
        self.request = request
        self.state = secrets.token_urlsafe(24)
        self._open: dict[str, tuple[Asked, asyncio.Future[JSON]]] = {}
        self._count = 0
        self._some = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, work: Coroutine[Any, Any, bytes]) -> None:
        self._work = asyncio.create_task(work)
        # Its client may never come back for it.
        self._work.add_done_callback(lambda work: work.cancelled() or work.exception())

    # --- the side of whoever asks

    async def ask(self, question: Question) -> Answer:
        found = asked(question, self.request.caller.capabilities)
        return refusal(question) if found is None else understood(question, await self.put(found))

    async def put(self, question: Asked) -> JSON:
        self._count += 1
        key = f"{question[0].partition('/')[0]}-{self._count}"
        answer: asyncio.Future[JSON] = asyncio.get_running_loop().create_future()
        self._open[key] = question, answer
        self._some.set()
        try:
            return await answer
        finally:
            del self._open[key]

    # --- the side of the client

    async def step(self) -> bytes | None:
        """The result; None where there are questions before there can be one."""
        while True:
            some = asyncio.create_task(self._some.wait())
            try:
                await asyncio.wait([self._work, some], return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                self._work.cancel()
                raise
            finally:
                some.cancel()
            # Those that are asked together are told together.
            await asyncio.sleep(0)
            if self._work.done():
                return self._work.result()
            if any(not waiting.done() for _, waiting in self._open.values()):
                return None
            self._some.clear()

    def questions(self) -> bytes:
        wanted = {key: {"method": said[0], "params": said[1]} for key, (said, _) in self._open.items()}
        said = {"resultType": "input_required", "inputRequests": wanted, "requestState": self.state}
        return encode(said)

    def go_on(self, request: Request) -> None:
        """With what the client has answered; the rest is asked again, and what nobody asked passed over."""
        self.request.say = request.say
        responses = request.value(request.params.input_responses, "inputResponses")
        for key, (_, waiting) in list(self._open.items()):
            if key in responses and not waiting.done():
                waiting.set_result(responses[key])

    def wait(self, forget: Callable[[], None]) -> None:
        """Nobody waits for ever for a client."""
        self.rest()
        self._timer = asyncio.get_running_loop().call_later(PATIENCE, forget)

    def rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        self.rest()
        self._work.cancel()


class Dialogues:
    """By their states, which cannot be guessed; each is known to its client alone."""

    def __init__(self) -> None:
        self._all: dict[str, Dialogue] = {}

    async def carried(self, dialogue: Dialogue) -> bytes:
        """To its result, or to the next questions."""
        dialogue.rest()
        result = await dialogue.step()
        if result is not None:
            self._all.pop(dialogue.state, None)
            return result
        if len(self._all) >= MOST:
            self._forget(next(iter(self._all)))
        self._all[dialogue.state] = dialogue
        dialogue.wait(lambda: self._forget(dialogue.state))
        return dialogue.questions()

    def find(self, state: str, of: tuple[object, ...]) -> Dialogue | None:
        dialogue = self._all.get(state)
        return dialogue if dialogue is not None and dialogue.of == of else None

    def _forget(self, state: str) -> None:
        dialogue = self._all.pop(state, None)
        if dialogue is not None:
            dialogue.close()

    def close(self) -> None:
        for state in tuple(self._all):
            self._forget(state)
