"""Where the running `serve` of a project is met: the path of its socket, found without anything dear."""

from __future__ import annotations

import os
import sys
from hashlib import sha256

TYPE_CHECKING = False  # as in `mooring/__init__.py`: every attached command waits for this import
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LONGEST", "root_of", "socket_path"]

# Linux takes 107 bytes, macOS 103.
LONGEST = 100


def root_of(folder: str) -> str:
    """The git work tree that holds `folder`, else `folder` itself."""
    above = folder
    while True:
        if os.path.exists(os.path.join(above, ".git")):  # noqa: PTH110, PTH118 - closed to us is no error
            return above
        parent = os.path.dirname(above)  # noqa: PTH120
        if parent == above:
            return folder
        above = parent


def socket_path(folder: str, env: Mapping[str, str]) -> str | None:
    """For the project that `folder` is in; None where the system has no such sockets.

    It stands in the folder that ends with the session, else in the one for state, and where their paths are
    too long, in one of ours beside everybody's temporary files. It is safe there because nobody else can
    write to it, which both sides check.
    """
    if sys.platform == "win32":
        return None
    root = os.path.realpath(root_of(folder))
    home = _absolute(env, "XDG_RUNTIME_DIR") or _state(env)
    for base, seed in ((os.path.join(home, "mooring"), root), (_last(), f"{root}\0{home}")):  # noqa: PTH118
        name = sha256(os.fsencode(seed)).hexdigest()[:16]
        path = os.path.join(base, f"{name}.sock")  # noqa: PTH118
        if len(os.fsencode(path)) <= LONGEST:
            return path
    return None


def _absolute(env: Mapping[str, str], name: str) -> str:
    """The XDG rule: a relative path does not count."""
    value = env.get(name, "")
    return value if os.path.isabs(value) else ""  # noqa: PTH117


def _state(env: Mapping[str, str]) -> str:
    home = _absolute(env, "HOME") or "/"
    custom = "Library/Application Support" if sys.platform == "darwin" else ".local/state"
    return _absolute(env, "XDG_STATE_HOME") or os.path.join(home, custom)  # noqa: PTH118


def _last() -> str:
    return f"/tmp/mooring-{os.getuid()}"  # noqa: S108
