"""`mooring gateway`: every server of this project as one MCP server, for the client that starts it."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING, Any

from mooring.cli.connected import configured
from mooring.cli.here import Here
from mooring.cli.run import INTERRUPTED

if TYPE_CHECKING:
    from mooring.gateway.view import Scope
    from mooring.meaning.meanings import Meanings

__all__ = ["run"]


def run(here: Here, *, http: int | None, address: str, **how: Any) -> int:
    from mooring.core.exposure import Exposure
    from mooring.gateway.stdio import channel
    from mooring.gateway.view import Scope

    exposure = Exposure(how["expose"], how["budget"], how["favourites"])
    scope = Scope(
        plain=how["names"] == "plain",
        agent=how["agent"],
        exposure=exposure,
        longest_result=how["longest_result"],
    )
    meanings = _meanings(here) if how["ranking"] == "meaning" else None
    if http is not None:
        from mooring.cli.gated import gated

        configured(here)
        return gated(here, scope, http, address, how["hosts"], meanings)
    # From here on stdout belongs to the client alone.
    inward, outward = channel()
    configured(here)
    return INTERRUPTED if asyncio.run(_serve(here, scope, meanings, (inward, outward))) else 0


def _meanings(here: Here) -> Meanings:
    from mooring.meaning.meanings import open_meanings

    return open_meanings(here.dirs.cache)


async def _serve(here: Here, scope: Scope, meanings: Meanings | None, lines: tuple[int, int]) -> bool:
    """Whether it was a signal that ended it, and not the client."""
    from mooring.gateway.client import Client
    from mooring.gateway.hub import ANYBODY, open_hub
    from mooring.gateway.stdio import stdio
    from mooring.gateway.talk import Talk
    from mooring.host import open_host

    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stopped.set)
    async with open_host(cwd=here.cwd, env=here.env, watch=True, owner=ANYBODY) as host:
        with open_hub(host, meanings) as hub:
            serving = asyncio.create_task(
                stdio(lambda say: Talk(Client(hub, scope, say, hears_all=True)), *lines)
            )
            stopping = asyncio.create_task(stopped.wait())
            await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
            was_stopped = not serving.done()
            stopping.cancel()
            if was_stopped:
                serving.cancel()
                await asyncio.wait([serving])
            else:
                serving.result()
    return was_stopped
