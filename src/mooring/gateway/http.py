"""The gateway over Streamable HTTP: one address, both eras, and no framework in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mooring.errors import NotUnderstood
from mooring.gateway.client import Client
from mooring.gateway.exchange import Exchange
from mooring.gateway.faults import fault
from mooring.gateway.hub import Hub
from mooring.gateway.messages import PARSE, failure, opened
from mooring.gateway.outlet import Outlet
from mooring.gateway.sessions import Session, Sessions
from mooring.gateway.talk import Talk
from mooring.gateway.view import Scope as View
from mooring.gateway.watch import Watch
from mooring.system.door import Receive, Role, Scope, Send, Visitor, visitor_of
from mooring.system.door.asgi import answer, header
from mooring.system.door.body import read_body
from mooring.upstream.session.eras import MODERN
from mooring.upstream.wire.envelope import Envelope

__all__ = ["Face"]

SESSION, VERSION = b"mcp-session-id", b"mcp-protocol-version"
BLANKS = bytes.maketrans(b"\r\n", b"  ")
MOST_STRANGERS = 1000


class Face:
    """ASGI, behind a door; `view_of` says by the address of a request what its client sees."""

    def __init__(self, hub: Hub, view_of: Callable[[Scope], View]) -> None:
        self._hub = hub
        self._view_of = view_of
        self._sessions = Sessions(hub)
        self._strangers: dict[tuple[Visitor, View], Talk] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["method"]:
            case "POST":
                await self._post(scope, receive, send)
            case "GET":
                await self._get(scope, receive, send)
            case "DELETE":
                await self._delete(scope, send)
            case _:
                await answer(send, 405, b"", [(b"allow", b"POST, GET, DELETE")])

    def close(self) -> None:
        """Streams end, which would never end by themselves."""
        self._hub.ending.set()
        self._sessions.end()

    # --- a message

    async def _post(self, scope: Scope, receive: Receive, send: Send) -> None:
        kinds = header(scope, b"content-type")
        if len(kinds) != 1 or kinds[0].partition(b";")[0].strip().lower() != b"application/json":
            await answer(send, 415, b"", ())
            return
        body = await read_body(receive)
        try:
            envelope = _opened(body)
        except NotUnderstood as error:
            await Outlet(send).end(failure(b"", fault(error)), 400)
            return
        session, is_lost = self._session(scope)
        if is_lost:
            await _lost(send, bytes(envelope.id))
        elif envelope.id and envelope.method:
            await self._request(scope, receive, send, envelope, session)
        else:
            if session is not None:
                session.talk.noticed(envelope)
            await answer(send, 202, b"", ())

    async def _request(
        self, scope: Scope, receive: Receive, send: Send, envelope: Envelope, session: Session | None
    ) -> None:
        visitor, outlet = visitor_of(scope), Outlet(send)
        claimed = b"".join(header(scope, VERSION)[:1]).strip().decode("latin-1")
        if session is None and envelope.method == "initialize" and claimed not in MODERN:
            self._sessions.sweep()
            session = self._sessions.open(visitor, self._view_of(scope))
            outlet = Outlet(send, ((SESSION, session.identity.encode()),))
        talk = session.talk if session else self._stranger(visitor, self._view_of(scope))
        exchange = Exchange(talk, outlet, visitor.roles, claimed, has_session=session is not None)
        await exchange.carry_out(envelope, scope["headers"], receive)

    def _stranger(self, owner: Visitor, view: View) -> Talk:
        """In the new era nobody is known from one request to the next, but by their credential."""
        talk = self._strangers.get((owner, view))
        if talk is None:
            if len(self._strangers) >= MOST_STRANGERS:
                self._strangers.clear()
            hears_all = Role.ADMIN in owner.roles
            crowd = Client(
                self._hub, view, lambda _message: None, owner.name, hears_all=hears_all, is_crowd=True
            )
            talk = self._strangers[owner, view] = Talk(crowd)
        return talk

    def _session(self, scope: Scope) -> tuple[Session | None, bool]:
        """The one that a request names, and whether it names one that is not there."""
        named = header(scope, SESSION)
        if not named:
            return None, False
        identity = named[0].decode("latin-1")
        found = self._sessions.find(identity, visitor_of(scope).name, self._view_of(scope))
        return found, found is None

    # --- a session's own stream, and its end

    async def _get(self, scope: Scope, receive: Receive, send: Send) -> None:
        session, is_lost = self._session(scope)
        if is_lost:
            await _lost(send, b"")
        elif session is None:
            await answer(send, 405, b"", [(b"allow", b"POST")])
        elif session.stream is not None:
            error = NotUnderstood("this session has a stream already", hint="Close the other one first")
            await Outlet(send).end(failure(b"", fault(error)), 409)
        else:
            await self._listened(session, Outlet(send), receive)

    async def _listened(self, session: Session, stream: Outlet, receive: Receive) -> None:
        writing = session.attach(stream)
        watch = Watch(receive, after=0)
        try:
            await asyncio.wait([writing])
        except asyncio.CancelledError:
            working = asyncio.current_task()
            if not watch.has_gone or working is None:
                raise
            working.uncancel()
        finally:
            watch.stop()
            session.detach(stream)
            await stream.stop()

    async def _delete(self, scope: Scope, send: Send) -> None:
        session, is_lost = self._session(scope)
        if is_lost:
            await _lost(send, b"")
        elif session is None:
            await answer(send, 405, b"", [(b"allow", b"POST")])
        else:
            self._sessions.close(session)
            await answer(send, 200, b"", ())


def _opened(body: bytes) -> Envelope:
    """One message, on one line: it may go on to a server that reads lines."""
    if not body.isascii():
        try:
            body.decode()
        except UnicodeDecodeError as error:
            raise NotUnderstood("this is no UTF-8", hint="One JSON object, in UTF-8", number=PARSE) from error
    envelope = opened(body)
    # Outside of strings, where a message cannot have them, ends of lines are only white space.
    return opened(body.translate(BLANKS)) if b"\n" in body or b"\r" in body else envelope


async def _lost(send: Send, identity: bytes) -> None:
    error = NotUnderstood("there is no such session", hint="Begin anew with `initialize`")
    await Outlet(send).end(failure(identity, fault(error)), 404)
