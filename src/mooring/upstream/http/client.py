"""Requests to one origin over connections that are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mooring.errors import Interrupted, MooringError
from mooring.upstream.http.answer import Answer
from mooring.upstream.http.connection import Connection
from mooring.upstream.http.route import Route

__all__ = ["Client"]

MOST_IDLE = 40


class Client:
    """It belongs to one event loop; how many requests there are at once is the caller's to bound."""

    def __init__(self, route: Route) -> None:
        self.route = route
        self.asked = 0
        self._idle: list[Connection] = []
        self._open: set[Connection] = set()
        self._is_closed = False

    async def send(
        self, request: bytes, *, is_safe: bool = False, written: Callable[[], None] | None = None
    ) -> Answer:
        """The answer, once its headers are there.

        A kept connection may end just when it is used again: then a request that changes nothing is sent once
        more, for another one could have been carried out.
        """
        while True:
            connection = self._kept()
            is_used = connection is not None
            if connection is None:
                connection = await self._new()
            answer = connection.ask(request)
            if written is not None:
                written()
            try:
                await answer.head()
            except Interrupted:
                if is_used and is_safe and not answer.heard:
                    continue
                raise
            except (MooringError, asyncio.CancelledError):
                answer.close()
                raise
            return answer

    async def prepare(self) -> None:
        """A connection at hand, so that the way there can be judged by itself."""
        if not self._idle:
            self._idle.append(await self._new())

    def _kept(self) -> Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable():
                return connection
            connection.abort()
        return None

    async def _new(self) -> Connection:
        connection = await self.route.open()
        connection.idle, connection.gone = self._keep, self._open.discard
        if connection.is_open:
            self._open.add(connection)
        return connection

    def _keep(self, connection: Connection) -> None:
        if self._is_closed or len(self._idle) >= MOST_IDLE:
            connection.abort()
        else:
            self._idle.append(connection)

    def close(self) -> None:
        self._is_closed = True
        for connection in list(self._open):
            connection.abort()
        self._idle.clear()
