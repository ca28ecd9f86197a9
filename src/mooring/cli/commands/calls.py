"""`mooring calls`: which tools were called, by whom, and how it went."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from mooring.cli.here import Here
from mooring.cli.render import counted, emit, mark, out, say, table
from mooring.core.redact import visible
from mooring.store import Asked, Store

if TYPE_CHECKING:
    from mooring.core.audit import Kept

__all__ = ["run"]

COLOURS = {"done": "green", "tool_error": "yellow", "failed": "red", "refused": "red", "cancelled": "yellow"}


def run(here: Here, name: str | None, *, failed: bool, limit: int, as_json: bool) -> int:
    found, missing = asyncio.run(_look(here, name, Asked(limit=limit, failed=failed)))
    if as_json:
        from mooring.core.kept import call

        emit([call(kept) for kept in found])
    elif found:
        out(table([_row(kept) for kept in found]))
    else:
        say(f"No call of `{visible(name)}` is known" if name else "No call was made yet")
    if missing:
        say(f"{mark('note', 'yellow')} {counted(missing, 'call')} could not be kept")
    return 0


async def _look(here: Here, name: str | None, asked: Asked) -> tuple[Sequence[Kept], int]:
    with closing(Store(here.dirs.data / "mooring.db")) as store:
        found = await store.calls(asked if name is None else _narrowed(asked, server=name))
        if name and not found:
            found = await store.calls(_narrowed(asked, tool=name))
        return found, await store.missing()


def _narrowed(asked: Asked, *, server: str | None = None, tool: str | None = None) -> Asked:
    return Asked(limit=asked.limit, server=server, tool=tool, failed=asked.failed)


def _row(kept: Kept) -> tuple[str, ...]:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(kept.at))
    outcome = kept.outcome.replace("_", " ")
    return (
        when,
        mark(outcome, COLOURS.get(kept.outcome, "white"), bold=False),
        f"{kept.seconds * 1000:.0f} ms",
        visible(kept.tool),
        visible(f"{kept.caller} ({kept.face})" if kept.caller != kept.face else kept.caller),
        kept.code or kept.arguments,
    )
