"""How soon a server that failed is tried again."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable

__all__ = ["Pace"]

LONGEST = 60.0
HEALTHY_AFTER = 60.0
ENOUGH = 5
WINDOW = 60.0


class Pace:
    """Twice as long each time, a little by chance; after five failures in a minute nobody may hurry it.

    That is the open circuit. When its time is up one try is made: if it fails, the circuit stays open.
    """

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        chance: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._now = now
        self._chance = chance
        self._failures: deque[float] = deque(maxlen=ENOUGH)
        self._in_a_row = 0
        self._connected_at: float | None = None
        self.is_open = False

    @property
    def attempt(self) -> int:
        """The number of the try that comes next."""
        return self._in_a_row + 1

    def connected(self) -> None:
        """It works now; whether that lasts is seen when it ends."""
        self._connected_at = self._now()
        self.is_open = False

    def failed(self) -> float:
        """The seconds until the next try."""
        now = self._now()
        if self._connected_at is not None and now - self._connected_at >= HEALTHY_AFTER:
            self.forget()
        self._connected_at = None
        self._in_a_row += 1
        self._failures.append(now)
        self.is_open = (len(self._failures) == ENOUGH and now - self._failures[0] < WINDOW) or self.is_open
        wait = LONGEST if self.is_open else min(2.0 ** (self._in_a_row - 1), LONGEST)
        return wait * self._chance(0.8, 1.2)

    def forget(self) -> None:
        """Somebody has changed something, or it worked for long: the past does not count any more."""
        self._failures.clear()
        self._in_a_row = 0
        self._connected_at = None
        self.is_open = False
