"""A call as a stream: how far it is, what it asks, and at the end what it brought back or what went wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from fastapi import Request

from mooring.core import views
from mooring.core.events import Event, QuestionAsked
from mooring.core.redact import clean, mask_shapes
from mooring.core.values import JSON
from mooring.errors import MooringError
from mooring.system.door.problem import STATUS, problem
from mooring.web.api.questions import waiting_view
from mooring.web.api.visit import Visit, visiting
from mooring.web.encoded import encoded
from mooring.web.parts import Parts
from mooring.web.status import status_of

__all__ = ["frames"]

ROOM = 256


async def frames(
    parts: Parts, request: Request, name: str, arguments: Mapping[str, JSON]
) -> AsyncGenerator[bytes]:
    """Whoever stops to listen gives the call up."""
    with visiting(parts, request, hears=True) as visit:
        async with aclosing(_told(parts, visit, name, arguments)) as told:
            async for frame in told:
                yield frame


async def _told(
    parts: Parts, visit: Visit, name: str, arguments: Mapping[str, JSON]
) -> AsyncGenerator[bytes]:
    told: asyncio.Queue[bytes | None] = asyncio.Queue()

    def began(call: str) -> None:
        visit.party.began(call)
        told.put_nowait(_frame("call", {"call": call}))

    def happened(event: Event) -> None:
        if isinstance(event, QuestionAsked) and visit.party.has(event.ticket):
            told.put_nowait(_frame("question", waiting_view(parts.desk.one(event.ticket), visit.visitor)))

    def progressed(done: float, total: float | None, message: str) -> None:
        # A listener that is behind misses how far it was, never how it ended.
        if told.qsize() < ROOM:
            text = mask_shapes(clean(message))
            told.put_nowait(_frame("progress", {"progress": done, "total": total, "message": text}))

    async def call() -> None:
        try:
            result = await parts.host.call(visit.caller, name, arguments, progress=progressed, began=began)
            told.put_nowait(_frame("result", views.result(result.value)))
        except MooringError as error:
            status = STATUS.get(type(error)) or status_of(error)
            told.put_nowait(b"event: problem\ndata: " + problem(error, status) + b"\n\n")
        finally:
            told.put_nowait(None)

    with parts.host.bus.hear(happened):
        calling = asyncio.create_task(call())
        try:
            while (frame := await told.get()) is not None:
                yield frame
        finally:
            calling.cancel()
            await asyncio.wait([calling])


def _frame(kind: str, value: Any) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), encoded(value))
