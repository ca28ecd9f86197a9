"""Clients of the old era that come over HTTP: each has a session, which nobody else can use."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable

from mooring.errors import TooManyRequests
from mooring.gateway.client import Client
from mooring.gateway.hub import Hub
from mooring.gateway.outlet import Outlet
from mooring.gateway.talk import Talk
from mooring.gateway.view import Scope
from mooring.system.door import Role, Visitor

__all__ = ["Session", "Sessions"]

MOST = 10_000
IDLE = 1800.0
KEPT = 256


class Session:
    """What belongs to no request waits until the client opens a stream for it, the oldest lost first."""

    def __init__(self, hub: Hub, owner: Visitor, scope: Scope) -> None:
        self.identity = secrets.token_urlsafe(24)
        self.owner = owner.name
        self.scope = scope
        self.stream: Outlet | None = None
        self.used = time.monotonic()
        self._waiting: deque[bytes] = deque(maxlen=KEPT)
        self.talk = Talk(Client(hub, scope, self._say, owner.name, hears_all=Role.ADMIN in owner.roles))

    def _say(self, message: bytes) -> None:
        if self.stream is None:
            self._waiting.append(message)
        else:
            self.stream.say(message)

    def attach(self, stream: Outlet) -> asyncio.Task[None]:
        self.stream = stream
        writing = stream.begin()
        while self._waiting:
            stream.say(self._waiting.popleft())
        return writing

    def detach(self, stream: Outlet) -> None:
        if self.stream is stream:
            self.stream = None

    @property
    def is_idle(self) -> bool:
        return self.stream is None and not self.talk.running and time.monotonic() - self.used > IDLE

    def close(self) -> None:
        self.talk.close()
        if self.stream is not None:
            self.stream.over()


class Sessions:
    """By an id that cannot be guessed, and only for whoever began it."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._all: dict[str, Session] = {}

    def open(self, owner: Visitor, scope: Scope) -> Session:
        if len(self._all) >= MOST:
            self._sweep(lambda session: session.is_idle)
        if len(self._all) >= MOST:
            raise TooManyRequests(f"More than {MOST} sessions", hint="End those that are not used")
        session = Session(self._hub, owner, scope)
        self._all[session.identity] = session
        return session

    def find(self, identity: str, owner: str, scope: Scope) -> Session | None:
        session = self._all.get(identity)
        if session is None or (session.owner, session.scope) != (owner, scope):
            return None
        session.used = time.monotonic()
        return session

    def close(self, session: Session) -> None:
        self._all.pop(session.identity, None)
        session.close()

    def end(self) -> None:
        self._sweep(lambda _: True)

    def sweep(self) -> None:
        """Those that nobody has used for half an hour, and that nothing goes on in."""
        self._sweep(lambda session: session.is_idle)

    def _sweep(self, is_due: Callable[[Session], bool]) -> None:
        for session in [each for each in self._all.values() if is_due(each)]:
            self.close(session)
