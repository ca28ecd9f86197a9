"""How a service tells systemd that it is ready, or about to end."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import suppress

__all__ = ["notify"]


def notify(env: Mapping[str, str], state: str) -> None:
    """`READY=1` and the like, for whoever waits; nobody does where `NOTIFY_SOCKET` is not set."""
    path = env.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")) or not hasattr(socket, "AF_UNIX"):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.connect(f"\0{path[1:]}" if path.startswith("@") else path)
        end.sendall(state.encode())
