"""A command's way to the servers: a host for as long as the command takes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import TYPE_CHECKING

from mooring.cli.guest import visiting
from mooring.cli.here import Here
from mooring.cli.render import complain, mark, say
from mooring.core.redact import mask_shapes, visible
from mooring.core.spec import BadServer
from mooring.errors import MooringError

if TYPE_CHECKING:
    from mooring.config.load import Loaded
    from mooring.core.server_view import ServerView
    from mooring.core.spec import Config
    from mooring.host import Host

__all__ = [
    "broken",
    "configured",
    "connected",
    "must_work",
    "settle",
    "tell_missing",
    "tell_unapproved",
    "watched",
]


def configured(here: Here, loaded: Loaded | None = None) -> Config:
    """What is asked for, and a word where that is nothing, or where a file could not be understood."""
    config = (loaded or here.load()).config
    problems = broken(config)
    for problem in problems:
        complain(problem)
    if not config.servers and not problems:
        say("No server is configured yet")
        say(f"  {mark('hint', 'cyan')} mooring add NAME -- COMMAND, or mooring import")
    return config


def broken(config: Config) -> list[MooringError]:
    """What is wrong beside the servers' own entries, which say it themselves."""
    told = [
        error for entry in config.servers.values() if isinstance(entry, BadServer) for error in entry.errors
    ]
    return [
        problem
        for problem in config.problems
        if problem.severity == "error" and all(problem is not error for error in told)
    ]


def must_work(host: Host, names: Iterable[str] | None) -> None:
    """The error of the first of them that does not work, which says more than that something is not there."""
    from mooring.core.status import Connected, Failed
    from mooring.host.verdict import error_of

    for name in names or ():
        status = host.server(name).status
        if isinstance(status, Failed):
            raise status.error
        if not isinstance(status, Connected):
            raise error_of(name, status)


def connected(
    here: Here,
    config: Config,
    work: Callable[[Host], Awaitable[int]],
    only: Collection[str] | None = None,
) -> int:
    """What `work` comes to; of the servers only those in `only` are started before somebody needs them."""
    import asyncio

    from mooring.host import open_host

    guest = visiting()

    async def whole() -> int:
        async with (
            open_host(config, cwd=here.cwd, env=here.env, only=only, leave=True)
            if guest is None
            else guest.host(config)
        ) as host:
            code = await work(host)
        for trouble in host.store.troubles:
            say(f"{mark('note', 'yellow')} this is not kept: {visible(trouble.sentence)}")
            say(f"  {mark('hint', 'cyan')} {visible(trouble.hint)}")
        return code

    return asyncio.run(whole()) if guest is None else guest.run(whole)


async def settle(host: Host, names: Iterable[str] | None = None) -> None:
    """Until everything is up that will be."""
    wanted = None if names is None else set(names)
    await watched(host, wanted, host.settled(wanted))


async def watched(host: Host, names: Collection[str] | None, done: Awaitable[object]) -> None:
    """Until it is done; on a terminal one sees these servers come up meanwhile."""
    import asyncio

    from mooring.cli.live import live

    moved = asyncio.Event()

    async def changed() -> None:
        await moved.wait()
        moved.clear()

    def views() -> list[ServerView]:
        return [view for view in host.servers() if names is None or view.name in names]

    with host.bus.hear(lambda _: moved.set()):
        await live(views, changed, done)


def tell_missing(host: Host, only: Collection[str] | None = None) -> None:
    """Whose offer is not in the list, and why: an empty list is never the whole answer."""
    for view in host.servers():
        if view.reason and (only is None or view.name in only):
            reason = visible(mask_shapes(view.reason))
            say(f"{mark('note', 'yellow')} `{visible(view.name)}` is not in this: {reason}")
            say(f"  {mark('hint', 'cyan')} {visible(view.hint)}")


def tell_unapproved(host: Host) -> None:
    """Whose tools are not what they were when they were approved."""
    from shlex import quote

    from mooring.cli.listing import unapproved

    for view in host.servers():
        if view.unapproved.tools:
            say(f"{mark('note', 'yellow')} `{visible(view.name)}` has {unapproved(view)}")
            say(f"  {mark('hint', 'cyan')} mooring pins diff {visible(quote(view.name))}")
