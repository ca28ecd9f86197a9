"""What all clients of one gateway share."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mooring.core.questions import Caller, Face
from mooring.gateway.dialogue import Dialogues
from mooring.gateway.relay import Relay
from mooring.gateway.results import Results
from mooring.gateway.seals import Seals
from mooring.gateway.views import Views
from mooring.host import Host

if TYPE_CHECKING:
    from mooring.meaning.meanings import Meanings

__all__ = ["ANYBODY", "Hub", "open_hub"]

# What servers of the old era are told when they are connected, before anybody is there to be asked.
ANYBODY = Caller(
    "gateway", Face.GATEWAY, capabilities={"elicitation": {"form": {}, "url": {}}, "sampling": {}}
)


class Hub:
    """Made by `open_hub`; it belongs to the host's loop. What would last for ever ends with `ending`."""

    def __init__(self, host: Host, meanings: Meanings | None = None) -> None:
        self.host = host
        self.views = Views(host, meanings)
        self.relay = Relay(host)
        self.results = Results()
        self.dialogues = Dialogues()
        self.seals = Seals()
        self.ending = asyncio.Event()


@contextmanager
def open_hub(host: Host, meanings: Meanings | None = None) -> Generator[Hub]:
    hub = Hub(host, meanings)
    try:
        with hub.relay.running():
            yield hub
    finally:
        hub.dialogues.close()
        hub.views.close()
