"""`mooring serve`: every server of this project over HTTP, for as long as it runs."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING

from mooring.cli.connected import configured
from mooring.cli.here import Here
from mooring.cli.render import emit, mark, out, say
from mooring.cli.run import INTERRUPTED
from mooring.cli.where import short
from mooring.errors import MooringError

if TYPE_CHECKING:
    from mooring.system.door import Keys

__all__ = ["run"]


def run(here: Here, *, address: str, port: int, names: tuple[str, ...], as_json: bool) -> int:
    from mooring.system.door import Keys
    from mooring.system.door.token import own_token
    from mooring.web.server import listen

    configured(here)
    _more_files()
    keys = Keys()
    keys.add_token(own_token(here.dirs.data, here.env))
    has_password = _add_password(here, keys)
    with listen(address, port) as listener:
        bound: int = listener.getsockname()[1]
        host = f"[{address}]" if ":" in address else address
        url = f"http://{host}:{bound}"
        # Cookies know no ports: without this two of us would take each other's away.
        keys.cookie = f"mooring-{bound}"
        told = {"url": url, "password": has_password, "token": _where_token(here)}

        def began() -> None:
            # The five minutes of the link begin when it can be followed.
            told["link"] = f"{url}/link/{keys.link()}"
            if as_json:
                emit(told)
            else:
                out(f"mooring is listening on {url}")
                say(f"  {mark('page', 'cyan')}  {told['link']}")
                say(f"  {mark('token', 'cyan')} {short(here, str(told['token']))}")
            sys.stdout.flush()

        async def whole() -> int | None:
            from mooring.host import open_host
            from mooring.system.door import Places
            from mooring.web.app import serving
            from mooring.web.server import run as listening

            async with (
                open_host(cwd=here.cwd, env=here.env, watch=True) as host,
                serving(host, keys, Places.of(address, bound, names), _tell) as served,
            ):
                return await listening(served.app, listener, began, served.close)

        return INTERRUPTED if asyncio.run(whole()) == signal.SIGINT else 0


def _where_token(here: Here) -> str:
    return "MOORING_TOKEN" if here.env.get("MOORING_TOKEN") else str(here.dirs.data / "token")


def _add_password(here: Here, keys: Keys) -> bool:
    """Whether OpenCode's own clients can log in as they do there."""
    password = here.env.get("MOORING_SERVER_PASSWORD") or here.env.get("OPENCODE_SERVER_PASSWORD")
    if password:
        keys.add_password(here.env.get("OPENCODE_SERVER_USERNAME") or "opencode", password)
    return bool(password)


def _more_files() -> None:
    """A listener is an open file, and the usual limit is meant for programs that have a handful."""
    if os.name != "posix":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 16_384 if hard == resource.RLIM_INFINITY else min(hard, 16_384)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _tell(error: Exception) -> None:
    """The kind of it and no value: values may be secrets."""
    from mooring.cli.render import complain

    complain(
        MooringError(f"This is a mistake in Mooring itself: {type(error).__name__}", hint="Report this line")
    )
