"""One request on its way: who waits for it, and until when."""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, TimerHandle
from collections.abc import Callable
from math import inf
from typing import TypeAlias

from msgspec import Raw

from mooring.core.frozen import frozen
from mooring.errors import CallTimeout, MooringError

__all__ = ["Progress", "Slot", "Terms"]

Progress: TypeAlias = Callable[[float, float | None, str], None]


@frozen
class Terms:
    """What holds for one request; times in seconds, `quiet` is pushed back by progress, `ceiling` is not.

    `cause` is kept for whoever has to know why the server asks something back; `headers` are for HTTP.
    """

    quiet: float = inf
    ceiling: float = inf
    progress: Progress | None = None
    cancellable: bool = True
    identity: int | str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    cause: object = None


class Slot:
    """`abort` is set by a carrier that can give up one exchange; it runs when nobody waits any more."""

    __slots__ = (
        "_held",
        "_loop",
        "_since",
        "_timer",
        "abort",
        "ceiling",
        "future",
        "key",
        "method",
        "quiet_until",
        "terms",
        "written",
    )

    def __init__(self, loop: AbstractEventLoop, key: int | str, method: str, terms: Terms) -> None:
        self._loop = loop
        self.key = key
        self.method = method
        self.terms = terms
        self.future: Future[Raw] = loop.create_future()
        self.abort: Callable[[], None] | None = None
        self.written = False
        self._timer: TimerHandle | None = None
        self._held = 0
        self._since = 0.0
        now = loop.time()
        self.ceiling = now + terms.ceiling
        self.quiet_until = now + terms.quiet
        self._arm()

    def _arm(self) -> None:
        when = min(self.quiet_until, self.ceiling)
        if when != inf:
            self._timer = self._loop.call_at(when, self._expire)

    def _expire(self) -> None:
        now = self._loop.time()
        if now < min(self.quiet_until, self.ceiling):
            self._arm()
        elif now >= self.ceiling:
            self.fail(CallTimeout(f"no result within {self.terms.ceiling:g} s", hint="ceiling"))
        else:
            self.fail(CallTimeout(f"neither result nor progress for {self.terms.quiet:g} s", hint="call"))

    @property
    def is_answered(self) -> bool:
        return self.future.done() and not self.future.cancelled() and self.future.exception() is None

    def hold(self) -> None:
        """Somebody is being asked on the server's behalf: that is no silence of the server's."""
        self._held += 1
        if self._held == 1:
            self._since = self._loop.time()
            if self._timer is not None:
                self._timer.cancel()

    def release(self) -> None:
        self._held -= 1
        if self._held == 0 and not self.future.done():
            asked = self._loop.time() - self._since
            self.quiet_until += asked
            self.ceiling += asked
            self._arm()

    def heard(self) -> None:
        """A sign of life: the silence is counted from now."""
        self.quiet_until = self._loop.time() + self.terms.quiet

    def resolve(self, result: Raw) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: MooringError) -> None:
        if not self.future.done():
            self.future.set_exception(error)
        self.give_up()

    def give_up(self) -> None:
        """Whatever the carrier still does for it is in vain."""
        abort, self.abort = self.abort, None
        if abort is not None:
            abort()

    def close(self) -> None:
        """Nothing of it is left behind, however it ended."""
        if self._timer is not None:
            self._timer.cancel()
        if not self.future.done():
            self.future.cancel()
        elif not self.future.cancelled():
            self.future.exception()
