"""A call as a stream: how far it is, and at the end what it brought back or what went wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from mooring.core import views
from mooring.core.questions import Caller
from mooring.core.redact import clean, mask_shapes
from mooring.core.values import JSON
from mooring.errors import MooringError
from mooring.host import Host
from mooring.system.door.problem import STATUS, problem
from mooring.web.status import status_of

__all__ = ["frames"]

ROOM = 256


async def frames(
    host: Host, caller: Caller, name: str, arguments: Mapping[str, JSON]
) -> AsyncGenerator[bytes]:
    """Whoever stops to listen gives the call up."""
    told: asyncio.Queue[bytes | None] = asyncio.Queue()

    def progressed(done: float, total: float | None, message: str) -> None:
        # A listener that is behind misses how far it was, never how it ended.
        if told.qsize() < ROOM:
            text = mask_shapes(clean(message))
            told.put_nowait(_frame("progress", {"progress": done, "total": total, "message": text}))

    async def call() -> None:
        try:
            result = await host.call(caller, name, arguments, progress=progressed)
            told.put_nowait(_frame("result", views.result(result.value)))
        except MooringError as error:
            status = STATUS.get(type(error)) or status_of(error)
            told.put_nowait(b"event: problem\ndata: " + problem(error, status) + b"\n\n")
        finally:
            told.put_nowait(None)

    calling = asyncio.create_task(call())
    try:
        while (frame := await told.get()) is not None:
            yield frame
    finally:
        calling.cancel()
        await asyncio.wait([calling])


def _frame(kind: str, value: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps(value)}\n\n".encode()
