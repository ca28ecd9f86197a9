"""`mooring pins diff`: what differs from what was approved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mooring.cli.connected import configured, connected, tell_missing
from mooring.cli.here import Here
from mooring.cli.pinned import differs, look, show, view
from mooring.cli.render import emit, mark, say

if TYPE_CHECKING:
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, name: str | None, *, as_json: bool) -> int:
    config = configured(here)
    only = None if name is None else {name}

    async def compare(host: Host) -> int:
        found = await look(host, name)
        odd = [server for server, changes in found.items() if differs(changes)]
        if as_json:
            emit([view(server, changes) for server, changes in found.items()])
        else:
            for server, changes in found.items():
                show(server, changes)
            if odd:
                say(f"  {mark('hint', 'cyan')} mooring pins approve NAME")
        tell_missing(host, only)
        return 4 if name is not None and odd else 0

    return connected(here, config, compare, only)
