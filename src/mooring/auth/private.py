"""One file that is ours alone: whatever else lies in its place is refused, and damage is set aside."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from mooring.errors import CredentialsDamaged, StorageError

__all__ = ["content", "is_there", "set_aside", "unusable"]


def is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def content(file: Path) -> bytes | None:
    try:
        found = file.lstat()
        if not stat.S_ISREG(found.st_mode):
            raise StorageError(f"`{file}` is a link, or no file at all", hint="Remove it and log in again")
        if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
            raise StorageError(f"`{file}` belongs to another user", hint="Remove it and log in again")
        if os.name == "posix" and found.st_mode & 0o077:
            raise StorageError(f"`{file}` is open to other users", hint=f"`chmod 600 {file}`")
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unusable(file, error) from error


def unusable(path: Path, error: OSError) -> StorageError:
    reason = (error.strerror or "unknown error").lower()
    return StorageError(f"`{path}` cannot be used: {reason}", hint=f"`ls -l {path}` shows whose it is")


def set_aside(file: Path) -> CredentialsDamaged:
    """The damaged file under a name that nobody reads; its content is never lost, and never shown."""
    number = 1
    while is_there(aside := file.with_name(f"{file.name}.corrupt-{number}")):
        number += 1
    try:
        file.rename(aside)
    except OSError as error:
        raise unusable(file, error) from error
    with suppress(OSError):
        aside.chmod(0o600)
    return CredentialsDamaged(
        f"`{file}` was damaged and is now `{aside.name}`", hint="Log in again: mooring auth NAME"
    )
