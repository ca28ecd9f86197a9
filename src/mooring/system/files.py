"""Text files read within bounds, replaced as a whole or not at all, and edited by one at a time."""

from __future__ import annotations

import codecs
import errno
import os
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from mooring.errors import Busy, EditFailed, Spot, StorageError, TooLarge, UnreadableFile
from mooring.system.locks import locked

__all__ = ["LIMIT", "edit_text", "private_dir", "read_text", "write_atomic", "write_private"]

LIMIT = 8 * 1024 * 1024

_ROUNDS = 5
_CHUNK = 1024 * 1024
_BINARY = getattr(os, "O_BINARY", 0)
# A pipe without a writer must not hold us, a terminal must not become ours.
_READ = (
    os.O_RDONLY
    | _BINARY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_CREATE = (
    os.O_WRONLY
    | _BINARY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_CURES = {
    errno.ENOSPC: "Free some space on that disk",
    errno.EDQUOT: "Free some space; your quota is used up",
    errno.EROFS: "That disk can only be read; edit the file where it comes from",
    errno.EACCES: "Is it yours to write to?",
    errno.EPERM: "Is it yours to write to?",
}


def read_text(path: str | Path, limit: int = LIMIT) -> str | None:
    """The file's text with its byte order mark and newlines as they are; None where there is no file."""
    try:
        descriptor = os.open(path, _READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise UnreadableFile(
                f"`{path}` is {_kind(mode)}, not a file", hint="Put a text file there, or nothing"
            )
        content = _read(descriptor, limit)
    except OSError as error:
        raise _unreadable(path, error) from error
    finally:
        os.close(descriptor)
    if len(content) > limit:
        raise TooLarge(
            f"`{path}` is larger than {limit // 1024} KiB", hint="Is it really a configuration file?"
        )
    return _decode(path, content)


def _read(descriptor: int, limit: int) -> bytes:
    pieces: list[bytes] = []
    left = limit + 1
    while left > 0 and (piece := os.read(descriptor, min(left, _CHUNK))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _unreadable(path: str | Path, error: OSError | ValueError) -> UnreadableFile:
    match error:
        case PermissionError():
            return UnreadableFile(
                f"`{path}` may not be read by you", hint=f"`chmod u+r {path}`, if it is yours"
            )
        case OSError(errno=errno.ELOOP):
            return UnreadableFile(
                f"`{path}` is a link that leads back to itself", hint=f"`ls -l {path}` shows it"
            )
        case OSError(errno=errno.ENXIO):
            return UnreadableFile(
                f"`{path}` is a socket, not a file", hint="Put a text file there, or nothing"
            )
        case OSError():
            reason = (error.strerror or "unknown error").lower()
            return UnreadableFile(f"`{path}` cannot be read: {reason}", hint=f"Does `cat {path}` work?")
        case _:
            return UnreadableFile(
                "A file name holds a null character", hint="Delete that character from the name"
            )


def _kind(mode: int) -> str:
    return next((name for is_kind, name in _KINDS if is_kind(mode)), "something else")


def _decode(path: str | Path, content: bytes) -> str:
    if content.startswith(_UTF_16):
        raise UnreadableFile(f"`{path}` is UTF-16", hint="Save it as UTF-8")
    null = content.find(b"\0")
    if null >= 0:
        spot = Spot(str(path), content.count(b"\n", 0, null) + 1)
        raise UnreadableFile(
            f"`{path}` is not a text file: a null byte on line {spot.line}",
            hint="Save it as UTF-8",
            spot=spot,
        )
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        spot = Spot(str(path), content.count(b"\n", 0, error.start) + 1)
        raise UnreadableFile(
            f"`{path}` is not UTF-8: line {spot.line}", hint="Save it as UTF-8", spot=spot
        ) from error


def write_atomic(path: str | Path, content: str | bytes, mode: int | None = None) -> None:
    """The file is the old one or the new one at every moment; a link stays, and what it leads to is replaced.

    A file that exists keeps its permissions and, where that is allowed, its owner; `mode` is for a new one.
    """
    with _staged(path, content, None if Path(path).exists() else mode) as publish:
        publish()


def edit_text(
    path: str | Path, change: Callable[[str | None], str], *, wait: float = 5.0, mode: int | None = None
) -> str:
    """Replace the text by what `change` makes of it, and return that; `mode` is for a new file.

    `change` gets None for a file that is not there, and may be called again: an editor that knows nothing of
    our lock may have saved the file in the meantime, and what it wrote must not be lost.
    """
    with locked(path, wait):
        for _ in range(_ROUNDS):
            before = read_text(path)
            after = change(before)
            if after == before:
                return after
            with _staged(path, after, mode if before is None else None) as publish:
                if read_text(path) == before:
                    publish()
                    return after
    raise Busy(
        f"`{path}` is changed by another program all the time", hint="Try again when that one has finished"
    )


@contextmanager
def _staged(
    path: str | Path, content: str | bytes, mode: int | None, *, durable: bool = True
) -> Generator[Callable[[], None]]:
    """The new content, safe on the disk under another name; calling what is yielded makes it the file.

    Without a `mode` it is that of the old file. What is not `durable` may be lost with the power.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".mooring-{os.urandom(8).hex()}.tmp")
    try:
        old = _replaceable(path, target)
        _write(temporary, content.encode() if isinstance(content, str) else content, old, mode)
        if durable:
            _flush(temporary, os.O_RDWR)
        yield lambda: _publish(temporary, target, durable=durable)
    except UnicodeEncodeError as error:
        hint = "Write the whole character"
        raise EditFailed(
            f"`{path}` is as it was: the new text holds half of a character", hint=hint
        ) from error
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        cure = _CURES.get(error.errno or 0, f"Does `{target.parent}` exist, and can you write to it?")
        raise EditFailed(f"`{path}` cannot be written and is as it was: {reason}", hint=cure) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def _replaceable(path: str | Path, target: Path) -> os.stat_result | None:
    try:
        old = target.stat()
    except FileNotFoundError:
        target.parent.mkdir(parents=True, exist_ok=True)
        return None
    if not stat.S_ISREG(old.st_mode):
        raise EditFailed(
            f"`{path}` is {_kind(old.st_mode)}, not a file", hint="Remove it, or name another file"
        )
    if not old.st_mode & 0o222:
        raise EditFailed(f"`{path}` is read-only", hint=f"`chmod u+w {target}`, if it should be changed")
    # A rename asks only the folder; a file that we may not write to is not ours to replace.
    os.close(os.open(target, os.O_WRONLY | _BINARY | getattr(os, "O_CLOEXEC", 0)))
    return old


def _write(temporary: Path, content: bytes, old: os.stat_result | None, mode: int | None) -> None:
    # Nobody else may look while it grows; without a wish, a new file gets what the user's umask says.
    descriptor = os.open(temporary, _CREATE, 0o666 if old is None and mode is None else 0o600)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if old is not None and hasattr(os, "fchown"):
            with suppress(PermissionError):
                os.fchown(descriptor, old.st_uid, old.st_gid)
        wanted = stat.S_IMODE(old.st_mode) if old is not None and mode is None else mode
        if wanted is not None and hasattr(os, "fchmod"):
            os.fchmod(descriptor, wanted)
    finally:
        os.close(descriptor)


def _flush(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _publish(temporary: Path, target: Path, *, durable: bool) -> None:
    temporary.replace(target)
    if durable:
        # It is in place: a file system that cannot flush a folder is no reason to say that it is not.
        with suppress(OSError):
            _flush(target.parent, os.O_RDONLY)


def private_dir(path: str | Path) -> Path:
    """The folder, made 0700 with its parents where it is missing; one that others could change is refused."""
    folder = Path(path)
    try:
        for missing in [parent for parent in (*reversed(folder.parents), folder) if not parent.exists()]:
            missing.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise StorageError(
            f"`{folder}` cannot be made: {reason}", hint="Is its parent yours to write to?"
        ) from error
    if stat.S_ISLNK(found.st_mode):
        raise StorageError(f"`{folder}` is a link", hint="Put a folder of your own there")
    if not stat.S_ISDIR(found.st_mode):
        raise StorageError(f"`{folder}` is not a folder", hint="Remove it; it is made again")
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise StorageError(f"`{folder}` belongs to another user", hint=f"`ls -ld {folder}` shows to whom")
    if os.name == "posix" and found.st_mode & 0o022:
        raise StorageError(f"`{folder}` can be written to by other users", hint=f"`chmod go-w {folder}`")
    return folder


def write_private(path: str | Path, content: str | bytes, *, durable: bool = True) -> None:
    """A file of ours, for our eyes: 0600 whatever it was before, and never through a link.

    What can be had again need not be `durable`: waiting for the disk takes longer than everything else.
    """
    target = Path(path)
    if target.is_symlink():
        raise StorageError(f"`{target}` is a link", hint="Remove it; the file is made again")
    try:
        with _staged(target, content, 0o600, durable=durable) as publish:
            publish()
    except EditFailed as error:
        raise StorageError(error.sentence, hint=error.hint) from error
