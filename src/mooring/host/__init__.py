"""Every configured server, connected once and kept: the one stateful thing."""

from __future__ import annotations

from mooring.host.bus import Bus, Missed
from mooring.host.host import Host
from mooring.host.open import open_host

__all__ = ["Bus", "Host", "Missed", "open_host"]
