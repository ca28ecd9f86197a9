"""What keeps a server's notices coming, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping
from shlex import quote

from mooring.errors import CallTimeout, ConnectionLost, MooringError, NeedsLogin, ServerError
from mooring.upstream.session.stream import URIS, Filter, Stream
from mooring.upstream.session.verbs import Session

__all__ = ["Listening"]

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
STEADY = 10.0
METHOD_NOT_FOUND = -32601
FLAGS: Mapping[str, str] = {
    "tools": "toolsListChanged",
    "prompts": "promptsListChanged",
    "resources": "resourcesListChanged",
}


class Listening:
    """One for each session; `lost` hears that notices may have been missed, once they come again.

    In the old era notices come by themselves. In the new one a request stays open for them, and that it ends
    is nothing unusual. Notices of both arrive at `session.on_notice` in the same shape.
    """

    def __init__(self, session: Session, lost: Callable[[], None]) -> None:
        self._session = session
        self._lost = lost
        self._uris: dict[str, None] = {}
        self._asking: Counter[str] = Counter()
        self._changed = asyncio.Event()
        self._waiting: list[asyncio.Future[None]] = []
        self._held: Stream | None = None
        self._was_cut = False
        self._pause = FIRST_PAUSE
        self._count = 0

    async def run(self) -> None:
        """Until the connection ends; raises `NeedsLogin`, and tries again after everything else."""
        ended = self._session.wire.ended
        if self._session.agreed.is_modern:
            try:
                while not ended.done():
                    await self._once()
            finally:
                gone = ConnectionLost(f"`{self._session.wire.name}` is not listened to any more")
                self._answer(self._waiting, ended.result() if ended.done() else gone)
                if self._held is not None:
                    await self._held.close()
        await asyncio.wait([ended])

    async def follow(self, uri: str, *, wanted: bool = True) -> None:
        """Whether news of this resource shall come; returns when the server has agreed, which needs `run`."""
        if not self._session.agreed.is_modern:
            await self._session.subscribe(uri, wanted=wanted)
        elif not wanted:
            if uri in self._uris:
                del self._uris[uri]
                self._changed.set()
        elif not self._follows(uri):
            self._uris[uri] = None
            self._asking[uri] += 1
            try:
                await self._agreement()
            finally:
                self._asking[uri] -= 1
                if not (self._asking[uri] or self._follows(uri)):
                    self._uris.pop(uri, None)
            if not self._follows(uri):
                sentence = f"`{self._session.wire.name}` does not tell when `{uri}` changes"
                raise ServerError(sentence, hint="Read it whenever it is needed")

    def _follows(self, uri: str) -> bool:
        return uri in self._uris and self._held is not None and self._held.tells_of(uri)

    async def _agreement(self) -> None:
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        self._changed.set()
        within = self._session.timeouts.list
        try:
            async with asyncio.timeout(within):
                await waiting
        except TimeoutError as error:
            name = self._session.wire.name
            sentence = f"`{name}` did not answer `subscriptions/listen` within {within:g} s"
            raise CallTimeout(sentence, hint=f"mooring test {quote(name)}") from error

    # --- the open request

    async def _once(self) -> None:
        self._changed.clear()
        waiting = list(self._waiting)
        why: MooringError | None = None
        try:
            await self._open()
        except MooringError as error:
            why = error
        self._answer(waiting, why)
        if isinstance(why, NeedsLogin):
            raise why
        if why is not None and self._held is None and not _is_for_good(why):
            await self._rest()
        else:
            await self._until_something_happens()

    async def _open(self) -> None:
        """The new one first, and then the old one's end: nothing is missed in between."""
        old, wanted = self._held, self._wanted()
        if wanted:
            self._count += 1
            fresh = Stream(self._session, f"listen-{self._count}", wanted)
            try:
                await fresh.opened(self._session.timeouts.list)
                self._held = fresh if fresh.honoured else None
            finally:
                if self._held is not fresh:
                    await fresh.close()
        else:
            self._held = None
        if old is not None and old is not self._held:
            await old.close()
        if self._was_cut:
            self._was_cut = False
            self._lost()

    async def _until_something_happens(self) -> None:
        await self._wait(None)
        if self._held is None or not self._held.ended.done():
            return
        over, self._held, self._was_cut = self._held, None, True
        why = over.error()
        if isinstance(why, NeedsLogin):
            raise why
        if over.age > STEADY:
            self._pause = FIRST_PAUSE
        await self._rest()

    async def _rest(self) -> None:
        """Not at once, and not all hosts at the same moment; somebody who asks ends it."""
        pause, self._pause = self._pause, min(self._pause * 2, LONGEST_PAUSE)
        await self._wait(pause * random.uniform(0.8, 1.2))  # noqa: S311 - no secret

    async def _wait(self, most: float | None) -> None:
        changed = asyncio.create_task(self._changed.wait())
        held = [] if self._held is None else [self._held.ended]
        events = [changed, *held, self._session.wire.ended]
        try:
            await asyncio.wait(events, timeout=most, return_when=asyncio.FIRST_COMPLETED)
        finally:
            changed.cancel()

    def _wanted(self) -> Filter:
        """For all that the server has: what it does not tell of, it leaves out of its answer."""
        flags = {flag: True for what, flag in FLAGS.items() if self._session.agreed.can(what)}
        return {**flags, URIS: list(self._uris)} if self._uris else flags

    def _answer(self, waiting: list[asyncio.Future[None]], why: MooringError | None) -> None:
        for each in waiting:
            if not each.done():
                each.set_result(None) if why is None else each.set_exception(why)
        self._waiting = [each for each in self._waiting if not each.done()]


def _is_for_good(error: MooringError) -> bool:
    return isinstance(error, ServerError) and error.number == METHOD_NOT_FOUND
