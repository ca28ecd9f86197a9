"""Logins: begun, carried out, kept and looked at; and forgotten."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import replace

from mooring.auth.accounts import Accounts
from mooring.auth.callback import callback_of
from mooring.auth.farewell import Farewell
from mooring.auth.fit import is_ours
from mooring.auth.login import Login
from mooring.auth.loopback import Guest, Loopback
from mooring.auth.page import Outcome
from mooring.auth.vault import Record, Vault
from mooring.core.account import Account, Standing
from mooring.core.questions import Ask
from mooring.core.spec import BadServer, LocalSpec, OAuth, RemoteSpec
from mooring.core.status import Pending
from mooring.errors import MooringError, NoLogin
from mooring.host.doors import asking_for, is_keyed
from mooring.host.errand import Errand
from mooring.host.fleet import Fleet
from mooring.host.link import Link

__all__ = ["Logins"]


class Logins:
    """`filled_in` gives the entry of a server with its references filled in, or says what is in the way."""

    def __init__(
        self,
        fleet: Fleet,
        vault: Vault,
        accounts: Accounts,
        filled_in: Callable[[RemoteSpec], RemoteSpec],
    ) -> None:
        self._fleet = fleet
        self._vault = vault
        self._accounts = accounts
        self._filled_in = filled_in
        self._loopback = Loopback()
        self._damaged: list[MooringError] = []
        self.under_way: list[str] = []

    async def login(self, name: str, ask: Ask, *, by_hand: bool, scope: str | None) -> Link:
        """`ask` shows the address; it may also bring back the one that the browser ends at."""
        link = self._fleet.link(name)
        spec = self._spec(link)
        with self._under_way(name):
            await self._log_in(link, spec, ask, by_hand=by_hand, scope=scope)
            link.invite()
        return link

    @contextmanager
    def _under_way(self, name: str) -> Generator[None]:
        self.under_way.append(name)
        try:
            yield
        finally:
            self.under_way.remove(name)

    async def _log_in(
        self, link: Link, spec: RemoteSpec, ask: Ask, *, by_hand: bool, scope: str | None
    ) -> None:
        if isinstance(link.status, Pending):
            link.want()
        # How it turns us away says what to ask for.
        await link.settled()
        callback = callback_of(spec.oauth or OAuth())
        async with AsyncExitStack() as stack:
            guest: Guest | None = None
            if not by_hand:
                is_fixed = callback.is_fixed or not self._accounts.may_move(spec)
                wanted = replace(callback, is_fixed=is_fixed)
                callback = await stack.enter_async_context(self._loopback.at(wanted))
            challenge = link.challenge if scope is None else asking_for(scope, link.challenge)
            login = await self._accounts.begin(spec, callback.uri, challenge=challenge)
            if not by_hand:
                guest = await stack.enter_async_context(self._loopback.expecting(callback, login.state))
            brought = await Errand(login, callback, ask, guest).brought()
            await self._deliver(spec, login, brought, guest)

    async def logout(self, name: str) -> Farewell:
        """Everything that is kept under this name is taken back and forgotten, also of former addresses."""
        link = self._fleet.links.get(name)
        urls = {record.url for record in self._records() if record.server == name}
        spec = RemoteSpec(name=name, url="")
        if link is not None and isinstance(link.entry, RemoteSpec):
            # Without its secret, or unapproved, it still can be forgotten.
            with suppress(MooringError):
                spec = self._filled_in(link.entry)
                urls.add(spec.url)
        if not urls:
            self._spec(self._fleet.link(name))
        with self._under_way(name):
            farewells = [await self._accounts.logout(replace(spec, url=url)) for url in sorted(urls)]
            if link is not None and link.session is not None:
                link.renew()
        had = [each for each in farewells if each.had]
        notes = dict.fromkeys(each.note for each in farewells if each.note)
        return Farewell(bool(had), bool(had) and all(each.revoked for each in had), "; ".join(notes))

    def accounts(self) -> tuple[Account, ...]:
        """One for each server that takes logins, and for each login whose server is not there any more."""
        found: list[Account] = []
        records = self._records()
        for name, entry in self._fleet.config.servers.items():
            if not isinstance(entry, RemoteSpec) or entry.oauth is None:
                continue
            try:
                spec = self._filled_in(entry)
            except MooringError:
                # What stands in the way of the server is said by its status.
                spec = entry
            used = next((each for each in records if _is_used(each, spec)), None)
            found.append(self._account(name, spec.url, used))
            records = [each for each in records if each is not used]
        left = [self._account(each.server, each.url, each, is_configured=False) for each in records]
        return (*found, *left)

    def lose(self, error: MooringError) -> None:
        """Somebody else has come across a record that was damaged."""
        self._damaged.append(error)

    @property
    def lost(self) -> tuple[MooringError, ...]:
        """What was damaged has been set aside and counts no more; what is unsaved works until the end."""
        unsaved = self._vault.unsaved
        return (*self._damaged, *([unsaved] if unsaved else []))

    def _records(self) -> list[Record]:
        """Those that can be read; reading has set the others aside, and nobody says so a second time."""
        found: list[Record] = []
        for each in self._vault.records():
            if isinstance(each, Record):
                found.append(each)
            else:
                self._damaged.append(each)
        return found

    def _spec(self, link: Link) -> RemoteSpec:
        match link.entry:
            case BadServer(errors=errors):
                raise errors[0]
            case LocalSpec(name=name):
                raise NoLogin(f"`{name}` is a program on this machine; there is nothing to log in to")
            case RemoteSpec(name=name, oauth=None):
                raise NoLogin(f"`{name}` has `oauth` switched off", hint=f"Remove `mcp.{name}.oauth`")
            case RemoteSpec(name=name) as spec:
                pass
        if is_keyed(spec):
            hint = f"Remove `Authorization` from `mcp.{name}.headers` to log in instead"
            raise NoLogin(f"`{name}` has a key of its own in its headers", hint=hint)
        return self._filled_in(spec)

    def _account(self, name: str, url: str, record: Record | None, *, is_configured: bool = True) -> Account:
        tokens = record.tokens if record is not None else None
        if record is None or tokens is None:
            return Account(server=name, url=url, configured=is_configured)
        is_over = tokens.expires_at is not None and tokens.expires_at <= time.time()
        return Account(
            server=name,
            url=url,
            standing=Standing.EXPIRED if is_over and tokens.refresh is None else Standing.IN,
            issuer=record.issuer,
            scopes=tuple((tokens.scope or "").split()),
            expires_at=tokens.expires_at,
            renews=tokens.refresh is not None,
            source=record.source,
            stored=self._vault.place(record),
            configured=is_configured,
        )

    async def _deliver(self, spec: RemoteSpec, login: Login, brought: str, guest: Guest | None) -> None:
        try:
            await self._accounts.deliver(spec, login, brought)
        except MooringError as error:
            if guest is not None:
                guest.tell(Outcome("Not logged in", error.sentence))
            raise
        if guest is not None:
            guest.tell(Outcome("Logged in", f"Mooring may use `{login.server}` from now on.", is_well=True))


def _is_used(record: Record, spec: RemoteSpec) -> bool:
    return (record.server, record.url) == (spec.name, spec.url) and is_ours(record, spec)
