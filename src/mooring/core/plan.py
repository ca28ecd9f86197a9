"""From an old configuration to a new one: which servers start, stop and restart."""

from __future__ import annotations

from dataclasses import replace

from mooring.core.frozen import frozen
from mooring.core.spec import BadServer, Config, Entry, Timeouts, ToolFilter

__all__ = ["Plan", "plan"]


@frozen
class Plan:
    """Names, each in one list only; `keep` may carry settings that need no new connection."""

    start: tuple[str, ...] = ()
    stop: tuple[str, ...] = ()
    restart: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()


def plan(old: Config, new: Config) -> Plan:
    """What has to happen, and nothing that does not."""
    before = {name for name, entry in old.servers.items() if _runs(entry)}
    after = {name for name, entry in new.servers.items() if _runs(entry)}
    both = [name for name in new.servers if name in before and name in after]
    return Plan(
        start=tuple(name for name in new.servers if name in after and name not in before),
        stop=tuple(name for name in old.servers if name in before and name not in after),
        restart=tuple(name for name in both if _launch(old.servers[name]) != _launch(new.servers[name])),
        keep=tuple(name for name in both if _launch(old.servers[name]) == _launch(new.servers[name])),
    )


def _runs(entry: Entry) -> bool:
    return not isinstance(entry, BadServer) and entry.enabled


def _launch(entry: Entry) -> Entry:
    """The part of an entry that a live connection depends on."""
    if isinstance(entry, BadServer):
        return entry
    return replace(entry, required=False, lazy=False, trusted=False, timeouts=Timeouts(), tools=ToolFilter())
