"""Who comes over HTTP: known by token, by password, or by the cookie that a link gave the browser."""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import field
from enum import StrEnum
from hashlib import sha256

from mooring.core.frozen import frozen
from mooring.errors import NoCredential, NoForgeryToken, TooManyRequests
from mooring.system.door.asgi import Header, Scope, header

__all__ = ["Keys", "Role", "Visitor"]

LINK_FOR = 300.0
SESSION_FOR = 12 * 3600.0
MOST_SESSIONS = 100
WRONG = 10
WRONG_WITHIN = 60.0
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Role(StrEnum):
    """What a credential may be used for; each stands by itself."""

    READ = "read"
    CALL = "call"
    ADMIN = "admin"
    EXEC = "exec"


@frozen
class Visitor:
    """Who a request comes from, and what they may do."""

    name: str
    roles: frozenset[Role]


@frozen
class _Session:
    until: float
    csrf: str = field(repr=False)


class Keys:
    """Everything is compared in constant time; of tokens and cookies only digests are held."""

    def __init__(
        self,
        roles: Iterable[Role] = (Role.READ, Role.CALL, Role.ADMIN),
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._roles = frozenset(roles)
        self._clock = clock
        self._tokens: list[tuple[bytes, Visitor]] = []
        self._password: bytes | None = None
        self._links: dict[bytes, float] = {}
        self._sessions: dict[bytes, _Session] = {}
        self._wrong: dict[str, list[float]] = {}
        self.cookie = "mooring"

    # --- what is accepted

    def add_token(self, token: str, name: str = "token", roles: Iterable[Role] | None = None) -> None:
        visitor = Visitor(name, self._roles if roles is None else frozenset(roles))
        self._tokens.append((_digest(token.encode()), visitor))

    def add_password(self, user: str, password: str) -> None:
        """HTTP Basic, as OpenCode's own clients log in."""
        self._password = _digest(f"{user}:{password}".encode())

    def link(self) -> str:
        """What opens the door for one browser, once, within five minutes."""
        now = self._clock()
        self._links = {each: until for each, until in self._links.items() if until > now}
        made = secrets.token_urlsafe(32)
        self._links[_digest(made.encode())] = now + LINK_FOR
        return made

    def follow(self, link: str) -> Header:
        """The cookie for whoever came by a link; the link is worth nothing afterwards."""
        now = self._clock()
        until = self._links.pop(_digest(link.encode()), 0.0)
        if until <= now:
            raise NoCredential("This link has been used, or is too old", hint="The token opens the door too")
        living = [(each, session) for each, session in self._sessions.items() if session.until > now]
        self._sessions = dict(living[-(MOST_SESSIONS - 1) :])
        made = secrets.token_urlsafe(32)
        self._sessions[_digest(made.encode())] = _Session(now + SESSION_FOR, secrets.token_urlsafe(32))
        attributes = f"Path=/; HttpOnly; SameSite=Strict; Max-Age={int(SESSION_FOR)}"
        return b"set-cookie", f"{self.cookie}={made}; {attributes}".encode()

    def csrf(self, scope: Scope) -> str | None:
        """What the page with this cookie has to send along with every change; None without a cookie."""
        session = self._session(scope)
        return session.csrf if session else None

    def leave(self, scope: Scope) -> None:
        """The cookie of this request opens nothing any more."""
        self._sessions.pop(_digest(_cookie(scope, self.cookie)), None)

    @property
    def challenges(self) -> tuple[Header, ...]:
        """How one may say who one is, for whoever did not."""
        bearer = (b"www-authenticate", b'Bearer realm="mooring"')
        basic = (b"www-authenticate", b'Basic realm="mooring", charset="UTF-8"')
        return (bearer, basic) if self._password else (bearer,)

    # --- who it is

    def visitor(self, scope: Scope) -> Visitor:
        """By the `Authorization` header where there is one, else by the cookie."""
        given = header(scope, b"authorization")
        if len(given) == 1:
            scheme, _, rest = given[0].partition(b" ")
            match scheme.lower():
                case b"bearer":
                    return self._by_token(rest.strip())
                case b"basic":
                    return self._by_password(scope, rest.strip())
                case _:
                    pass
        elif not given and (session := self._session(scope)):
            return self._by_cookie(scope, session)
        raise _nobody()

    def _by_token(self, token: bytes) -> Visitor:
        digest = _digest(token)
        # All of them are compared, so that time tells nothing of which.
        found = [visitor for known, visitor in self._tokens if hmac.compare_digest(known, digest)]
        if not found:
            raise _nobody()
        return found[0]

    def _by_password(self, scope: Scope, encoded: bytes) -> Visitor:
        peer = str((scope.get("client") or ("",))[0])
        now = self._clock()
        recent = [at for at in self._wrong.get(peer, ()) if at > now - WRONG_WITHIN]
        if len(recent) >= WRONG:
            raise TooManyRequests("Too many wrong passwords", hint="Wait a minute, or use the token")
        try:
            given = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            given = b""
        if self._password is not None and hmac.compare_digest(self._password, _digest(given)):
            self._wrong.pop(peer, None)
            return Visitor("password", self._roles)
        if len(self._wrong) > MOST_SESSIONS:
            self._wrong.clear()
        self._wrong[peer] = [*recent, now]
        raise _nobody()

    def _by_cookie(self, scope: Scope, session: _Session) -> Visitor:
        if scope["method"] not in SAFE:
            given = header(scope, b"x-mooring-csrf")
            if len(given) != 1 or not hmac.compare_digest(given[0], session.csrf.encode()):
                raise NoForgeryToken(
                    "A change needs more than the browser's cookie",
                    hint="Send the word that belongs to the cookie as `x-mooring-csrf`",
                )
        return Visitor("page", self._roles)

    def _session(self, scope: Scope) -> _Session | None:
        value = _cookie(scope, self.cookie)
        session = self._sessions.get(_digest(value)) if value else None
        return session if session and session.until > self._clock() else None


def _cookie(scope: Scope, name: str) -> bytes:
    """Its value; nothing where it is there twice, since one of them is somebody else's."""
    start = name.encode() + b"="
    pairs = [pair.strip() for line in header(scope, b"cookie") for pair in line.split(b";")]
    found = [pair[len(start) :] for pair in pairs if pair.startswith(start)]
    return found[0] if len(found) == 1 else b""


def _digest(value: bytes) -> bytes:
    return sha256(value).digest()


def _nobody() -> NoCredential:
    return NoCredential(
        "This needs a credential, and the one that was given, if any, is not known here",
        hint="Send the token: `Authorization: Bearer …`",
    )
