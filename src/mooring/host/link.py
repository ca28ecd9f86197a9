"""One configured server over time: dialled, listed, attended to, and tried again when it is lost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping
from copy import copy
from functools import partial
from shlex import quote

from mooring.core.items import Kind
from mooring.core.spec import BadServer, Entry, LocalSpec, RemoteSpec
from mooring.core.status import Connected, Connecting, Disabled, Failed, Pending, Status
from mooring.core.values import JSON
from mooring.errors import ListTimeout, MooringError, NeedsLogin, NotConnected, StartTimeout, internal
from mooring.host.attend import Attendant
from mooring.host.beforehand import at_rest, transport_of
from mooring.host.doors import waiting
from mooring.host.journals import LOG, end_run, keep_log
from mooring.host.lists import Lists, look
from mooring.host.notices import Logged
from mooring.host.offer import Offer
from mooring.host.pace import Pace
from mooring.host.remembered import Memory
from mooring.host.verdict import changes_by_itself, error_of, status_of
from mooring.host.yard import Prepared, Yard
from mooring.system.journal import Journal
from mooring.upstream.session import Session

__all__ = ["Link"]


class Link:
    """`run` belongs to its owner task; everybody else looks, waits, and says what is wanted.

    An `asleep` server waits for its first use; so does a lazy one, once it is known what it offers.
    """

    def __init__(self, entry: Entry, yard: Yard, *, asleep: bool = False) -> None:
        self.name = entry.name
        self.status: Status = Pending()
        self.session: Session | None = None
        self.offer = Offer(entry.name, yard)
        self.latency: float | None = None
        self.since: float | None = None
        self.last_ok: float | None = None
        self.next_try_at: float | None = None
        self.challenge = ""
        self._yard = yard
        self._asleep = asleep
        self._pace = Pace()
        self._kick = asyncio.Event()
        self._moved = asyncio.Event()
        self._trying: asyncio.Task[float | None] | None = None
        self._is_over = False
        self._attendant: Attendant | None = None
        self._followed: set[str] = set()
        self._begin(entry)

    def _begin(self, entry: Entry) -> None:
        """What it is before anything is tried."""
        self.entry = entry
        self.transport = transport_of(entry)
        self._is_wanted = False
        if isinstance(entry, BadServer) or not entry.enabled:
            self._set(at_rest(entry))
            return
        self._set(Pending())
        known = self._recall(entry) if self._asleep or entry.lazy else False
        self._is_wanted = not (self._asleep or known)

    def _recall(self, spec: LocalSpec | RemoteSpec) -> bool:
        """Whether it is known from an earlier run what the server offers."""
        try:
            return self.offer.recall(spec)
        except MooringError as error:
            self._set(status_of(error))
            return True

    # --- what everybody may do

    @property
    def is_settled(self) -> bool:
        match self.status:
            case Connecting():
                return False
            case Pending():
                return not self._is_wanted
            case _:
                return True

    async def settled(self) -> None:
        """Until it works, or it is known that it does not; every attempt has its deadlines."""
        while not self.is_settled:
            await self._moved.wait()

    async def use(self) -> Session:
        """The live session; a server that sleeps, or has failed, is tried now, but only once."""
        was_tried = False
        while True:
            if self._is_over:
                raise NotConnected(f"`{self.name}` was stopped", hint="mooring list")
            if self.session is not None and not self.session.wire.ended.done():
                return self.session
            match self.status:
                case Connecting():
                    was_tried = True
                case Connected():
                    # It has ended just now, and its owner is about to hear of it.
                    pass
                case Pending():
                    was_tried = True
                    self.want()
                case Failed(next_try=float()) if not (self._pace.is_open or was_tried):
                    was_tried = True
                    self._set(Connecting(self._pace.attempt))
                    self._kick.set()
                case status:
                    raise self._not_connected(status)
            await self._moved.wait()

    def want(self) -> None:
        """To be connected, and if it is not: now, whatever happened before."""
        if isinstance(self.entry, BadServer) or self._is_over:
            return
        self._is_wanted = True
        if self.session is None and not isinstance(self.status, Connecting):
            self._pace.forget()
            self._set(Connecting(1))
            self._kick.set()

    def renew(self) -> None:
        """A new connection in place of the one there is."""
        self.session = None
        self._set(Pending())
        self._interrupt()
        self.want()

    def invite(self) -> None:
        """Somebody has logged in: what was refused is tried again, but what is switched off stays off."""
        if not isinstance(self.status, Disabled):
            self.renew()

    def forget(self) -> Memory | None:
        """What is remembered of it from earlier runs, for the last time."""
        return None if isinstance(self.entry, BadServer) else self._yard.recall(self.entry, forget=True)

    def rest(self) -> None:
        """To be stopped, and its offer withdrawn, until somebody wants it again."""
        self._is_wanted = False
        self._withdraw()
        self._set(at_rest(self.entry))

    async def stopped(self) -> None:
        """The same, and everything it had is gone."""
        self.rest()
        if self._trying is not None:
            await asyncio.wait([self._trying])

    def restart(self, entry: Entry) -> None:
        """Another server under the same name; whoever waits for it waits on."""
        self._withdraw()
        self._pace.forget()
        self._begin(entry)

    def _withdraw(self) -> None:
        self.session = None
        self.offer.withdraw()
        self._interrupt()
        self._yard.hears.listed(self.name)

    def _interrupt(self) -> None:
        """What its owner does now, it does for nothing."""
        self._kick.set()
        if self._trying is not None and not self._trying.cancelling():
            self._trying.cancel()

    def end(self) -> None:
        """For good: its owner is about to go, and whoever waits here would wait for ever."""
        self._is_over = True
        self._is_wanted = False
        self.session = None
        self.status = Disabled()
        self._stir()

    def change(self, entry: Entry) -> None:
        """The same server with other settings, which need no new connection."""
        self.entry = entry
        if isinstance(entry, BadServer):
            return
        if self.session is not None:
            self.session.timeouts = entry.timeouts
        if self.offer.listing is not None:
            self._show()

    async def look_at_pins(self) -> None:
        """Something was approved, or the rules for what was not are others."""
        if self.offer.listing is not None and self.session is not None:
            await self.offer.compare(self.entry)
            self._show()

    async def follow(self, uri: str, *, wanted: bool = True) -> None:
        """Hear of changes of one resource, also after the connection was lost and found again."""
        await self.use()
        if self._attendant is not None:
            await self._attendant.follow(uri, wanted=wanted)
        (self._followed.add if wanted else self._followed.discard)(uri)

    def doubt(self, session: Session) -> None:
        """Whether a request that was refused for want of a login is the only one is looked into."""
        if self.session is session and self._attendant is not None:
            self._attendant.doubt()

    # --- what its owner does

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            self._kick.clear()
            pause = await self._once() if self._is_wanted else None
            if pause != 0:
                await self._rest_for(pause)

    async def _rest_for(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._kick.wait()
        except TimeoutError:
            pass

    async def _once(self) -> float | None:
        """One attempt, in a task that alone opens and closes its session, and that is never left behind."""
        async with asyncio.TaskGroup() as group:
            self._trying = group.create_task(self._attempt())
        return 0 if self._trying.cancelled() else self._trying.result()

    async def _attempt(self) -> float | None:
        """The seconds until the next one, None if nothing would be different then."""
        entry = self.entry
        if isinstance(entry, BadServer):
            return None
        self._set(Connecting(self._pace.attempt))
        prepared: Prepared | None = None
        remembered = entry.protocol
        try:
            prepared = self._yard.prepare(entry)
            memory = self._yard.remembered.get(prepared.mark)
            remembered = memory.protocol if memory else entry.protocol
            connected = self._written_down(entry, prepared, memory)
            # Lists are large; nobody holds the old ones for as long as the server stays connected.
            del memory
            error = await connected
        except MooringError as problem:
            error = problem
            if prepared and remembered != entry.protocol and changes_by_itself(error):
                # What was remembered may be what is wrong.
                self._yard.remembered.forget(prepared.mark)
                if not isinstance(error, (StartTimeout, ListTimeout)):
                    return 0
        except Exception as problem:  # noqa: BLE001 - one server's task must not take the host down
            error = internal(problem)
        finally:
            self.session = self._attendant = self.since = None
            self._stir()
        pause = self._pace.failed() if changes_by_itself(error) else None
        self.next_try_at = None if pause is None else time.time() + pause
        if isinstance(error, NeedsLogin) and prepared is not None:
            self.challenge = error.challenge
            meanwhile = self._set if isinstance(self.status, Connected) else None
            self._set(await waiting(error, prepared.expanded.spec, self._yard.accounts, meanwhile))
        else:
            self._set(status_of(error, pause))
        return pause

    async def _written_down(
        self, spec: LocalSpec | RemoteSpec, prepared: Prepared, memory: Memory | None
    ) -> MooringError:
        """The same as one run in the server's journal."""
        journal = self._yard.journal(self.name)
        ended: MooringError | None = None
        try:
            connected = self._connected(spec, prepared, memory, journal)
            del memory
            lost = await connected
        except MooringError as error:
            ended = error
            raise
        else:
            ended = lost
            return lost
        finally:
            end_run(journal, ended, prepared.expanded.secrets)

    async def _connected(
        self, spec: LocalSpec | RemoteSpec, prepared: Prepared, memory: Memory | None, journal: Journal
    ) -> MooringError:
        secrets = prepared.expanded.secrets
        protocol = memory.protocol if memory and spec.protocol == "auto" else spec.protocol
        early: list[str] = []
        logged = Logged(secrets)

        def noticed(method: str, params: Mapping[str, JSON], cause: object) -> None:
            (self._attendant.notice if self._attendant is not None else early.append)(method)
            if method == LOG:
                if (message := logged.heard(params)) is not None:
                    keep_log(journal, message)
                    self._yard.hears.logged(self.name, message, cause)
            else:
                self._yard.hears.noticed(self.name, method, params)

        order = self._yard.order(prepared, protocol, notice=noticed, journal=journal)
        async with self._yard.dial(order) as session:
            session.timeouts = spec.timeouts
            began = time.monotonic()
            lists = await look(session, before=memory.as_lists if memory else Lists)
            self.latency = time.monotonic() - began
            await self.offer.compare(self.entry, lists)
            self.session = session
            self.since = time.time()
            self.transport = session.wire.transport or self.transport
            self.challenge = ""
            self._pace.connected()
            self._show(lists)
            self.offer.keep(prepared.mark, session, lists, memory)
            self._attendant = Attendant(session, lists, partial(self._refresh, session), self._followed)
            del lists, memory
            for method in early:
                self._attendant.notice(method)
            return await self._attendant.until_lost()

    async def _refresh(self, session: Session, kinds: Collection[Kind], before: Lists) -> Lists:
        lists = await look(session, kinds, lambda: before)
        await self.offer.compare(self.entry, lists)
        if self.session is session:
            self._show(lists)
        return lists

    def _show(self, lists: Lists | None = None) -> None:
        """What is offered now, and to whom it matters."""
        self.offer.show(self.entry, lists)
        self.last_ok = time.time()
        if self.session is not None and (listing := self.offer.listing) is not None:
            agreed = self.session.agreed
            counts = len(listing.tools), len(listing.resources), len(listing.templates), len(listing.prompts)
            self._set(Connected(agreed.protocol, agreed.name, agreed.version, *counts))
        self._yard.hears.listed(self.name)

    def _stir(self) -> None:
        """Everybody who waits looks again."""
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    def _set(self, status: Status) -> None:
        if self._is_over:
            return
        before, self.status = self.status, status
        self._stir()
        if before != status:
            self._yard.hears.moved(self.name, before, status)

    def _not_connected(self, status: Status) -> MooringError:
        match status:
            case Failed(error=error):
                return copy(error)
            case Disabled():
                return NotConnected(
                    f"`{self.name}` is switched off", hint=f"mooring enable {quote(self.name)}"
                )
            case _:
                return error_of(self.name, status)
