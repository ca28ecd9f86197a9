"""The logins of one host: looked for, begun, ended, used and given up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cached_property
from shlex import quote
from typing import TYPE_CHECKING

from mooring.auth.aside import aside
from mooring.auth.fit import kept_for
from mooring.auth.vault import Record, Vault
from mooring.core.spec import OAuth, RemoteSpec
from mooring.core.status import NeedsAuth, NeedsClientRegistration
from mooring.errors import LoginFailed, MooringError, NeedsRegistration

if TYPE_CHECKING:
    from mooring.auth.asking import Asking
    from mooring.auth.bearer import Bearer
    from mooring.auth.discover import Step
    from mooring.auth.farewell import Farewell
    from mooring.auth.login import Login

__all__ = ["Accounts"]

WITHIN = 30.0


class Accounts:
    """Cheap to make, and to ask in vain: nothing else is imported before there is somebody to talk to."""

    def __init__(
        self,
        vault: Vault,
        *,
        env: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._vault = vault
        self._env = env or {}
        self._clock = clock
        self._used: set[str] = set()
        self._given: dict[str, Bearer | None] = {}

    @cached_property
    def _asking(self) -> Asking:
        from mooring.auth.asking import Asking  # noqa: PLC0415 - most servers want no login

        return Asking(self._vault, self._env, self._clock)

    def credentials(self, spec: RemoteSpec) -> Bearer | None:
        """None where nobody has logged in, or none is wanted: then nothing is attached to a connection."""
        bearer = self._given[spec.name] = self._bearer(spec)
        return bearer

    def _bearer(self, spec: RemoteSpec) -> Bearer | None:
        if spec.oauth is None or _has_authorization(spec):
            return None
        record = kept_for(self._vault, spec)
        if not spec.oauth.needs_nobody and (record is None or record.tokens is None):
            return None
        return self._asking.bearer(spec, record or Record(spec.name, spec.url))

    def is_news(self, spec: RemoteSpec, *, is_connected: bool) -> bool:
        """Whether somebody has logged in or out since the last connection to it was tried.

        Tokens that were merely renewed are none to who is connected: they are taken up when they are needed.
        """
        if spec.oauth is None or spec.oauth.needs_nobody or _has_authorization(spec):
            return False
        given = self._given.get(spec.name)
        used, kept = given.record if given else None, kept_for(self._vault, spec)
        if is_connected:
            return _whose(used) != _whose(kept)
        if kept is None or kept.tokens is None:
            return False
        return used is None or used.tokens != kept.tokens

    async def look(self, spec: RemoteSpec, challenge: str) -> NeedsAuth | NeedsClientRegistration:
        """What a server waits for that has refused us; nothing is registered and nothing stored."""
        name = spec.name
        if spec.oauth is None:
            return NeedsAuth(f"`{name}` wants a login, and its entry says `oauth: false`")
        if _has_authorization(spec):
            return NeedsAuth(f"`{name}` refuses the `Authorization` header of its entry")
        if spec.oauth.needs_nobody:
            return NeedsAuth(f"`{name}` refuses the token that its `oauth.grant` brings")
        try:
            async with _within(f"`{name}` wants a login, and where"):
                return await aside(self._asking.looked, spec, challenge)
        except NeedsRegistration as error:
            return NeedsClientRegistration(f"{error.sentence}: {error.hint}")
        except MooringError as error:
            return NeedsAuth(error.sentence)

    async def walk(self, spec: RemoteSpec, challenge: str) -> tuple[Step, ...]:
        """Every step that a login would take before it registers us, up to the first that fails."""
        async with _within("the steps of a login"):
            return await aside(self._asking.walked, spec, challenge)

    def may_move(self, spec: RemoteSpec) -> bool:
        """Whether the browser may come back to another port: only where we are registered for each login."""
        oauth = spec.oauth or OAuth()
        return not (oauth.client_id or oauth.client_metadata_url or oauth.redirect_uri or oauth.callback_port)

    async def begin(self, spec: RemoteSpec, redirect_uri: str, *, challenge: str = "") -> Login:
        """A login that waits for the browser; nothing is stored."""
        if spec.oauth is None:
            raise LoginFailed(
                f"`{spec.name}` has `oauth: false` in its entry", hint=f"Remove that from `mcp.{spec.name}`"
            )
        if spec.oauth.needs_nobody:
            raise LoginFailed(
                f"`{spec.name}` needs nobody to log in: its entry says `grant`",
                hint=f"mooring test {quote(spec.name)}",
            )
        async with _within(f"the way to the login of `{spec.name}`"):
            return await aside(self._asking.begun, spec, redirect_uri, challenge)

    async def deliver(self, spec: RemoteSpec, login: Login, redirected: str) -> Record:
        """What the browser came back with, as a record of the vault. It can be delivered once."""
        if (spec.name, spec.url) != (login.server, login.url):
            raise LoginFailed(
                f"`{spec.name}` has another address than when the login began",
                hint=f"Begin again: mooring auth {quote(spec.name)}",
                step="state",
            )
        code = self._asking.code(login, redirected)
        if login.state in self._used:
            raise LoginFailed("authorization answer: it was delivered before", step="state")
        self._used.add(login.state)
        return await aside(self._asking.exchanged, spec, login, code)

    async def logout(self, spec: RemoteSpec) -> Farewell:
        """Tokens are taken back where that is possible, and forgotten in any case."""
        return await aside(self._asking.given_up, spec)


@asynccontextmanager
async def _within(what: str) -> AsyncGenerator[None]:
    try:
        async with asyncio.timeout(WITHIN):
            yield
    except TimeoutError as error:
        raise LoginFailed(
            f"{what} could not be found out within {WITHIN:g} s", hint="Is the network up?", step="discovery"
        ) from error


def _has_authorization(spec: RemoteSpec) -> bool:
    return any(name.lower() == "authorization" for name in spec.headers)


def _whose(record: Record | None) -> tuple[str | None, ...] | None:
    if record is None or record.tokens is None:
        return None
    return record.issuer, record.client.id if record.client else None, record.asked
