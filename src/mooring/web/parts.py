"""What every route has to do with."""

from __future__ import annotations

import asyncio

from mooring.core.frozen import frozen
from mooring.host import Host
from mooring.host.desk import Desk
from mooring.host.surroundings import Surroundings
from mooring.web.audience import Audience
from mooring.web.history import History
from mooring.web.logins import Browse, Logins
from mooring.web.metrics import Metrics

__all__ = ["Parts", "Site"]


async def _nowhere(_url: str) -> bool:
    return False


@frozen
class Site:
    """Where it is served, and how a browser is opened there: whether that could be done is the answer."""

    place: Surroundings
    browse: Browse = _nowhere


@frozen
class Parts:
    """One of each, for as long as it is served; `ending` is set when streams have to end."""

    host: Host
    place: Surroundings
    desk: Desk
    audience: Audience
    history: History
    metrics: Metrics
    logins: Logins
    ending: asyncio.Event
    browse: Browse
