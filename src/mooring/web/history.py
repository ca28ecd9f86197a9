"""What each server was since this began, as far as it may be of interest."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager

from mooring.core.events import ConfigReloaded, Event, StatusChanged
from mooring.core.past import Moment
from mooring.host import Host

__all__ = ["History"]

LAST = 50


class History:
    """Its last states, and when each of them began."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._past: dict[str, deque[Moment]] = {}

    @contextmanager
    def kept(self) -> Generator[History]:
        """For as long as the host's events are heard."""
        with self._host.bus.hear(self._happened):
            yield self

    def of(self, server: str) -> tuple[Moment, ...]:
        return tuple(self._past.get(server, ()))

    def _happened(self, event: Event) -> None:
        match event:
            case StatusChanged(server=server, after=after):
                self._past.setdefault(server, deque(maxlen=LAST)).append(Moment(time.time(), after))
            case ConfigReloaded():
                for gone in self._past.keys() - self._host.config.servers.keys():
                    del self._past[gone]
            case _:
                pass
