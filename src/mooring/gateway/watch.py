"""Whether a client hangs up while its request is carried out: then that is given up too."""

from __future__ import annotations

import asyncio

from mooring.system.door import Receive

__all__ = ["Watch"]

AFTER = 0.05


class Watch:
    """Made by the task that carries out the request. To look costs a task, so it waits a while."""

    def __init__(self, receive: Receive, after: float = AFTER) -> None:
        self.has_gone = False
        self._receive = receive
        self._working = asyncio.current_task()
        self._looking: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(after, self._begin)

    def _begin(self) -> None:
        self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.has_gone = True
        if self._working is not None:
            self._working.cancel()

    def stop(self) -> None:
        self._timer.cancel()
        if self._looking is not None:
            self._looking.cancel()
