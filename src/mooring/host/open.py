"""A host from beginning to end: configuration, surroundings, servers, and nothing left behind."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Collection, Generator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from mooring.auth.accounts import Accounts
from mooring.auth.vault import Vault
from mooring.config.lookup import look_up_in
from mooring.config.places import Place, project_root
from mooring.config.trust import Approvals, is_gated, launch_of
from mooring.core.events import ConfigReloaded
from mooring.core.frozen import frozen
from mooring.core.questions import Caller
from mooring.core.spec import Config, LocalSpec, RemoteSpec
from mooring.core.template import expand_spec
from mooring.errors import MooringError, NeedsApprovalError
from mooring.host.answers import ourselves
from mooring.host.bus import Bus
from mooring.host.fleet import Fleet
from mooring.host.host import Host
from mooring.host.journals import new_run
from mooring.host.logins import Logins
from mooring.host.permits import Permits
from mooring.host.remembered import Remembered
from mooring.host.yard import Prepared, Yard
from mooring.store import Store
from mooring.system.dirs import Dirs

if TYPE_CHECKING:
    from mooring.upstream.order import Dial

__all__ = ["How", "open_host"]


class How(TypedDict, total=False):
    """How it is done, where that is not as usual.

    `only` these start by themselves, the others at their first use. `watch` reads the files again when
    they change. `owner` is asked what belongs to no call; what it can answer is declared to every server.
    `leave` does not wait at the end for programs that are slow to go: they are ended all the same.
    """

    only: Collection[str] | None
    watch: bool
    owner: Caller | None
    leave: bool


@asynccontextmanager
async def open_host(
    config: Config | Mapping[str, Any] | None = None,
    *,
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    dial: Dial | None = None,
    **how: Unpack[How],
) -> AsyncGenerator[Host]:
    """Every configured server begins to connect; when the block ends, so do they all.

    Without `config` the files that hold in `cwd` are read, as on the command line. A map is written as such a
    file would be: `{"mcp": {"time": {"command": ["uvx", "mcp-server-time"]}}}`.
    """
    place = _Place.of(cwd, env)
    first = config if isinstance(config, Config) else await place.read(config)
    bus = Bus()
    fleet = Fleet(first, bus.publish)
    permits = Permits(first.settings, str(place.dirs.home))
    store = Store(place.dirs.data / "mooring.db")
    vault = Vault(place.dirs.data / "credentials")
    accounts = Accounts(vault, env=place.env)
    logins = Logins(fleet, vault, accounts, partial(_filled_in, place, fleet))
    host = Host(fleet, bus, permits, store, logins)
    only = how.get("only")
    with closing(store), _dialling(place, dial, leave=how.get("leave", False)) as way:
        yard = Yard(
            way,
            partial(_prepare, place, fleet),
            partial(ourselves, folder=place.folder, owner=how.get("owner")),
            accounts,
            Remembered(place.dirs.cache / "servers"),
            partial(new_run, place.dirs.state / "logs"),
            fleet,
        )
        try:
            async with asyncio.TaskGroup() as group:
                fleet.start(yard, group, None if only is None else frozenset(only))
                watching = (
                    group.create_task(_reload(host, place)) if how.get("watch") and config is None else None
                )
                try:
                    yield host
                finally:
                    fleet.close()
                    if watching is not None:
                        watching.cancel()
        except BaseExceptionGroup as group:
            found = group
        else:
            return
        # The block's own error, alone and with its own cause: the tasks beside it end in silence.
        raise _only(found)


@frozen
class _Place:
    """Where a host stands; nothing else of the outside world is read."""

    cwd: Path
    env: Mapping[str, str]
    dirs: Dirs

    @classmethod
    def of(cls, cwd: str | Path | None, env: Mapping[str, str] | None) -> _Place:
        known = dict(os.environ) if env is None else env
        return cls(Path(cwd).absolute() if cwd is not None else Path.cwd(), known, Dirs.of(known))

    @property
    def folder(self) -> Path:
        return project_root(self.cwd)

    async def read(self, given: Mapping[str, Any] | None) -> Config:
        """Files may lie on a slow disk, and an organisation may hang, while others want to go on."""
        from mooring.config.load import given_as, load  # noqa: PLC0415 - who brings a Config needs none of it
        from mooring.config.wellknown import organisation  # noqa: PLC0415

        if given is not None:
            return given_as(given, self.cwd, self.dirs)
        defaults = organisation(self.dirs, self.env)
        return (await asyncio.to_thread(load, self.cwd, self.dirs, self.env, defaults)).config


@contextmanager
def _dialling(place: _Place, dial: Dial | None, *, leave: bool) -> Generator[Dial]:
    if dial is not None:
        yield dial
        return
    from mooring.upstream.dial import dialer  # noqa: PLC0415 - tests bring a dial of their own
    from mooring.upstream.ground import Ground  # noqa: PLC0415
    from mooring.upstream.stdio.reaper import Reaper  # noqa: PLC0415

    reaper = Reaper()
    try:
        yield dialer(Ground(place.env, place.folder, reaper, leave))
    finally:
        reaper.close()


def _prepare(place: _Place, fleet: Fleet, spec: LocalSpec | RemoteSpec) -> Prepared:
    """Asked anew at every start: an approval may have been given, or a variable set, since the last one."""
    launch = launch_of(spec, place.env, place.folder)
    if is_gated(spec) and not Approvals(place.dirs.data).covers(launch):
        where = spec.sources[0].name if spec.sources else "a project"
        raise NeedsApprovalError(
            f"`{spec.name}` from `{where}` is not approved", hint=f"mooring trust {quote(spec.name)}"
        )
    look_up = look_up_in(place.env, fleet.config.inputs, place.dirs.home)
    return Prepared(expand_spec(spec, look_up), launch.fingerprint)


def _filled_in(place: _Place, fleet: Fleet, spec: RemoteSpec) -> RemoteSpec:
    filled = _prepare(place, fleet, spec).expanded.spec
    return filled if isinstance(filled, RemoteSpec) else spec


async def _reload(host: Host, place: _Place) -> None:
    """Files are watched before they are read once more, so that no change falls between."""
    from anyio import Event  # noqa: PLC0415

    from mooring.config.places import global_places, managed_places, user_places  # noqa: PLC0415
    from mooring.config.watch import watch  # noqa: PLC0415

    def places() -> list[Place]:
        user = user_places(place.cwd, place.dirs, place.env)
        return [*global_places(place.dirs), *user, *managed_places(place.dirs)]

    async for _ in watch(places, Event()):
        try:
            await host.reload(await place.read(None))
        except MooringError as error:
            # The machine owner's file is broken: what runs goes on as it was.
            host.bus.publish(ConfigReloaded(problems=(error,)))


def _only(group: BaseExceptionGroup[BaseException]) -> BaseException:
    return group.exceptions[0] if len(group.exceptions) == 1 else group
