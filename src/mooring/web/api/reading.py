"""A resource as a stream: what it says, and again whenever its server says that it has changed."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import Request

from mooring.core import views
from mooring.core.events import Event, ResourceUpdated
from mooring.errors import MooringError
from mooring.system.door.problem import STATUS, problem
from mooring.web.api.visit import visiting
from mooring.web.parts import Parts
from mooring.web.status import status_of

__all__ = ["Following"]


class Following:
    """A resource is followed at its server for as long as anybody listens here."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._followers: Counter[tuple[str, str]] = Counter()

    async def frames(self, request: Request, server: str, uri: str) -> AsyncGenerator[bytes]:
        moved = asyncio.Event()

        def happened(event: Event) -> None:
            if isinstance(event, ResourceUpdated) and (event.server, event.uri) == (server, uri):
                moved.set()

        with self._parts.host.bus.hear(happened):
            yield await self._read(request, server, uri)
            async with self._followed(server, uri) as refusal:
                yield _frame("followed", {"followed": refusal is None, "reason": refusal})
                while await _first(moved, self._parts.ending) is moved:
                    moved.clear()
                    yield await self._read(request, server, uri)

    async def _read(self, request: Request, server: str, uri: str) -> bytes:
        try:
            with visiting(self._parts, request) as visit:
                found = await self._parts.host.read(visit.caller, uri, server=server)
        except MooringError as error:
            status = STATUS.get(type(error)) or status_of(error)
            return b"event: problem\ndata: " + problem(error, status) + b"\n\n"
        return _frame("contents", views.contents(found.value))

    @asynccontextmanager
    async def _followed(self, server: str, uri: str) -> AsyncGenerator[str | None]:
        """Why the server does not tell of changes, where it does not."""
        self._followers[server, uri] += 1
        try:
            yield await self._follow(server, uri)
        finally:
            self._followers[server, uri] -= 1
            if not self._followers[server, uri]:
                del self._followers[server, uri]
                with suppress(MooringError):
                    await self._parts.host.follow(server, uri, wanted=False)

    async def _follow(self, server: str, uri: str) -> str | None:
        try:
            await self._parts.host.follow(server, uri)
        except MooringError as error:
            return error.sentence
        return None


async def _first(*events: asyncio.Event) -> asyncio.Event:
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    # Where both have come, the last of them counts.
    return next(event for event in reversed(events) if event.is_set())


def _frame(kind: str, value: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps(value)}\n\n".encode()
