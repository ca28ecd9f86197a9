"""A yes for good: who may call which tool, exactly as it was when they were allowed to."""

from __future__ import annotations

from mooring.core.frozen import frozen
from mooring.core.items import Tool
from mooring.core.pins import fingerprint, mark_of
from mooring.core.spec import LocalSpec, RemoteSpec

__all__ = ["Grant"]


@frozen
class Grant:
    """Another command or address is another server, and a tool that has changed is another tool."""

    agent: str
    server: str
    mark: str
    tool: str
    fingerprint: str

    @staticmethod
    def of(agent: str, spec: LocalSpec | RemoteSpec, tool: Tool) -> Grant:
        return Grant(agent, spec.name, mark_of(spec), tool.name, fingerprint(tool.raw))
