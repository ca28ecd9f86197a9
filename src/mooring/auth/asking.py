"""Everything for which the logins of a host ask others; it blocks, and is imported when it is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from mooring.auth.bearer import Bearer
from mooring.auth.challenge import Challenge
from mooring.auth.client import known_client, needs_registration
from mooring.auth.discover import Discovery, Step
from mooring.auth.farewell import Farewell
from mooring.auth.fetch import Fetcher
from mooring.auth.fit import in_place, kept_for
from mooring.auth.flow import begin, code_in, exchange
from mooring.auth.guard import Guard
from mooring.auth.login import Login
from mooring.auth.machine import Granted
from mooring.auth.renew import Refreshed
from mooring.auth.revoke import farewell
from mooring.auth.scopes import scopes_for
from mooring.auth.vault import Record, Vault
from mooring.core.spec import OAuth, RemoteSpec
from mooring.core.status import NeedsAuth
from mooring.errors import CredentialsChanged, MooringError
from mooring.system.address import Address
from mooring.system.certificates import Certificates

__all__ = ["Asking"]

_ROUNDS = 3


class Asking:
    def __init__(self, vault: Vault, env: Mapping[str, str], clock: Callable[[], float]) -> None:
        self._vault = vault
        self._env = env
        self._clock = clock
        self._certificates = Certificates(env)

    def bearer(self, spec: RemoteSpec, record: Record) -> Bearer:
        fetcher = partial(self._fetcher, spec)
        needs_nobody = spec.oauth is not None and spec.oauth.needs_nobody
        renewal = (Granted if needs_nobody else Refreshed)(self._vault, fetcher, spec)
        return Bearer(self._vault, spec, record, renewal, self._clock)

    def looked(self, spec: RemoteSpec, header: str) -> NeedsAuth:
        challenge = Challenge.of(header)
        if challenge.wants_more:
            more = f": `{challenge.scope}`" if challenge.scope else ""
            return NeedsAuth(f"`{spec.name}` wants a login that may do more{more}", challenge.scope)
        found = self._discovery(spec, challenge).run()
        if known_client(spec, found.authority) is None and found.authority.register is None:
            raise needs_registration(spec, found.authority)
        scope = scopes_for(spec.name, found, spec.oauth.scope if spec.oauth else None, None)
        return NeedsAuth(
            f"`{spec.name}` wants a login at `{Address.of(found.authority.issuer).origin}`", scope
        )

    def walked(self, spec: RemoteSpec, header: str) -> tuple[Step, ...]:
        """The last step is the one that fails."""
        discovery = self._discovery(spec, Challenge.of(header))
        try:
            found = discovery.run()
            client = known_client(spec, found.authority)
            if client is None and found.authority.register is None:
                raise needs_registration(spec, found.authority)
        except MooringError as error:
            steps = discovery.steps
            if not steps or steps[-1].outcome != "failed":
                steps.append(Step("registration", "failed", f"{error.sentence}: {error.hint}"))
            return tuple(steps)
        said = f"`{client.id}` is configured" if client else f"`{found.authority.register}` would register us"
        return (*discovery.steps, Step("registration", "ok", said))

    def begun(self, spec: RemoteSpec, redirect_uri: str, header: str) -> Login:
        record = self._kept(spec)
        return begin(self._fetcher(spec), spec, redirect_uri, Challenge.of(header), record, self._clock())

    def code(self, login: Login, redirected: str) -> str:
        """Nobody is asked for that."""
        return code_in(login, redirected, self._clock())

    def exchanged(self, spec: RemoteSpec, login: Login, code: str) -> Record:
        """Stored: whatever was there before, a new login is worth more."""
        record = exchange(self._fetcher(spec), login, code, spec.oauth, self._clock())
        for _ in range(_ROUNDS):
            try:
                return self._vault.put(in_place(self._vault, spec, record))
            except CredentialsChanged:
                continue
        return self._vault.put(in_place(self._vault, spec, record))

    def given_up(self, spec: RemoteSpec) -> Farewell:
        return farewell(self._vault, self._fetcher(spec), spec, self._clock())

    def _fetcher(self, spec: RemoteSpec) -> Fetcher:
        """Whom the user has named may be asked, wherever that is."""
        oauth = spec.oauth or OAuth()
        urls = (oauth.authorization_url, oauth.token_url, oauth.idp_token_url)
        named = (Address.of(url).host for url in urls if url)
        return Fetcher(
            Guard(spec.name, spec.url, (*oauth.allow_hosts, *named)), self._env, self._certificates
        )

    def _kept(self, spec: RemoteSpec) -> Record | None:
        return kept_for(self._vault, spec)

    def _discovery(self, spec: RemoteSpec, challenge: Challenge) -> Discovery:
        kept = self._kept(spec)
        return Discovery(self._fetcher(spec), spec, challenge, kept.issuer if kept else None)
