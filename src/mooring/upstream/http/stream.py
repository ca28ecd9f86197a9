"""One stream of messages, over as many connections as it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mooring.errors import AnswerTooLarge, Interrupted, MooringError
from mooring.upstream.http.answer import Answer
from mooring.upstream.http.events import LIMIT, Event, Events
from mooring.upstream.http.pace import Pace

__all__ = ["EVENTS", "LAST_WORDS", "Stream", "fairly"]

EVENTS = "text/event-stream"
LAST_WORDS = 1.0
MANY, FEW = 500, 8192


async def fairly(events: Events, data: bytes) -> None:
    """Many short lines take long to look at, so that others get their turn in between."""
    if data.count(b"\n") + data.count(b"\r") < MANY:
        events.feed(data)
        return
    for at in range(0, len(data), FEW):
        events.feed(data[at : at + FEW])
        await asyncio.sleep(0)


class Stream:
    """`deliver` gets the messages; `last` is the id of the newest event, with which the rest can be had."""

    def __init__(self, deliver: Callable[[bytes], None]) -> None:
        self._deliver = deliver
        self._error: MooringError | None = None
        self.last = ""
        self.pace = Pace()

    async def read(self, answer: Answer, is_over: Callable[[], bool] = bool) -> None:
        """To its end, or until there is nothing to wait for; how a connection ended makes no difference."""
        events = Events(self._heard, lambda _head: self._too_long(answer))
        try:
            while data := await answer.more():
                await fairly(events, data)
                if self._error is not None:
                    raise self._error
                if is_over():
                    answer.close(LAST_WORDS)
                    return
        except Interrupted:
            pass
        finally:
            answer.close()

    def _heard(self, event: Event) -> None:
        if event.id is not None and event.id != self.last:
            self.last = event.id
            self.pace.news()
        if event.retry is not None:
            self.pace.wanted = event.retry / 1000
        # Only messages are ours; an event without data is there for its id.
        if event.data and event.kind in ("", "message"):
            self.pace.news()
            self._deliver(event.data)

    def _too_long(self, answer: Answer) -> None:
        sentence = f"`{answer.where}` sends a message of more than {LIMIT // 1024 // 1024} MiB"
        self._error = AnswerTooLarge(sentence, hint="Ask for less at once")
