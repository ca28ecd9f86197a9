"""What a running `serve` says of itself over its socket: how it stands, and how its calls ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from mooring.core.events import CallEnded, CallStarted, Event

__all__ = ["Standing"]


class Standing:
    """Hears of calls; whoever asks gets a link to the page, stays connected, and is told how it ended."""

    def __init__(self, about: Mapping[str, Any], link: Callable[[], str]) -> None:
        self._about = about
        self._link = link
        self._asking: set[asyncio.Transport] = set()
        self._running: set[str] = set()
        self._cut = 0
        self._at_the_end: frozenset[str] | None = None

    def hear(self, event: Event) -> None:
        match event:
            case CallStarted(call=call):
                self._running.add(call)
            case CallEnded(call=call, outcome=outcome):
                self._running.discard(call)
                if self._at_the_end and call in self._at_the_end:
                    self._cut += outcome == "cancelled"
            case _:
                pass

    def protocol(self) -> asyncio.Protocol:
        return _Asked(self._said(), self._asking)

    def ending(self) -> None:
        """No new call is taken; those that run are waited for."""
        if self._at_the_end is None:
            self._at_the_end = frozenset(self._running)

    def ended(self) -> None:
        """Whoever asked learns what became of the calls that ran when the end began."""
        awaited = self._at_the_end or frozenset()
        cut = self._cut + len(awaited & self._running)
        for transport in self._asking:
            transport.write(_line({"finished": len(awaited) - cut, "cut": cut}))

    def _said(self) -> bytes:
        return _line({**self._about, "link": self._link(), "calls": len(self._running)})


class _Asked(asyncio.Protocol):
    def __init__(self, said: bytes, asking: set[asyncio.Transport]) -> None:
        self._said = said
        self._asking = asking

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._asking.add(self._transport)
        self._transport.write(self._said)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's own signature
        self._asking.discard(self._transport)


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"
