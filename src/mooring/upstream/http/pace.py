"""How soon a stream that ended is asked for again: patiently, whatever the server says."""

from __future__ import annotations

import asyncio
import random
from collections import deque

__all__ = ["Pace"]

FIRST, LONGEST = 1.0, 60.0
MOST, WITHIN = 10, 10.0


class Pace:
    """At most ten times in ten seconds; without word from the server twice as long each time."""

    def __init__(self) -> None:
        self.wanted: float | None = None
        self.tries = 0
        self._recent: deque[float] = deque(maxlen=MOST)

    def news(self) -> None:
        """Something came: the next pause is a first one again."""
        self.tries = 0

    async def pause(self) -> None:
        loop = asyncio.get_running_loop()
        delay = self.wanted
        if delay is None:
            # Not everybody at the same time, where a server comes back.
            delay = FIRST * 2 ** min(self.tries, 10) * random.uniform(0.8, 1.2)  # noqa: S311
        self.tries += 1
        until = loop.time() + min(delay, LONGEST)
        if len(self._recent) == MOST:
            until = max(until, self._recent[0] + WITHIN)
        await asyncio.sleep(until - loop.time())
        self._recent.append(loop.time())
