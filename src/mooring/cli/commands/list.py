"""`mooring list`: every server as it stands now."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mooring.cli.connected import broken, configured, connected, settle
from mooring.cli.here import Here
from mooring.cli.listing import listing, plain_listing, summary
from mooring.cli.render import emit, out, say
from mooring.cli.run import worst

if TYPE_CHECKING:
    from mooring.core.server_view import ServerView
    from mooring.host import Host

__all__ = ["run", "verdict"]


def run(here: Here, name: str | None, *, check: bool, as_json: bool) -> int:
    config = configured(here)
    only = None if name is None else {name}

    async def look(host: Host) -> int:
        if name is not None:
            host.server(name)
        await settle(host, only)
        views = [view for view in host.servers() if only is None or view.name in only]
        _show(views, as_json=as_json)
        if check and broken(config):
            return 2
        return verdict(views) if check or name is not None else 0

    if not config.servers and name is None:
        _show([], as_json=as_json)
        return 2 if check and broken(config) else 0
    return connected(here, config, look, only)


def verdict(views: Iterable[ServerView]) -> int:
    """The exit code of the worst of them: a bad entry, an approval, a login, a failure."""
    from mooring.core.status import Failed, NeedsApproval, NeedsAuth, NeedsClientRegistration
    from mooring.errors import ConfigError

    found: list[int] = []
    for view in views:
        match view.status:
            case Failed(error=ConfigError()):
                found.append(2)
            case NeedsApproval():
                found.append(4)
            case NeedsAuth() | NeedsClientRegistration():
                found.append(3)
            case Failed():
                found.append(1)
            case _:
                pass
    return worst(found)


def _show(views: list[ServerView], *, as_json: bool) -> None:
    if as_json:
        from mooring.core.views import servers

        emit(servers(views))
    elif views and sys.stdout.isatty():
        out(listing(views))
        say(summary(views))
    elif views:
        out(plain_listing(views))
