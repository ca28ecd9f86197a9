"""What is known of a server before anybody tries to reach it."""

from __future__ import annotations

from mooring.core.spec import BadServer, Entry, LocalSpec, RemoteSpec
from mooring.core.status import Disabled, Failed, Status

__all__ = ["at_rest", "transport_of"]


def at_rest(entry: Entry) -> Status:
    """What a server is that nobody tries to start."""
    return Failed(entry.errors[0]) if isinstance(entry, BadServer) else Disabled()


def transport_of(entry: Entry) -> str:
    """As far as it is known before anything is connected."""
    match entry:
        case LocalSpec():
            return "stdio"
        case RemoteSpec(transport=transport):
            return "sse" if transport == "sse" else "http"
        case BadServer():
            return ""
