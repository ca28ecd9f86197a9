"""`mooring pins reset`: what a server offers next is approved by that."""

from __future__ import annotations

import asyncio
from contextlib import closing

from mooring.cli.here import Here
from mooring.cli.pinned import wanted
from mooring.cli.render import counted, emit, say
from mooring.core.redact import clean, visible
from mooring.store import Store

__all__ = ["run"]


def run(here: Here, name: str | None, *, every: bool, as_json: bool) -> int:
    server = wanted(name, every=every, hint="mooring pins reset NAME, or --all")
    count = asyncio.run(_forget(here, server))
    if as_json:
        emit({"server": clean(server) if server else None, "reset": count})
    elif server is not None and not count:
        say(f"Nothing was pinned for `{visible(server)}`")
    else:
        say(
            f"Forgot the pins of {counted(count, 'server')}"
            if server is None
            else f"Forgot the pins of `{visible(server)}`"
        )
    return 0 if count or server is None else 1


async def _forget(here: Here, server: str | None) -> int:
    with closing(Store(here.dirs.data / "mooring.db")) as store:
        return await store.unpin(server)
