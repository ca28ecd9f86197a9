"""What every route has to do with."""

from __future__ import annotations

from mooring.core.frozen import frozen
from mooring.host import Host
from mooring.host.desk import Desk
from mooring.web.audience import Audience

__all__ = ["Parts"]


@frozen
class Parts:
    """One of each, for as long as it is served."""

    host: Host
    desk: Desk
    audience: Audience
