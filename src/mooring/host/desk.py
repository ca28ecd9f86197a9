"""Questions waiting for an answer, and who may give it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager

from mooring.core.events import Event, QuestionAnswered, QuestionAsked, QuestionWithdrawn
from mooring.core.frozen import frozen
from mooring.core.questions import Answer, Cancelled, Question
from mooring.errors import AnsweredAlready, UnknownQuestion

__all__ = ["Desk", "Party", "Waiting"]

PATIENCE = 300.0
MOST = 256
MOST_OF_ONE = 16
REMEMBERED = 1_000


@frozen
class Waiting:
    """A question on the desk: who it was put to, and the call that cannot go on without it."""

    ticket: str
    owner: str
    question: Question
    call: str | None
    asked: float


class Desk:
    """`publish` hears when a question is asked, answered or withdrawn; all in the event loop's thread."""

    def __init__(self, publish: Callable[[Event], None]) -> None:
        self._publish = publish
        self._waiting: dict[str, tuple[Waiting, asyncio.Future[Answer]]] = {}
        # Who answers a moment too late is told so.
        self._done: deque[str] = deque(maxlen=REMEMBERED)

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """The oldest first."""
        return tuple(found for found, _ in self._waiting.values())

    def one(self, ticket: str) -> Waiting:
        found = self._waiting.get(ticket)
        if found is not None:
            return found[0]
        if ticket in self._done:
            raise AnsweredAlready("This question waits for no answer any more", hint="Make the call again")
        raise UnknownQuestion("There is no such question", hint="GET /api/v1/questions lists those that wait")

    @contextmanager
    def party(self, owner: str) -> Generator[Party]:
        """Somebody to ask until the block ends; what still waits then is withdrawn."""
        party = Party(self, owner)
        try:
            yield party
        finally:
            party.leave()

    async def put(self, waiting: Waiting) -> Answer:
        """The answer; where nobody gives one in time, or there is too much to answer, nobody is there."""
        if len(self._waiting) >= MOST:
            return Cancelled()
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[waiting.ticket] = waiting, future
        self._publish(QuestionAsked(waiting.ticket, waiting.owner, waiting.question, waiting.call))
        try:
            async with asyncio.timeout(PATIENCE):
                return await future
        except TimeoutError:
            return Cancelled()
        finally:
            self.withdraw(waiting.ticket)

    def answer(self, ticket: str, answer: Answer) -> None:
        waiting = self.one(ticket)
        self._take(ticket, answer)
        self._publish(QuestionAnswered(ticket, waiting.owner, answer))

    def withdraw(self, ticket: str) -> None:
        """Nobody has to answer it any more; nothing happens where somebody has."""
        found = self._waiting.get(ticket)
        if found is not None:
            self._take(ticket, Cancelled())
            self._publish(QuestionWithdrawn(ticket, found[0].owner))

    def _take(self, ticket: str, answer: Answer) -> None:
        _, future = self._waiting.pop(ticket)
        self._done.append(ticket)
        if not future.done():
            future.set_result(answer)


class Party:
    """Whoever made a request, as somebody to ask; `began` is told the host's number of their call."""

    def __init__(self, desk: Desk, owner: str) -> None:
        self._desk = desk
        self._owner = owner
        self._call: str | None = None
        self._tickets: set[str] = set()
        self._is_here = True

    def began(self, call: str) -> None:
        self._call = call

    def has(self, ticket: str) -> bool:
        """Whether this question is put to them."""
        return ticket in self._tickets

    async def ask(self, question: Question) -> Answer:
        if not self._is_here or len(self._tickets) >= MOST_OF_ONE:
            return Cancelled()
        ticket = secrets.token_urlsafe(9)
        self._tickets.add(ticket)
        try:
            return await self._desk.put(Waiting(ticket, self._owner, question, self._call, time.time()))
        finally:
            self._tickets.discard(ticket)

    def leave(self) -> None:
        """What still waits is of no use to anybody."""
        self._is_here = False
        for ticket in tuple(self._tickets):
            self._desk.withdraw(ticket)
