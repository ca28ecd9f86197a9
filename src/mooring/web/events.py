"""`GET /api/v1/events`: everything that the host announces, as it happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mooring.core.announced import announced
from mooring.core.events import Event
from mooring.system.door import Receive, Role, Scope, Send, visitor_of
from mooring.system.door.asgi import header
from mooring.web.audience import Audience
from mooring.web.encoded import encoded
from mooring.web.routing import Route
from mooring.web.stream import Stream

__all__ = ["Events", "missed", "shaped"]


class Events:
    """With `Last-Event-ID` what was missed meanwhile comes first."""

    def __init__(self, stream: Stream, audience: Audience) -> None:
        self._stream = stream
        self._audience = audience

    @property
    def routes(self) -> tuple[Route, ...]:
        return (Route("GET", "/api/v1/events", Role.READ, self.serve),)

    async def serve(self, scope: Scope, receive: Receive, send: Send, _given: Mapping[str, str]) -> None:
        after = header(scope, b"last-event-id")
        seen = after[0].decode("latin-1") if after else ""
        with self._audience.listening(visitor_of(scope)):
            await self._stream.serve(receive, send, b": connected\n\n", b": still here\n\n", seen)


def shaped(identity: str, event: Event) -> bytes:
    return _frame(identity, event.kind, announced(event))


def missed(identity: str) -> bytes:
    """Some events are lost to this listener, who has to look at the whole again."""
    return _frame(identity, "events.missed", {"kind": "events.missed"})


def _frame(identity: str, kind: str, data: Mapping[str, Any]) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (identity.encode(), kind.encode(), encoded(data))
