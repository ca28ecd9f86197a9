"""Every credential: one private file for each server, bound to its name and address."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec

from mooring.auth.keyring import Keyring, Safe
from mooring.auth.record import Record, Registration, Tokens
from mooring.auth.sealing import secrets_of, with_secrets, without_secrets
from mooring.errors import CredentialsChanged, CredentialsDamaged, EditFailed, MooringError, StorageError
from mooring.system.files import private_dir, write_private
from mooring.system.locks import locked

__all__ = ["Record", "Registration", "Tokens", "Vault"]

_DISK = (errno.EROFS, errno.ENOSPC, errno.EDQUOT)


class Vault:
    """The folder of records. Nothing is made before the first one is put.

    What a disk does not take is kept as long as this process lives, and `unsaved` says so. With a `safe`
    the secrets go there.
    """

    def __init__(self, folder: Path, *, safe: Safe | None = None) -> None:
        self._folder = folder
        self._safe = safe
        self._memory: dict[Path, Record] = {}
        self._alone = threading.Lock()
        self._turns: dict[Path, threading.Lock] = {}
        self.unsaved: StorageError | None = None

    def open(self, name: str, url: str) -> Record | None:
        """The record of the server `name` at exactly this address."""
        file = self._file(name, url)
        return self._memory.get(file) or self._read(file)

    def put(self, record: Record) -> Record:
        """The record as it is kept now; refused unless it was made from the one that is kept."""
        file = self._file(record.server, record.url)
        renewed = replace(record, generation=record.generation + 1)
        try:
            private_dir(self._folder)
            self._check_folder()
            with _held(file):
                _check_generation(record, self._memory.get(file) or self._read(file, is_held=True))
                self._write(file, renewed)
        except StorageError as error:
            if not _is_refused_by_the_disk(error):
                raise
            with self._alone:
                _check_generation(record, self._memory.get(file) or self._read(file))
                self._memory[file] = renewed
            self.unsaved = StorageError(
                f"What is known of logins cannot be kept, and is gone with this program: {error.sentence}",
                hint=error.hint,
            )
        else:
            self._memory.pop(file, None)
        return renewed

    @contextmanager
    def turn(self, name: str, url: str, wait: float = 60.0) -> Generator[None]:
        """One at a time, over all processes, has something renewed; reading and putting is not hindered."""
        place = self._folder / "turns" / self._file(name, url).stem / "turn"
        with ExitStack() as stack:
            try:
                private_dir(self._folder)
                stack.enter_context(_held(place, wait))
            except StorageError as error:
                if not _is_refused_by_the_disk(error):
                    raise
                # Other processes cannot keep anything either.
                stack.enter_context(self._alone_at(place))
            yield

    def forget(self, name: str, url: str) -> bool:
        """Whether there was anything to forget; damaged copies are forgotten too."""
        file = self._file(name, url)
        was_there = self._memory.pop(file, None) is not None
        if not self._check_folder():
            return was_there
        if _is_there(file) and self._safe is not None:
            self._safe.drop(file.stem)
        with _held(file):
            there = [path for path in (file, *self._folder.glob(f"{file.name}.corrupt-*")) if _is_there(path)]
            for path in there:
                try:
                    path.unlink()
                except OSError as error:
                    raise _unusable(path, error) from error
        return was_there or bool(there)

    def records(self) -> list[Record | MooringError]:
        """Every record by server, and in its place the error of each that cannot be used."""
        found: list[Record] = []
        errors: list[MooringError] = []
        for file in sorted(self._folder.glob("*.json")) if self._check_folder() else ():
            try:
                record = self._read(file)
            except MooringError as error:
                errors.append(error)
            else:
                found += [record] if record and file not in self._memory else []
        found += self._memory.values()
        found.sort(key=lambda record: (record.server, record.url))
        return [*found, *errors]

    def place(self, record: Record) -> Literal["file", "keyring", "memory"]:
        """Where the secrets of a record are that has been put."""
        if self._file(record.server, record.url) in self._memory:
            return "memory"
        return "file" if self._safe is None else "keyring"

    def _write(self, file: Path, record: Record) -> None:
        if self._safe is not None:
            self._safe.put(file.stem, secrets_of(record))
            record = without_secrets(record)
        write_private(file, msgspec.json.format(msgspec.json.encode(record)) + b"\n")

    def _alone_at(self, place: Path) -> threading.Lock:
        return self._turns.setdefault(place, threading.Lock())

    def _file(self, name: str, url: str) -> Path:
        key = json.dumps([name, url], ensure_ascii=True)
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"

    def _check_folder(self) -> bool:
        """Whether the folder is there; one that others can look into is refused."""
        if not _is_there(self._folder):
            return False
        private_dir(self._folder)
        if os.name == "posix" and self._folder.lstat().st_mode & 0o077:
            raise StorageError(f"`{self._folder}` is open to other users", hint=f"`chmod 700 {self._folder}`")
        return True

    def _read(self, file: Path, *, is_held: bool = False) -> Record | None:
        if not self._check_folder():
            return None
        try:
            return self._decoded(file)
        except msgspec.DecodeError as error:
            if is_held:
                raise _set_aside(file) from error
        with _held(file):
            # It may have been replaced by a good one just now.
            return self._read(file, is_held=True)

    def _decoded(self, file: Path) -> Record | None:
        content = _content(file)
        if content is None:
            return None
        record = msgspec.json.decode(content, type=Record)
        if self._file(record.server, record.url) != file:
            # Copied over another's, it would send one server's tokens to another.
            raise msgspec.DecodeError("the record of another server")
        if not record.sealed:
            return record
        # It says itself where its secrets are, whatever is chosen now.
        secrets = (self._safe or Keyring()).get(file.stem)
        return with_secrets(record, secrets) if secrets else None


def _check_generation(record: Record, kept: Record | None) -> None:
    if (kept.generation if kept else 0) != record.generation:
        raise CredentialsChanged(
            f"The credentials of `{record.server}` were changed by another process",
            hint="Use the ones that are there now",
        )


def _is_refused_by_the_disk(error: BaseException | None) -> bool:
    """Full, or only to be read; what is wrong with a folder of ours is for the user to put right."""
    while error is not None:
        if isinstance(error, OSError):
            return error.errno in _DISK
        error = error.__cause__
    return False


@contextmanager
def _held(file: Path, wait: float = 5.0) -> Generator[None]:
    try:
        with locked(file, wait):
            yield
    except EditFailed as error:
        raise StorageError(error.sentence, hint=error.hint) from error


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _content(file: Path) -> bytes | None:
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
        raise _unusable(file, error) from error


def _unusable(path: Path, error: OSError) -> StorageError:
    reason = (error.strerror or "unknown error").lower()
    return StorageError(f"`{path}` cannot be used: {reason}", hint=f"`ls -l {path}` shows whose it is")


def _set_aside(file: Path) -> CredentialsDamaged:
    """The damaged file under a name that nobody reads; its content is never lost, and never shown."""
    number = 1
    while _is_there(aside := file.with_name(f"{file.name}.corrupt-{number}")):
        number += 1
    try:
        file.rename(aside)
    except OSError as error:
        raise _unusable(file, error) from error
    with suppress(OSError):
        aside.chmod(0o600)
    return CredentialsDamaged(
        f"`{file}` was damaged and is now `{aside.name}`", hint="Log in again: mooring auth NAME"
    )
