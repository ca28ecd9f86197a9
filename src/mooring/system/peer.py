"""The other end of a Unix socket: reached, and known as the system knows it."""

from __future__ import annotations

import struct
import sys

TYPE_CHECKING = False  # as in `mooring/__init__.py`: every attached command waits for this import
if TYPE_CHECKING:
    import socket

__all__ = ["connect", "process_of", "user_of"]

# of macOS and the BSDs, which Python has no names for
_SOL_LOCAL, _LOCAL_PEERCRED, _LOCAL_PEERPID = 0, 1, 2


def connect(end: socket.socket, path: str, within: float) -> None:
    """Also where many do at once: with a timeout of Python's own it would be refused then."""
    import socket  # noqa: PLC0415

    whole = int(within)
    waits = struct.pack("@ll", whole, int((within - whole) * 1e6))
    end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, waits)
    end.connect(path)
    end.settimeout(within)


def user_of(end: socket.socket) -> int | None:
    """Whose process it is; None where nobody can tell."""
    try:
        if sys.platform == "linux":
            return _linux(end)[1]
        # version, user, and groups that do not matter here
        return struct.unpack_from("II", end.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 76))[1]
    except (OSError, struct.error):
        return None


def process_of(end: socket.socket) -> int | None:
    """The process that listens there, or that connected."""
    try:
        if sys.platform == "linux":
            return _linux(end)[0]
        if sys.platform == "darwin":
            return end.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID)
    except OSError:
        pass
    return None


def _linux(end: socket.socket) -> tuple[int, int, int]:
    import socket  # noqa: PLC0415

    return struct.unpack("3i", end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
