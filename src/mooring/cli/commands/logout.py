"""`mooring logout`: a login taken back and forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mooring.cli.accounts import chosen, tell_lost
from mooring.cli.connected import configured, connected
from mooring.cli.here import Here
from mooring.cli.render import emit, mark, say
from mooring.core.account import Standing
from mooring.core.redact import clean, visible
from mooring.errors import UsageError

if TYPE_CHECKING:
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, *, name: str | None, every: bool, as_json: bool) -> int:
    if every and name is not None:
        raise UsageError("`--all` and a name exclude each other", hint="Keep one of them")

    async def work(host: Host) -> int:
        if every:
            kept = [each.server for each in host.accounts() if each.standing is not Standing.OUT]
            views = [await _log_out(host, server) for server in dict.fromkeys(kept)]
            if not views:
                say("Nobody is logged in anywhere")
        else:
            views = [await _log_out(host, name or chosen(host, "Log out of", is_in=True))]
        tell_lost(host)
        if as_json:
            emit(views if every else views[0])
        return 0

    return connected(here, configured(here), work, ())


async def _log_out(host: Host, server: str) -> dict[str, Any]:
    farewell = await host.logout(server)
    shown = mark(visible(server), "magenta")
    if farewell.had:
        end = ", and the server has taken the login back" if farewell.revoked else ""
        say(f"{mark('✓', 'green')} Logged out of {shown}{end}")
    else:
        say(f"{shown} was not logged in")
    if farewell.note:
        say(f"  {mark('note', 'yellow')} {clean(farewell.note)}")
    return {
        "name": clean(server),
        "loggedOut": farewell.had,
        "revoked": farewell.revoked,
        "note": clean(farewell.note) or None,
    }
