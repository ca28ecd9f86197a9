"""Addresses that have to be visited before a request is carried out, as 2025-11-25 asks for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

from mooring.core.values import JSON, is_list, is_map
from mooring.errors import ServerError

__all__ = ["COMPLETE", "Visits"]

REQUIRED = -32042
COMPLETE = "notifications/elicitation/complete"
MOST = 8
# A server need not say that a visit is over; somebody who logs in takes a while.
PATIENCE = 120.0

Ask: TypeAlias = Callable[[Mapping[str, JSON]], Awaitable[Mapping[str, JSON]]]


class Visits:
    """Which of them are over is what the server tells, in notices that belong to no request."""

    def __init__(self) -> None:
        self._under_way: dict[str, asyncio.Future[None]] = {}

    def ended(self, params: Mapping[str, JSON]) -> None:
        identity = params.get("elicitationId")
        waiting = self._under_way.get(identity) if isinstance(identity, str) else None
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    async def made(self, error: ServerError, ask: Ask) -> bool:
        """Whether everything that this refusal wants visited was, so that the request may be made again."""
        wanted = _wanted(error)
        if not wanted:
            return False
        loop = asyncio.get_running_loop()
        mine = {each: loop.create_future() for each in map(_identity, wanted) if each}
        self._under_way |= mine
        try:
            for params in wanted:
                if (await ask(params)).get("action") != "accept":
                    return False
            if mine:
                await asyncio.wait(mine.values(), timeout=PATIENCE)
            return True
        finally:
            for each in mine:
                self._under_way.pop(each, None)


def _wanted(error: ServerError) -> Sequence[Mapping[str, JSON]]:
    listed = error.data.get("elicitations") if error.number == REQUIRED and is_map(error.data) else None
    found = [each for each in listed if is_map(each) and each.get("mode") == "url"] if is_list(listed) else []
    # What asks for more than anybody would do is refused as a whole.
    return found if len(found) <= MOST else []


def _identity(params: Mapping[str, JSON]) -> str:
    identity = params.get("elicitationId")
    return identity if isinstance(identity, str) else ""
