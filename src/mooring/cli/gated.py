"""The gateway behind a port, from the first word to the last."""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import TYPE_CHECKING

from mooring.cli.here import Here
from mooring.cli.render import mark, out, say
from mooring.cli.run import INTERRUPTED
from mooring.cli.serving import more_files, tell, where_token
from mooring.cli.where import short

if TYPE_CHECKING:
    from socket import socket

    from mooring.gateway.view import Scope
    from mooring.meaning.meanings import Meanings
    from mooring.system.door import Keys

__all__ = ["gated"]

PATH = "/mcp"
AT_ONCE = 4096


def gated(
    here: Here, scope: Scope, port: int, address: str, names: tuple[str, ...], meanings: Meanings | None
) -> int:
    from mooring.system.door import Keys, Role
    from mooring.system.door.token import own_token
    from mooring.web.server import listen

    more_files()
    keys = Keys([Role.READ, Role.CALL, Role.ADMIN])
    keys.add_token(own_token(here.dirs.data, here.env))
    with listen(address, port) as listener:
        heard = asyncio.run(_listening(here, scope, keys, listener, names, meanings))
    return INTERRUPTED if heard == signal.SIGINT else 0


async def _listening(
    here: Here,
    scope: Scope,
    keys: Keys,
    listener: socket,
    names: tuple[str, ...],
    meanings: Meanings | None,
) -> int | None:
    from mooring.gateway.hub import ANYBODY, open_hub
    from mooring.gateway.served import at
    from mooring.host import open_host
    from mooring.system.door import Door, Places, Role, Rules
    from mooring.web.server import Turns, run

    address, port, *_ = listener.getsockname()
    places = Places.of(address, port, names)

    def began() -> None:
        out(f"mooring gateway is listening on {places.url}{PATH}")
        say(f"  {mark('token', 'cyan')} {short(here, where_token(here))}")
        sys.stdout.flush()

    async with open_host(cwd=here.cwd, env=here.env, watch=True, owner=ANYBODY) as host:
        with open_hub(host, meanings) as hub:
            face = at(hub, PATH, scope)
            rules = Rules(lambda _: Role.READ, wrong=tell, at_once=lambda _: AT_ONCE)
            door = Door(face, keys, places, rules)
            return await run(door, listener, Turns(began, face.close))
