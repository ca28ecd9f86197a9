"""One request that may take long: who it is from, whom to ask about it, and whether they are still there."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

from fastapi import Request

from mooring.core.frozen import frozen
from mooring.core.questions import Caller, Face
from mooring.errors import BadRequest
from mooring.host.desk import Party
from mooring.system.door import Visitor, visitor_of
from mooring.web.parts import Parts

__all__ = ["Visit", "attended", "visiting"]

T = TypeVar("T")


@frozen
class Visit:
    """`caller` is known to the host, `party` to the desk, `visitor` to the door."""

    visitor: Visitor
    party: Party
    caller: Caller


@contextmanager
def visiting(parts: Parts, request: Request, *, hears: bool = False) -> Generator[Visit]:
    """Somebody is asked only where a question is seen: `hears` says that this request itself shows it."""
    visitor = visitor_of(request.scope)
    with parts.desk.party(visitor.name) as party:
        ask = party.ask if hears or parts.audience.is_there else None
        yield Visit(visitor, party, Caller(visitor.name, Face.HTTP, ask=ask))


async def attended(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Whoever leaves gives up what they asked for."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait([working, leaving], return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise BadRequest("Nobody waits for this any more", hint="Stay until the answer is there")
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
