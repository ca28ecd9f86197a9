"""A live session attended to: what it announces is followed up, and its silence is looked into."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from shlex import quote

from mooring.core.items import Kind
from mooring.errors import CallTimeout, MooringError, NeedsLogin, NotReading, ServerError
from mooring.host.lists import Lists
from mooring.upstream.session import Session
from mooring.upstream.session.listening import Listening

__all__ = ["Attendant"]

TOGETHER = 0.25
SELDOM = 60.0
FRESH_AT_LEAST = 60.0
FRESH_AT_MOST = 3600.0
LOOK_AFTER = 60.0
ANSWER_WITHIN = 30.0

_CHANGED = {
    "notifications/tools/list_changed": (Kind.TOOL,),
    "notifications/resources/list_changed": (Kind.RESOURCE, Kind.TEMPLATE),
    "notifications/prompts/list_changed": (Kind.PROMPT,),
}


class Attendant:
    """`refresh` takes lists anew; it is never called twice at once, and not more often than is useful.

    Some servers announce a change whenever they are asked for a list: who cries wolf is heard ever later.
    """

    def __init__(
        self,
        session: Session,
        lists: Lists,
        refresh: Callable[[Collection[Kind], Lists], Awaitable[Lists]],
        followed: Collection[str] = (),
    ) -> None:
        self._session = session
        self._lists = lists
        self._refresh = refresh
        self._followed = tuple(followed)
        self._stale: set[Kind] = set()
        self._is_stale = asyncio.Event()
        self._is_doubted = asyncio.Event()
        self._listening = Listening(session, self._lost)

    def notice(self, method: str) -> None:
        """Whatever it is about: only what changes a list is of interest here."""
        kinds = _CHANGED.get(method)
        if kinds is not None:
            self._stale.update(kinds)
            self._is_stale.set()

    def doubt(self) -> None:
        """Somebody was asked who we are, who had said so: that may be about one tool, or about all of it."""
        self._is_doubted.set()

    async def follow(self, uri: str, *, wanted: bool = True) -> None:
        await self._listening.follow(uri, wanted=wanted)

    async def until_lost(self) -> MooringError:
        """Why the session ended."""
        ended = self._session.wire.ended
        async with asyncio.TaskGroup() as group:
            chores = [
                group.create_task(self._listen()),
                group.create_task(self._follow_again()),
                group.create_task(self._keep_fresh()),
                group.create_task(self._keep_alive()),
            ]
            # `wait` leaves the future alone when somebody is in a hurry.
            await asyncio.wait([ended])
            for chore in chores:
                chore.cancel()
        return ended.result()

    async def _listen(self) -> None:
        try:
            await self._listening.run()
        except NeedsLogin as error:
            self._session.wire.end(error)

    async def _follow_again(self) -> None:
        """What was followed before the connection was lost; a server that refuses it now has its reasons."""
        for uri in self._followed:
            with suppress(MooringError):
                await self._listening.follow(uri)

    def _lost(self) -> None:
        """Something may have been announced while nobody listened."""
        self._stale.update(Kind)
        self._is_stale.set()

    async def _keep_fresh(self) -> None:
        pause = TOGETHER
        while True:
            began = time.monotonic()
            is_told = await _is_set_within(_age(self._lists), self._is_stale)
            if time.monotonic() - began > SELDOM:
                pause = TOGETHER
            if is_told:
                # A storm of them is one change; the first of a few is not late by much.
                await asyncio.sleep(pause)
            else:
                self._stale.update(Kind)
            stale, self._stale = self._stale, set()
            self._is_stale.clear()
            lists = await self._refresh(stale, self._lists)
            is_in_vain = is_told and lists.items == self._lists.items
            pause = min(2 * pause, SELDOM) if is_in_vain else TOGETHER
            self._lists = lists

    async def _keep_alive(self) -> None:
        """A server that has said nothing for a while is asked; one at work is left its time."""
        wire = self._session.wire
        heard, late = wire.heard, wire.late
        while True:
            is_doubted = await _is_set_within(LOOK_AFTER, self._is_doubted)
            self._is_doubted.clear()
            if is_doubted or (wire.heard == heard and (wire.late > late or not wire.is_at_work)):
                try:
                    await self._session.ping(ANSWER_WITHIN)
                except ServerError:
                    # No is an answer too.
                    pass
                except CallTimeout as error:
                    silent = NotReading(
                        f"`{wire.name}` does not answer any more", hint=f"mooring logs {quote(wire.name)}"
                    )
                    silent.__cause__ = error
                    wire.end(silent)
                except MooringError as error:
                    wire.end(error)
            heard, late = wire.heard, wire.late


async def _is_set_within(seconds: float, event: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False


def _age(lists: Lists) -> float:
    """How old they may become; what could not be listed is asked for again soon."""
    if any(finding.flaw == "unlisted" for finding in lists.findings):
        return FRESH_AT_LEAST
    if lists.fresh_for is None:
        return FRESH_AT_MOST
    return min(max(lists.fresh_for, FRESH_AT_LEAST), FRESH_AT_MOST)
