"""`mooring pins approve`: what differs is shown, and accepted."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from mooring.cli import ask
from mooring.cli.connected import configured, connected, tell_missing
from mooring.cli.here import Here
from mooring.cli.pinned import differs, look, show, view, wanted
from mooring.cli.render import emit, say
from mooring.core.redact import visible
from mooring.errors import NeedsApprovalError

if TYPE_CHECKING:
    from mooring.core.pins import PinChanges
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, name: str | None, *, every: bool, yes: bool, as_json: bool) -> int:
    server = wanted(name, every=every, hint="mooring pins approve NAME, or --all")
    config = configured(here)
    only = None if server is None else {server}

    async def approve(host: Host) -> int:
        found = await look(host, server)
        if as_json:
            emit([view(each, changes) for each, changes in found.items()])
        decided = [
            await _decide(host, each, changes, yes=yes, as_json=as_json) for each, changes in found.items()
        ]
        tell_missing(host, only)
        return 0 if all(decided) else 4

    return connected(here, config, approve, only)


async def _decide(host: Host, server: str, changes: PinChanges, *, yes: bool, as_json: bool) -> bool:
    if not as_json:
        show(server, changes)
    if not differs(changes):
        return True
    if not yes:
        if not ask.can_ask():
            hint = f"mooring pins approve {shlex.quote(server)} --yes"
            raise NeedsApprovalError(f"Not approved, and nobody to ask: `{visible(server)}`", hint=hint)
        if not ask.confirm("Approve exactly this?"):
            return False
    await host.approve(server, changes)
    say(f"Approved the tools of `{visible(server)}`; any change is said again")
    return True
