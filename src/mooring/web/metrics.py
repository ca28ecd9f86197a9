"""What is counted while it is served: calls, how they ended and how long they took."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from mooring.core.events import CallEnded, CallStarted, Event
from mooring.core.redact import clean
from mooring.core.server_view import ServerView
from mooring.host import Host

__all__ = ["BOUNDS", "Metrics"]

# Upper bounds of seconds; what took longer is in the last.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class _Durations:
    def __init__(self) -> None:
        self.buckets = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.buckets[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Metrics:
    """Of servers that were removed it is kept too: a counter never goes back."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._began = time.time()
        self._calls: Counter[tuple[str, str]] = Counter()
        self._durations: dict[str, _Durations] = {}
        self._open: set[str] = set()

    @contextmanager
    def kept(self) -> Generator[Metrics]:
        """For as long as the host's events are heard."""
        with self._host.bus.hear(self._happened):
            yield self

    def view(self) -> dict[str, Any]:
        """As JSON; `buckets` count what took at most so many seconds, each those below it too."""
        return {
            "since": self._began,
            "callsUnderWay": len(self._open),
            "servers": dict(Counter(view.word for view in self._host.servers())),
            "calls": [self._server(server) for server in sorted(self._durations)],
        }

    def _server(self, server: str) -> dict[str, Any]:
        durations = self._durations[server]
        below, buckets = 0, dict[str, int]()
        for bound, count in zip((*map(_number, BOUNDS), "+Inf"), durations.buckets, strict=True):
            below += count
            buckets[bound] = below
        return {
            "server": clean(server),
            "outcomes": {
                word: count for (name, word), count in sorted(self._calls.items()) if name == server
            },
            "seconds": round(durations.total, 6),
            "buckets": buckets,
        }

    def text(self) -> str:
        """The same as Prometheus reads it."""
        return "".join(f"{line}\n" for line in _lines(self.view(), self._host.servers()))

    def _happened(self, event: Event) -> None:
        match event:
            case CallStarted(call=call):
                self._open.add(call)
            case CallEnded(call=call, server=server, outcome=outcome, seconds=seconds):
                self._open.discard(call)
                self._calls[server, outcome] += 1
                self._durations.setdefault(server, _Durations()).add(seconds)
            case _:
                pass


def _lines(view: dict[str, Any], servers: tuple[ServerView, ...]) -> Generator[str]:
    yield "# HELP mooring_server_up Whether a server is connected."
    yield "# TYPE mooring_server_up gauge"
    for server in servers:
        yield f'mooring_server_up{{server="{_label(server.name)}"}} {int(server.word == "connected")}'
    yield "# HELP mooring_servers Servers by state."
    yield "# TYPE mooring_servers gauge"
    for word, count in view["servers"].items():
        yield f'mooring_servers{{state="{word}"}} {count}'
    yield "# HELP mooring_calls_under_way Calls that have not ended yet."
    yield "# TYPE mooring_calls_under_way gauge"
    yield f"mooring_calls_under_way {view['callsUnderWay']}"
    yield "# HELP mooring_calls_total Calls by server and how they ended."
    yield "# TYPE mooring_calls_total counter"
    for each in view["calls"]:
        for outcome, count in each["outcomes"].items():
            yield f'mooring_calls_total{{server="{_label(each["server"])}",outcome="{outcome}"}} {count}'
    yield "# HELP mooring_call_seconds How long calls took."
    yield "# TYPE mooring_call_seconds histogram"
    for each in view["calls"]:
        label = f'server="{_label(each["server"])}"'
        for bound, count in each["buckets"].items():
            yield f'mooring_call_seconds_bucket{{{label},le="{bound}"}} {count}'
        yield f"mooring_call_seconds_sum{{{label}}} {each['seconds']}"
        yield f"mooring_call_seconds_count{{{label}}} {each['buckets']['+Inf']}"


def _label(text: str) -> str:
    return clean(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(bound: float) -> str:
    return f"{bound:g}"
