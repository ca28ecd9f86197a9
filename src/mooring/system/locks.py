"""One editor at a time: a lock that leaves no file behind and dies with its holder."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from mooring.errors import Busy, EditFailed

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["locked"]

_FIRST_PAUSE = 0.001
_LONGEST_PAUSE = 0.02
_LOCK_FILE = ".mooring.lock"
_NO_FOLDER_LOCKS = {errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.EOPNOTSUPP}


@contextmanager
def locked(path: str | Path, wait: float = 5.0) -> Generator[None]:
    """Nobody else, in this process or another, is in the folder of the file that `path` leads to.

    The folder itself is locked, because a rename replaces the file. Not to be nested within one folder.
    """
    folder = Path(os.path.realpath(path)).parent
    descriptor = _open(folder, path)
    try:
        if not _acquire(descriptor, wait):
            raise Busy(
                f"`{path}` is being edited by another process", hint="Try again when that one has finished"
            )
        yield
    finally:
        # Closing gives the lock back; so does the death of this process.
        os.close(descriptor)


def _open(folder: Path, path: str | Path) -> int:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            return os.open(folder / _LOCK_FILE, os.O_RDWR | os.O_CREAT)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        if _can_lock(descriptor):
            return descriptor
        os.close(descriptor)
        # NFS locks only what is open for writing, and a folder cannot be.
        return os.open(folder / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise EditFailed(
            f"`{path}` cannot be edited: {(error.strerror or 'unknown error').lower()}: `{folder}`",
            hint=f"Is `{folder}` a folder that you may write to?",
        ) from error


def _can_lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    except OSError as error:
        return error.errno not in _NO_FOLDER_LOCKS
    return True


def _acquire(descriptor: int, wait: float) -> bool:
    until = time.monotonic() + wait
    pause = _FIRST_PAUSE
    while not _try(descriptor):
        left = until - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(pause, left))
        pause = min(pause * 2, _LONGEST_PAUSE)
    return True


def _try(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
