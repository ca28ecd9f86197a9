"""The logins of one host: looked for, begun, ended, used and given up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from shlex import quote

from mooring.auth.aside import aside
from mooring.auth.bearer import Bearer
from mooring.auth.challenge import Challenge
from mooring.auth.client import known_client, needs_registration
from mooring.auth.discover import Discovery, Step
from mooring.auth.fetch import Fetcher
from mooring.auth.guard import Guard
from mooring.auth.login import Login, begin, code_in, exchange
from mooring.auth.machine import Granted
from mooring.auth.renew import Refreshed, is_ours
from mooring.auth.revoke import Farewell, farewell
from mooring.auth.scopes import scopes_for
from mooring.auth.vault import Record, Vault
from mooring.core.spec import OAuth, RemoteSpec
from mooring.core.status import NeedsAuth, NeedsClientRegistration
from mooring.errors import CredentialsChanged, LoginFailed, MooringError, NeedsRegistration
from mooring.system.address import Address
from mooring.system.certificates import Certificates

__all__ = ["Accounts"]

WITHIN = 30.0
_ROUNDS = 3


class Accounts:
    """Cheap to make: no file and no address is touched before somebody asks."""

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
        self._certificates = Certificates(self._env)
        self._used: set[str] = set()

    # --- used

    def credentials(self, spec: RemoteSpec) -> Bearer | None:
        """None where nobody has logged in, or none is wanted: then nothing is attached to a connection."""
        if spec.oauth is None or _has_authorization(spec):
            return None
        record = self._kept(spec)
        if spec.oauth.needs_nobody:
            granted = Granted(self._vault, partial(self.fetcher, spec), spec)
            return Bearer(self._vault, spec, record or Record(spec.name, spec.url), granted, self._clock)
        if record is None or record.tokens is None:
            return None
        refreshed = Refreshed(self._vault, partial(self.fetcher, spec), spec)
        return Bearer(self._vault, spec, record, refreshed, self._clock)

    # --- looked for

    async def look(self, spec: RemoteSpec, challenge: str) -> NeedsAuth | NeedsClientRegistration:
        """What a server waits for that has refused us; nothing is registered and nothing stored."""
        try:
            async with _within(f"`{spec.name}` wants a login, and where"):
                return await aside(self._looked, spec, Challenge.of(challenge))
        except NeedsRegistration as error:
            return NeedsClientRegistration(f"{error.sentence}: {error.hint}")
        except MooringError as error:
            return NeedsAuth(error.sentence)

    def _looked(self, spec: RemoteSpec, challenge: Challenge) -> NeedsAuth:
        name = spec.name
        if spec.oauth is None:
            return NeedsAuth(f"`{name}` wants a login, and its entry says `oauth: false`")
        if _has_authorization(spec):
            return NeedsAuth(f"`{name}` refuses the `Authorization` header of its entry")
        if spec.oauth.needs_nobody:
            return NeedsAuth(f"`{name}` refuses the token that its `oauth.grant` brings")
        if challenge.wants_more:
            scope = challenge.scope
            return NeedsAuth(
                f"`{name}` wants a login that may do more{f': `{scope}`' if scope else ''}", scope
            )
        found = self._discovery(spec, challenge).run()
        if known_client(spec, found.authority) is None and found.authority.register is None:
            raise needs_registration(spec, found.authority)
        scope = scopes_for(name, found, spec.oauth.scope, None)
        return NeedsAuth(f"`{name}` wants a login at `{Address.of(found.authority.issuer).origin}`", scope)

    async def walk(self, spec: RemoteSpec, challenge: str) -> tuple[Step, ...]:
        """Every step that a login would take before it registers us, up to the first that fails."""
        discovery = self._discovery(spec, Challenge.of(challenge))

        def walked() -> None:
            found = discovery.run()
            client = known_client(spec, found.authority)
            if client is not None:
                said = f"`{client.id}`, as configured"
            elif found.authority.register is not None:
                said = f"`{found.authority.register}` would register us"
            else:
                error = needs_registration(spec, found.authority)
                discovery.steps.append(Step("registration", "failed", f"{error.sentence}: {error.hint}"))
                return
            discovery.steps.append(Step("registration", "ok", said))

        try:
            async with _within("the discovery"):
                await aside(walked)
        except MooringError as error:
            if not discovery.steps or discovery.steps[-1].outcome != "failed":
                discovery.steps.append(Step("discovery", "failed", error.sentence))
        return tuple(discovery.steps)

    # --- begun and ended

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
        kept = self._kept(spec)
        asked = Challenge.of(challenge)
        async with _within(f"the way to the login of `{spec.name}`"):
            return await aside(begin, self.fetcher(spec), spec, redirect_uri, asked, kept, self._clock())

    async def deliver(self, spec: RemoteSpec, login: Login, redirected: str) -> Record:
        """What the browser came back with, as a record of the vault. It can be delivered once."""
        if (spec.name, spec.url) != (login.server, login.url):
            raise LoginFailed(
                f"`{spec.name}` has another address than when the login began",
                hint=f"Begin again: mooring auth {quote(spec.name)}",
                step="state",
            )
        code = code_in(login, redirected, self._clock())
        if login.state in self._used:
            raise LoginFailed("authorization answer: it was delivered before", step="state")
        self._used.add(login.state)
        return await aside(self._exchanged, spec, login, code)

    def _exchanged(self, spec: RemoteSpec, login: Login, code: str) -> Record:
        return self._put(exchange(self.fetcher(spec), login, code, spec.oauth, self._clock()))

    def _put(self, record: Record) -> Record:
        """Whatever was there before, a new login is worth more."""
        for _ in range(_ROUNDS):
            kept = self._vault.open(record.server, record.url)
            try:
                return self._vault.put(replace(record, generation=kept.generation if kept else 0))
            except CredentialsChanged:
                continue
        return self._vault.put(record)

    # --- given up

    async def logout(self, spec: RemoteSpec) -> Farewell:
        """Tokens are taken back where that is possible, and forgotten in any case."""
        return await aside(farewell, self._vault, self.fetcher(spec), spec, self._clock())

    # --- within

    def fetcher(self, spec: RemoteSpec) -> Fetcher:
        """Whom the user has named may be asked, wherever that is."""
        oauth = spec.oauth or OAuth()
        urls = (oauth.authorization_url, oauth.token_url, oauth.idp_token_url)
        named = (Address.of(url).host for url in urls if url)
        guard = Guard(spec.name, spec.url, (*oauth.allow_hosts, *named))
        return Fetcher(guard, self._env, self._certificates)

    def _kept(self, spec: RemoteSpec) -> Record | None:
        record = self._vault.open(spec.name, spec.url)
        return record if record is not None and is_ours(record, spec) else None

    def _discovery(self, spec: RemoteSpec, challenge: Challenge) -> Discovery:
        kept = self._kept(spec)
        return Discovery(self.fetcher(spec), spec, challenge, kept.issuer if kept else None)


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
