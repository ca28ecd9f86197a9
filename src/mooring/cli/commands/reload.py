"""`mooring reload`: servers met anew, without what is remembered of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mooring.cli.commands.list import verdict
from mooring.cli.connected import connected
from mooring.cli.here import Here
from mooring.cli.named import named
from mooring.cli.render import emit, out

if TYPE_CHECKING:
    from mooring.core.renewal import Renewal
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, names: tuple[str, ...], *, as_json: bool) -> int:
    config, entries = named(here, names, anew=True)
    wanted = [entry.name for entry in entries]

    async def meet(host: Host) -> int:
        found = await _met(host, wanted)
        if as_json:
            from mooring.core.renewal_view import renewal

            emit([renewal(each) for each in found])
        else:
            from mooring.cli.difference import difference

            for each in found:
                out(difference(each))
        return verdict([each.view for each in found])

    if not entries:
        if as_json:
            emit([])
        return 0
    # they sleep until they are met, so that what is remembered of them is known
    return connected(here, config, meet, only=())


async def _met(host: Host, names: list[str]) -> list[Renewal]:
    """All at once; on a terminal one sees them come."""
    import asyncio

    from mooring.cli.connected import watched

    meeting = [asyncio.ensure_future(host.renew(name)) for name in names]
    try:
        await watched(host, names, asyncio.wait(meeting))
        return [each.result() for each in meeting]
    finally:
        for each in meeting:
            each.cancel()
