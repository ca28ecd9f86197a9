"""The servers of this project behind a port and a socket, from the first word to the last."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mooring import __version__
from mooring.cli.background import log_of
from mooring.cli.connected import configured
from mooring.cli.frames import ATTACH
from mooring.cli.guest import here_and_there
from mooring.cli.here import Here
from mooring.cli.render import emit, mark, out, say
from mooring.cli.run import INTERRUPTED
from mooring.cli.served import ABOUT
from mooring.cli.standing import Standing
from mooring.cli.where import short
from mooring.errors import MooringError
from mooring.system.notify import notify
from mooring.system.rendezvous import root_of, socket_path

if TYPE_CHECKING:
    from socket import socket

    from mooring.system.door import Keys, Places

__all__ = ["more_files", "serve", "tell", "where_token"]

GATEWAY = "/gateway"


def serve(
    here: Here, *, address: str, port: int, names: tuple[str, ...], allow_exec: bool, as_json: bool
) -> int:
    from mooring.system.door import Keys, Places, Role
    from mooring.system.door.token import own_token
    from mooring.web.local import meet
    from mooring.web.server import listen

    configured(here)
    more_files()
    keys = Keys(Role if allow_exec else [role for role in Role if role is not Role.EXEC])
    keys.add_token(own_token(here.dirs.data, here.env))
    has_password = _add_password(here, keys)
    path = socket_path(str(here.cwd), here.env)
    with meet(path) if path else nullcontext() as local, listen(address, port) as listener:
        bound: int = listener.getsockname()[1]
        places = Places.of(address, bound, names)
        url = places.url
        # Cookies know no ports: without this two of us would take each other's away.
        keys.cookie = f"mooring-{bound}"
        told = {"url": url, "password": has_password, "token": where_token(here), "socket": path}

        def link() -> str:
            return f"{url}/link/{keys.link()}"

        def began() -> None:
            # The five minutes of the link begin when it can be followed.
            told["link"] = link()
            if as_json:
                emit(told)
            else:
                out(f"mooring is listening on {url}")
                say(f"  {mark('page', 'cyan')}  {told['link']}")
                say(f"  {mark('token', 'cyan')} {short(here, str(told['token']))}")
            sys.stdout.flush()
            notify(here.env, "READY=1")

        door = _Door(keys, places, listener, local)
        standing = Standing(_about(here, url), link)
        with here_and_there():
            heard = asyncio.run(_listening(here, door, standing, began))
        return INTERRUPTED if heard == signal.SIGINT else 0


@dataclass(frozen=True, slots=True)
class _Door:
    """Who may come in, and where."""

    keys: Keys
    places: Places
    listener: socket
    local: socket | None


async def _listening(here: Here, door: _Door, standing: Standing, began: Callable[[], None]) -> int | None:
    from mooring.cli.browser import open_browser
    from mooring.cli.reception import Reception
    from mooring.gateway.hub import open_hub
    from mooring.gateway.served import at
    from mooring.host import open_host
    from mooring.host.surroundings import Surroundings
    from mooring.web.app import serving
    from mooring.web.local import Local
    from mooring.web.parts import Site
    from mooring.web.server import Turns, run

    async def browse(url: str) -> bool:
        return await open_browser(url, here.env)

    site = Site(Surroundings(here.cwd, here.env, here.dirs), browse)
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(open_host(cwd=here.cwd, env=here.env, watch=True))
        gateway = at(stack.enter_context(open_hub(host)), GATEWAY)
        served = await stack.enter_async_context(
            serving(host, door.keys, door.places, tell, site, others={GATEWAY: gateway})
        )

        def ending() -> None:
            notify(here.env, "STOPPING=1")
            standing.ending()
            gateway.close()
            served.close()

        reception = Reception(here, host)
        others = {ABOUT: standing.protocol, ATTACH: reception.protocol}
        local = Local(door.local, served.local, others, reception.close) if door.local else None
        with host.bus.hear(standing.hear):
            heard = await run(served.app, door.listener, Turns(began, ending), local)
        standing.ended()
        return heard


def _about(here: Here, url: str) -> dict[str, Any]:
    """What other commands are told of this one."""
    log = log_of(here)
    return {
        "running": True,
        "process": os.getpid(),
        "url": url,
        "project": root_of(str(here.cwd)),
        "version": __version__,
        "since": time.time(),
        "log": None if log is None else str(log),
    }


def where_token(here: Here) -> str:
    return "MOORING_TOKEN" if here.env.get("MOORING_TOKEN") else str(here.dirs.data / "token")


def _add_password(here: Here, keys: Keys) -> bool:
    """Whether OpenCode's own clients can log in as they do there."""
    password = here.env.get("MOORING_SERVER_PASSWORD") or here.env.get("OPENCODE_SERVER_PASSWORD")
    if password:
        keys.add_password(here.env.get("OPENCODE_SERVER_USERNAME") or "opencode", password)
    return bool(password)


def more_files() -> None:
    """A listener is an open file, and the usual limit is meant for programs that have a handful."""
    if os.name != "posix":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 16_384 if hard == resource.RLIM_INFINITY else min(hard, 16_384)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def tell(error: Exception) -> None:
    """The kind of it and no value: values may be secrets."""
    from mooring.cli.render import complain

    complain(
        MooringError(f"This is a mistake in Mooring itself: {type(error).__name__}", hint="Report this line")
    )
