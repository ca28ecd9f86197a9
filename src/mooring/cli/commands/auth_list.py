"""`mooring auth list`: where we are logged in, and where we could be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mooring.cli.accounts import account_table, tell_lost
from mooring.cli.connected import configured, connected
from mooring.cli.here import Here
from mooring.cli.render import emit, out, say
from mooring.core.views import account as account_view

if TYPE_CHECKING:
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, *, as_json: bool) -> int:
    """No server is asked: this is what is configured, and what is kept."""

    async def work(host: Host) -> int:
        accounts = host.accounts()
        tell_lost(host)
        if as_json:
            emit([account_view(account) for account in accounts])
        elif accounts:
            out(account_table(accounts))
        else:
            say("No server here takes a login")
        return 0

    return connected(here, configured(here), work, ())
