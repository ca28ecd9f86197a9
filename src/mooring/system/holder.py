"""Which program listens on a port of this machine, as far as the system tells."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from mooring.core.redact import visible

__all__ = ["holder"]

LISTENS = "0A"


def holder(port: int) -> str:
    """Its name and process id; empty where nobody is known, or nobody whom we may look at."""
    if sys.platform != "linux":
        return ""
    sockets = {f"socket:[{inode}]" for inode in _listening(port)}
    for folder in Path("/proc").glob("[0-9]*") if sockets else ():
        # It may be another user's, or end at this very moment.
        with suppress(OSError):
            if any(str(link.readlink()) in sockets for link in (folder / "fd").iterdir()):
                name = (folder / "comm").read_text().strip()
                return f"`{visible(name)}` (process {folder.name})"
    return ""


def _listening(port: int) -> list[str]:
    found: list[str] = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with suppress(OSError):
            rows = [line.split() for line in Path(table).read_text().splitlines()[1:]]
            found += [
                row[9] for row in rows if row[3] == LISTENS and int(row[1].rpartition(":")[2], 16) == port
            ]
    return found
