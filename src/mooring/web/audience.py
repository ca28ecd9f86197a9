"""Whether somebody is there who would see a question."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from mooring.system.door import Role, Visitor

__all__ = ["Audience"]

LOOKS_AGAIN_WITHIN = 60.0


class Audience:
    """Those who may answer: they listen to the events, or have just looked at the questions."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._listening = 0
        self._looked = -LOOKS_AGAIN_WITHIN

    @property
    def is_there(self) -> bool:
        return self._listening > 0 or self._clock() - self._looked < LOOKS_AGAIN_WITHIN

    def looked(self) -> None:
        self._looked = self._clock()

    @contextmanager
    def listening(self, visitor: Visitor) -> Generator[None]:
        counts = Role.CALL in visitor.roles
        self._listening += counts
        try:
            yield
        finally:
            self._listening -= counts
