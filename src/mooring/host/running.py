"""One call on its way: announced when it begins and ends, and written down however it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Raw

from mooring.core.audit import Call
from mooring.core.events import CallEnded, CallStarted, Event, Outcome, Progressed
from mooring.core.intake import tidy
from mooring.core.questions import Caller
from mooring.core.values import JSON
from mooring.errors import MooringError
from mooring.upstream.wire import Progress, encode

__all__ = ["Arguments", "Running"]

# As values, or as the bytes that a client sent: then nobody looks inside who does not have to.
Arguments: TypeAlias = "Mapping[str, JSON] | Raw"


class Running:
    """Until `began` nobody knows whose tool it is; a call of nobody's is written down, and not announced."""

    def __init__(
        self,
        identity: str,
        caller: Caller,
        tool: str,
        arguments: Arguments,
        publish: Callable[[Event], None],
        keep: Callable[[Call], None],
    ) -> None:
        self.caller = caller
        self.tool = tool
        self.arguments = arguments
        self._identity = identity
        self._server = ""
        self._publish = publish
        self._keep = keep
        self._started = time.monotonic()

    def began(self, server: str) -> None:
        self._server = server
        self._publish(CallStarted(self._identity, server, self.tool, self.caller.name))

    def heard_by(self, listener: Progress | None) -> Progress:
        """What hears how far it is: whoever is subscribed, and this listener."""

        def progressed(done: float, total: float | None, message: str) -> None:
            self._publish(Progressed(self._server, self._identity, done, total, message))
            if listener is not None:
                listener(done, total, message)

        return progressed

    def ended(self, outcome: Outcome, error: MooringError | None = None, *, received: int = 0) -> None:
        seconds = time.monotonic() - self._started
        caller = self.caller
        if self._server:
            about = self._identity, self._server, self.tool, caller.name
            self._publish(CallEnded(*about, outcome, seconds, error))
        self._keep(
            Call(
                time.time(),
                caller.name,
                caller.face,
                caller.agent,
                self._server,
                tidy(self.tool, 200),
                _encoded(self.arguments),
                outcome,
                error.code if error else "",
                seconds,
                received,
            )
        )


def _encoded(arguments: Arguments) -> bytes:
    """At once: whoever made the call may change them when it has ended."""
    if isinstance(arguments, Raw):
        return bytes(arguments)
    try:
        return encode(arguments)
    except (TypeError, ValueError, OverflowError):
        # They could not have been sent either.
        return b""
