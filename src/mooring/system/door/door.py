"""What every request passes before anybody acts on it, whatever route it is for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from urllib.parse import unquote

from mooring.core.frozen import frozen
from mooring.errors import (
    BadRequest,
    HeadersTooLarge,
    MooringError,
    NoCredential,
    RoleMissing,
    TooManyRequests,
)
from mooring.system.door.asgi import App, Message, Receive, Scope, Send
from mooring.system.door.body import bounded
from mooring.system.door.keys import Keys, Role, Visitor
from mooring.system.door.origin import Places
from mooring.system.door.problem import STATUS, send_problem

__all__ = ["Door", "Rules", "visitor_of"]

HEADERS = 16 * 1024
AT_ONCE = 64
VISITOR = "mooring.visitor"
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; "
    b"img-src 'self' data: blob:; media-src 'self' data: blob:; form-action 'none'; frame-ancestors 'none'; "
    b"base-uri 'none'"
)
SECURE = (
    (b"content-security-policy", _POLICY),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
_NO_STORE = (b"cache-control", b"no-store")


def visitor_of(scope: Scope) -> Visitor:
    """Who it was whom the door let in."""
    return scope[VISITOR]


@frozen
class Rules:
    """What a face says of its own routes and errors.

    `role` is what a request needs, None where nobody need say who they are. `wrong` hears of errors
    that nobody foresaw; whoever asked is told only that there was one. `at_once` is how many requests one
    credential may have under way.
    """

    role: Callable[[Scope], Role | None]
    status: Callable[[MooringError], int] = lambda _: 500
    wrong: Callable[[Exception], None] = lambda _: None
    at_once: Callable[[Scope], int] = lambda _: AT_ONCE


class Door:
    """ASGI around ASGI."""

    def __init__(self, app: App, keys: Keys, places: Places, rules: Rules) -> None:
        self._app = app
        self._keys = keys
        self._places = places
        self._rules = rules
        self._busy: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            # A WebSocket is closed before it is open, which the protocol calls 403.
            await send({"type": "websocket.close", "code": 1008})
            return
        answer = _Answer(send)
        try:
            await self._pass(scope, receive, answer)
        except MooringError as error:
            await answer.refuse(error, self._keys, self._rules)
        except Exception as error:  # noqa: BLE001 - whoever asked gets an answer, and no other request is touched
            self._rules.wrong(error)
            mistake = MooringError(
                "This is a mistake in Mooring itself", hint="Look at what it says on stderr"
            )
            await answer.refuse(mistake, self._keys, self._rules)

    async def _pass(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        self._places.check(scope)
        _check_shape(scope)
        needed = self._rules.role(scope)
        if needed is None:
            await self._app(scope, bounded(scope, receive), answer)
            return
        visitor = self._keys.visitor(scope)
        if needed not in visitor.roles:
            raise RoleMissing(
                f"This needs the role `{needed}`, which this credential does not have",
                hint="Use the token that `mooring serve` made",
            )
        scope[VISITOR] = visitor
        await self._counted(visitor.name, scope, receive, answer)

    async def _counted(self, name: str, scope: Scope, receive: Receive, answer: _Answer) -> None:
        """A stream counts only until it has begun: it may last for days, and costs next to nothing."""
        most = self._rules.at_once(scope)
        if self._busy[name] >= most:
            raise TooManyRequests(f"More than {most} requests at once", hint="Wait for the others")
        self._busy[name] += 1

        def done() -> None:
            self._busy[name] -= 1

        answer.streams = done
        try:
            await self._app(scope, bounded(scope, receive), answer)
        finally:
            if answer.streams is not None:
                done()


class _Answer:
    """`send`, with what every answer of ours says, and a memory of whether it has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._has_begun = False
        self.streams: Callable[[], None] | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._has_begun = True
            headers = list(message.get("headers", ()))
            names = {name for name, _ in headers}
            if (b"content-type", b"text/event-stream") in headers and self.streams is not None:
                self.streams()
                self.streams = None
            extra = SECURE if b"cache-control" in names else (*SECURE, _NO_STORE)
            message = {**message, "headers": [*headers, *extra]}
        await self._send(message)

    async def refuse(self, error: MooringError, keys: Keys, rules: Rules) -> None:
        """Where the answer has begun already, it can only be cut off."""
        if self._has_begun:
            raise error
        if isinstance(error, NoCredential):
            await send_problem(self, error, headers=keys.challenges)
        elif isinstance(error, TooManyRequests):
            await send_problem(self, error, headers=((b"retry-after", b"1"),))
        else:
            status = STATUS.get(type(error)) or rules.status(error)
            await send_problem(self, error, status)


def _check_shape(scope: Scope) -> None:
    """Nothing that one program reads in one way and the next one in another."""
    if sum(len(name) + len(value) for name, value in scope["headers"]) > HEADERS:
        raise HeadersTooLarge(f"The headers are larger than {HEADERS // 1024} KiB", hint="Send fewer")
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    try:
        segments = [unquote(part, errors="strict") for part in raw.decode("ascii").split("/")]
    except ValueError as error:
        raise BadRequest("The path is no UTF-8", hint="Encode it with `%`") from error
    odd = any(part in (".", "..") or not (part.isprintable() or not part) for part in segments)
    if odd or not raw.startswith(b"/") or raw.startswith(b"//") or b"\\" in raw:
        raise BadRequest(
            "The path goes up, in circles or beyond what can be printed", hint="Write it plainly"
        )
