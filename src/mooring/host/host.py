"""Every configured server, connected once: what they offer together, and every way to use it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from shlex import quote

from mooring.auth.farewell import Farewell
from mooring.core.account import Account
from mooring.core.catalog import Catalog, Entry
from mooring.core.changes import Changes, changes
from mooring.core.events import ConfigReloaded
from mooring.core.items import Tool
from mooring.core.pins import PinChanges
from mooring.core.questions import Ask, Caller, Face
from mooring.core.renewal import Renewal
from mooring.core.server_view import ServerView
from mooring.core.skills import Skill
from mooring.core.spec import BadServer, Config, LocalSpec, RemoteSpec
from mooring.core.status import Connected, Failed
from mooring.core.values import JSON
from mooring.errors import MooringError, RequiredServer
from mooring.host.bus import Bus
from mooring.host.calls import Calls
from mooring.host.fleet import Fleet
from mooring.host.items import Items
from mooring.host.link import Link
from mooring.host.logins import Logins
from mooring.host.permits import Permits
from mooring.host.pins import Pins
from mooring.host.running import Arguments
from mooring.host.skills import Skills
from mooring.store import Store
from mooring.upstream.session import Result
from mooring.upstream.wire import Progress

__all__ = ["Host"]

PROGRAM = Caller("python", Face.PYTHON)


class Host:
    """Made by `open_host`; every method may be called from any task of its loop."""

    def __init__(
        self, fleet: Fleet, bus: Bus, permits: Permits, pins: Pins, store: Store, logins: Logins
    ) -> None:
        self.bus = bus
        self.store = store
        self._fleet = fleet
        self._permits = permits
        self._pins = pins
        self._calls = Calls(fleet, permits, bus.publish, store.record)
        self._items = Items(fleet)
        self._skills = Skills(fleet)
        self._logins = logins
        self._known = fleet.config
        self._added: dict[str, LocalSpec | RemoteSpec] = {}

    # --- what there is

    @property
    def config(self) -> Config:
        return self._fleet.config

    @property
    def catalog(self) -> Catalog:
        """Everything that is offered now, also by servers that only wait for their first use."""
        return self._fleet.catalog

    def shows(self, agent: str, entry: Entry[Tool]) -> bool:
        """Whether this agent is shown a tool; what is always denied to it is not."""
        spec = self._fleet.link(entry.server).entry
        return not isinstance(spec, BadServer) and self._permits.shows(agent, entry, spec)

    def servers(self) -> tuple[ServerView, ...]:
        return tuple(_view(link) for link in self._fleet.links.values())

    def server(self, name: str) -> ServerView:
        return _view(self._fleet.link(name))

    async def settled(self, names: Iterable[str] | None = None) -> None:
        """Until each of them works, or is known not to."""
        await self._fleet.settled(names)

    async def ready(self) -> None:
        """The same, and an error if a required server does not work."""
        await self.settled()
        for view in self.servers():
            if view.required and not isinstance(view.status, Connected):
                sentence = f"`{view.name}` is required and does not work: {view.reason or view.word}"
                raise RequiredServer(sentence, hint=view.hint or f"mooring test {quote(view.name)}")

    # --- what can be done

    async def call(
        self,
        caller: Caller | None,
        name: str,
        arguments: Arguments | None = None,
        *,
        progress: Progress | None = None,
        began: Callable[[str], None] | None = None,
    ) -> Result:
        """Call a tool by its public name; without a caller it is this program itself.

        `began` is told the number that every event about this call has, before anything else happens.
        """
        return await self._calls.call(caller or PROGRAM, name, arguments or {}, progress, began)

    async def read(
        self,
        caller: Caller | None,
        uri: str,
        *,
        server: str | None = None,
        progress: Progress | None = None,
    ) -> Result:
        return await self._items.read(caller or PROGRAM, uri, server, progress)

    async def prompt(
        self,
        caller: Caller | None,
        name: str,
        arguments: Mapping[str, str] | None = None,
        *,
        progress: Progress | None = None,
    ) -> Result:
        return await self._items.prompt(caller or PROGRAM, name, arguments or {}, progress)

    async def complete(
        self,
        server: str,
        reference: Mapping[str, JSON],
        argument: Mapping[str, str],
        given: Mapping[str, str] | None = None,
    ) -> Result:
        """What could stand in one gap of a prompt or template of this server."""
        return await self._items.complete(server, reference, argument, given or {})

    async def skills(self, server: str) -> tuple[Skill, ...]:
        """What this server can teach a model; none of it is read before somebody asks for a file."""
        return await self._skills.all(server)

    async def skill(self, server: str, uri: str) -> Skill:
        """One of them by its address, also where the list does not name it."""
        return await self._skills.one(server, uri)

    async def skill_file(self, caller: Caller | None, skill: Skill, uri: str | None = None) -> bytes:
        """A file of a skill, its `SKILL.md` first of all: exactly what its entry promises, or an error."""
        return await self._skills.file(caller or PROGRAM, skill, uri or skill.uri)

    async def follow(self, server: str, uri: str, *, wanted: bool = True) -> None:
        """Have changes of one resource announced, as `ResourceUpdated`."""
        await self._fleet.link(server).follow(uri, wanted=wanted)

    # --- what was approved

    async def pins(self, server: str) -> PinChanges:
        """What this server's tools are now, against what they were when they were approved."""
        link = self._fleet.link(server)
        if isinstance(link.entry, BadServer):
            raise link.entry.errors[0]
        await link.use()
        return await self._pins.compare(link.entry, link.offer.tools)

    async def approve(self, server: str, changes: PinChanges) -> None:
        """Accept exactly what these changes show; what has changed again since then is not approved by it."""
        link = self._fleet.link(server)
        if isinstance(link.entry, BadServer):
            raise link.entry.errors[0]
        approved = [*changes.same, *changes.new, *(each.new for each in changes.changed)]
        await self._pins.approve(link.entry, approved, [pin.tool for pin in changes.gone])
        await link.look_at_pins()

    # --- who we are to them

    async def login(
        self, name: str, ask: Ask, *, by_hand: bool = False, scope: str | None = None
    ) -> ServerView:
        """Log in to a server and connect to it.

        `ask` gets a `Visit` with the address to open. It answers `Accepted()` where the browser will come
        back to a page on this machine; `Accepted({"url": address})` brings the address by hand that it ended
        at, which is the only way with `by_hand`. `scope` is what the login must allow beside what it did.
        """
        link = await self._logins.login(name, ask, by_hand=by_hand, scope=scope)
        await link.settled()
        return _view(link)

    async def logout(self, name: str) -> Farewell:
        """Have the login taken back, forget it, and let go of the connection that was made with it."""
        return await self._logins.logout(name)

    def accounts(self) -> tuple[Account, ...]:
        """Where we are logged in, and where we could be."""
        return self._logins.accounts()

    @property
    def lost_logins(self) -> tuple[MooringError, ...]:
        """What of them was found damaged, or could not be kept, since this host began."""
        return self._logins.lost

    # --- what is running

    async def connect(self, name: str) -> ServerView:
        """Start a server, or try it again at once."""
        link = self._fleet.link(name)
        link.want()
        await link.settled()
        return _view(link)

    async def disconnect(self, name: str) -> ServerView:
        """Stop it until `connect`; the configuration stays as it is."""
        link = self._fleet.link(name)
        await link.stopped()
        return _view(link)

    async def renew(self, name: str) -> Renewal:
        """Forget what is remembered of a server, connect it anew, and see what is different."""
        link = self._fleet.link(name)
        entry = link.entry
        if isinstance(entry, BadServer):
            return Renewal(_view(link), None, Changes())
        before = self.catalog
        memory = link.forget()
        if entry.enabled:
            link.renew()
            await link.settled()
        works = isinstance(link.status, Connected)
        found = changes(before, self.catalog).get(name, Changes()) if works else Changes()
        return Renewal(_view(link), None if memory is None else memory.known(entry), found)

    async def add(self, entry: LocalSpec | RemoteSpec) -> ServerView:
        """A server that no file knows, until this host ends; it takes the place of one of the same name."""
        self._added[entry.name] = entry
        await self.reload(self._known)
        return self.server(entry.name)

    async def reload(self, config: Config) -> ConfigReloaded:
        """Take over another configuration; only servers that it concerns are touched."""
        self._known = config
        config = replace(config, servers={**config.servers, **self._added})
        found = await self._fleet.change(config)
        self._permits.change(config.settings)
        if self._pins.change(config.settings):
            for link in list(self._fleet.links.values()):
                await link.look_at_pins()
        event = ConfigReloaded(found.start, found.stop, found.restart, config.problems)
        self.bus.publish(event)
        return event


def _view(link: Link) -> ServerView:
    entry, status, listing = link.entry, link.status, link.offer.listing
    known = not isinstance(entry, BadServer)
    next_try = link.next_try_at if isinstance(status, Failed) and status.next_try is not None else None
    return ServerView(
        name=link.name,
        status=status,
        transport=link.transport,
        required=known and entry.required,
        lazy=known and entry.lazy,
        latency=link.latency,
        since=link.since,
        last_ok=link.last_ok,
        next_try=next_try,
        tools=len(listing.tools) if listing else 0,
        resources=len(listing.resources) if listing else 0,
        templates=len(listing.templates) if listing else 0,
        prompts=len(listing.prompts) if listing else 0,
        unapproved=link.offer.unapproved,
    )
