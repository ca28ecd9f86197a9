"""What every route has to do with."""

from __future__ import annotations

import asyncio

from mooring.core.frozen import frozen
from mooring.host import Host
from mooring.host.desk import Desk
from mooring.host.surroundings import Surroundings
from mooring.web.audience import Audience
from mooring.web.history import History
from mooring.web.logins import Logins

__all__ = ["Parts"]


@frozen
class Parts:
    """One of each, for as long as it is served; `ending` is set when streams have to end."""

    host: Host
    place: Surroundings
    desk: Desk
    audience: Audience
    history: History
    logins: Logins
    ending: asyncio.Event
