"""One request over HTTP, from its message to its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Mapping

from mooring.errors import MooringError, NotUnderstood, RoleMissing
from mooring.gateway.faults import fault, number_of
from mooring.gateway.headers import check_headers
from mooring.gateway.messages import answer, failure
from mooring.gateway.outlet import Outlet
from mooring.gateway.request import Request
from mooring.gateway.talk import Talk
from mooring.gateway.watch import Watch
from mooring.system.door import Receive, Role
from mooring.system.door.asgi import Header
from mooring.upstream.session.eras import HANDSHAKE
from mooring.upstream.wire.envelope import Envelope

__all__ = ["Exchange"]

# The new era says it by the status too; in the old one the answer's own number is enough.
STATUS: Mapping[int, int] = {
    **dict.fromkeys((-32700, -32600, -32602, -32020, -32021, -32022), 400),
    -32601: 404,
}
USES = frozenset(
    {"tools/call", "resources/read", "prompts/get", "completion/complete", "resources/subscribe"}
)


class Exchange:
    """`roles` are those of whoever asks, `claimed` the version in the headers."""

    def __init__(
        self, talk: Talk, outlet: Outlet, roles: Collection[Role], claimed: str, *, has_session: bool
    ) -> None:
        self._talk = talk
        self._claimed = claimed
        self._outlet = outlet
        self._roles = roles
        self._has_session = has_session

    async def carry_out(self, envelope: Envelope, headers: list[Header], receive: Receive) -> None:
        identity = bytes(envelope.id)
        request: Request | None = None
        try:
            request = self._talk.asked(envelope, self._outlet.say, self._claimed)
            self._check(request, headers)
            work = self._talk.work(request)
            if isinstance(work, bytes):
                await self._outlet.end(answer(identity, work))
            else:
                await self._watched(request, work, receive)
        except MooringError as error:
            await self._outlet.end(*self._failed(identity, request, error))

    def _check(self, request: Request, headers: list[Header]) -> None:
        if request.method in USES and Role.CALL not in self._roles:
            raise RoleMissing(f"`{request.method}` needs the role `call`", hint="Use another token")
        if request.is_modern:
            check_headers(headers, self._talk.client, request)
            return
        if request.method != "initialize" and self._claimed and self._claimed not in HANDSHAKE:
            raise NotUnderstood("the header `mcp-protocol-version` names no version of a session")

    def _failed(self, identity: bytes, request: Request | None, error: MooringError) -> tuple[bytes, int]:
        is_modern = request is not None and request.is_modern
        uri = request.params.uri if request is not None else ""
        body = failure(identity, fault(error, is_modern=is_modern, uri=uri))
        if isinstance(error, RoleMissing):
            return body, 403
        if self._has_session and not is_modern:
            return body, 200
        return body, STATUS.get(number_of(error, is_modern=is_modern, uri=uri), 200)

    async def _watched(self, request: Request, work: Awaitable[bytes], receive: Receive) -> None:
        """A client that hangs up, or that takes its request back, does not want it carried out any more."""
        working, watch, running = asyncio.current_task(), Watch(receive), self._talk.running
        if working is not None and self._has_session:
            running[request.identity] = working
        try:
            await self._outlet.end(answer(request.identity, await work))
        except asyncio.CancelledError:
            is_withdrawn = self._has_session and request.identity not in running
            if working is None or not (watch.has_gone or is_withdrawn):
                raise
            working.uncancel()
            await (self._outlet.stop() if watch.has_gone else self._outlet.nothing())
        finally:
            watch.stop()
            if running.get(request.identity) is working:
                del running[request.identity]
