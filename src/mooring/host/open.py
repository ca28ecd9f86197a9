"""A host from beginning to end: configuration, surroundings, servers, and nothing left behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from mooring.auth.accounts import Accounts
from mooring.config.places import Place
from mooring.core.events import ConfigReloaded
from mooring.core.questions import Caller
from mooring.core.spec import Config, RemoteSpec
from mooring.errors import MooringError
from mooring.host.answers import ourselves
from mooring.host.bus import Bus
from mooring.host.elsewhere import Elsewhere
from mooring.host.fleet import Fleet
from mooring.host.host import Host
from mooring.host.logins import Logins
from mooring.host.permits import Permits
from mooring.host.pins import Pins
from mooring.host.surroundings import Surroundings
from mooring.host.yard import Yard
from mooring.store import Store

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
    place = Surroundings.of(cwd, env)
    first = config if isinstance(config, Config) else await place.read(config)
    bus = Bus()
    fleet = Fleet(first, bus.publish)
    store = Store(place.dirs.data / "mooring.db")
    permits = Permits(first.settings, str(place.dirs.home), store)
    pins = Pins(store, first.settings)
    vault = place.vault(first.settings)
    accounts = Accounts(vault, env=place.env)
    filled_in = partial(_filled_in, place, fleet)
    logins = Logins(fleet, vault, accounts, filled_in)
    elsewhere = Elsewhere(fleet, vault, accounts, filled_in, logins)
    host = Host(fleet, bus, permits, pins, store, logins)
    only = how.get("only")
    with closing(store), place.dialling(dial, leave=how.get("leave", False)) as way:
        yard = Yard(
            way,
            lambda spec: place.prepare(fleet.config.inputs, spec),
            partial(ourselves, folder=place.folder, owner=how.get("owner")),
            accounts,
            place.remembered,
            place.journal,
            pins,
            fleet,
        )
        try:
            async with asyncio.TaskGroup() as group:
                fleet.start(yard, group, None if only is None else frozenset(only))
                watching = [group.create_task(elsewhere.run(), name="logins elsewhere")]
                if how.get("watch") and config is None:
                    watching.append(group.create_task(_reload(host, place)))
                try:
                    yield host
                finally:
                    fleet.close()
                    for task in watching:
                        task.cancel()
        except BaseExceptionGroup as group:
            found = group
        else:
            return
        # The block's own error, alone and with its own cause: the tasks beside it end in silence.
        raise _only(found)


def _filled_in(place: Surroundings, fleet: Fleet, spec: RemoteSpec) -> RemoteSpec:
    filled = place.prepare(fleet.config.inputs, spec).expanded.spec
    return filled if isinstance(filled, RemoteSpec) else spec


async def _reload(host: Host, place: Surroundings) -> None:
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
