"""The bearer token of this user: made at the first start, kept in a file that nobody else can read."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from mooring.errors import StorageError, UsageError
from mooring.system.files import private_dir, read_text, write_private
from mooring.system.locks import locked

__all__ = ["own_token"]

SHORTEST = 16


def own_token(data: Path, env: Mapping[str, str]) -> str:
    """`MOORING_TOKEN` where it is set, else what the file in `data` says, else a new one."""
    given = env.get("MOORING_TOKEN", "")
    if given:
        if len(given) < SHORTEST or not given.isascii() or not given.isprintable() or " " in given:
            raise UsageError(
                f"`MOORING_TOKEN` is no token: at least {SHORTEST} visible characters",
                hint="export MOORING_TOKEN=$(openssl rand -hex 32)",
            )
        return given
    file = data / "token"
    private_dir(data)
    with locked(file):
        kept = _kept(file)
        if kept:
            return kept
        made = secrets.token_urlsafe(32)
        write_private(file, made + "\n")
        return made


def _kept(file: Path) -> str:
    """What others could have written or read is no secret of ours."""
    try:
        found = file.lstat()
    except FileNotFoundError:
        return ""
    if not stat.S_ISREG(found.st_mode):
        raise StorageError(f"`{file}` is no file", hint="Remove it; a new token is made")
    if os.name == "posix" and (found.st_mode & 0o077 or found.st_uid != os.geteuid()):
        raise StorageError(f"`{file}` is open to other users", hint="Remove it; a new token is made")
    text = (read_text(file, 4096) or "").strip()
    return text if len(text) >= SHORTEST else ""
