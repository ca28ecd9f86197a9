"""`mooring pins`: which tools are pinned to what they were."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import closing

from mooring.cli.here import Here
from mooring.cli.render import counted, emit, out, say, table
from mooring.core.kept import pinned
from mooring.core.pins import Pinned
from mooring.core.redact import visible
from mooring.store import Store

__all__ = ["run"]


def run(here: Here, *, as_json: bool) -> int:
    found = asyncio.run(_look(here))
    if as_json:
        emit([pinned(each) for each in found])
    elif found:
        out(table([_row(each) for each in found]))
    else:
        say("Nothing is pinned yet: that happens when a server is first seen")
    return 0


async def _look(here: Here) -> Sequence[Pinned]:
    with closing(Store(here.dirs.data / "mooring.db")) as store:
        return await store.pinned()


def _row(each: Pinned) -> tuple[str, ...]:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.at))
    tools = ", ".join(map(visible, each.tools))
    allowed = "".join(f"; {visible(agent)} may always {visible(tool)}" for agent, tool in each.allowed)
    return visible(each.server), when, counted(len(each.tools), "tool"), tools + allowed
