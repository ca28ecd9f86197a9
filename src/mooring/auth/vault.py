"""Every credential: a private file for each server, issuer, client, resource and principal."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec

from mooring.auth.keyring import Keyring, Safe
from mooring.auth.private import content, is_there, set_aside, unusable
from mooring.auth.record import Record, Registration, Tokens
from mooring.auth.sealing import secrets_of, with_secrets, without_secrets
from mooring.errors import CredentialsChanged, EditFailed, MooringError, StorageError
from mooring.system.files import private_dir, write_private
from mooring.system.locks import locked

__all__ = ["Record", "Registration", "Tokens", "Vault"]

_DISK = (errno.EROFS, errno.ENOSPC, errno.EDQUOT)


class Vault:
    """The folder of records. Nothing is made before the first one is put.

    What a disk does not take is kept as long as this process lives, and `unsaved` says so. With a `safe`
    the secrets go there. All that is put and found is the `principal`'s, by default the user's of this host.
    """

    def __init__(self, folder: Path, *, safe: Safe | None = None, principal: str = "") -> None:
        self._folder = folder
        self._safe = safe
        self._principal = principal
        # None stands for a file that counts no more, and could not be removed.
        self._memory: dict[Path, Record | None] = {}
        self._alone = threading.Lock()
        self._turns: dict[Path, threading.Lock] = {}
        self.unsaved: StorageError | None = None

    def open(self, name: str, url: str, fits: Callable[[Record], bool] | None = None) -> Record | None:
        """The latest record of the server `name` at exactly this address, of those that fit."""
        return next((each for each in self.every(name, url) if fits is None or fits(each)), None)

    def every(self, name: str, url: str) -> list[Record]:
        """All of the server at this address, the latest first: of other clients, issuers or resources too."""
        found = self._family(name, url).values()
        return sorted(found, key=lambda record: record.generation, reverse=True)

    def put(self, record: Record) -> Record:
        """The record as it is kept now, in place of the one that it was made from.

        Refused if that one is not there any more.
        """
        record = replace(record, principal=self._principal)
        file = self._file(record)
        try:
            private_dir(self._folder)
            self._check_folder()
            with _held(file):
                before, renewed = _next(record, self._family(record.server, record.url, is_held=True), file)
                self._write(file, renewed)
                if before is not None and before != file:
                    self._remove(before)
        except StorageError as error:
            if not _is_refused_by_the_disk(error):
                raise
            with self._alone:
                before, renewed = _next(record, self._family(record.server, record.url), file)
                self._memory |= {file: renewed} if before in (None, file) else {before: None, file: renewed}
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
        place = self._folder / "turns" / self._stem(name, url) / "turn"
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
        stem = self._stem(name, url)
        held = [self._memory.pop(file) for file in list(self._memory) if _is_of(file, stem)]
        was_there = any(held)
        if not self._check_folder():
            return was_there
        with _held(self._folder / stem):
            there = [*self._folder.glob(f"{stem}.*")]
            for path in there:
                self._remove(path)
        return was_there or bool(there)

    def records(self) -> list[Record | MooringError]:
        """Every record by server, and in its place the error of each that cannot be used."""
        found: dict[Path, Record | None] = {}
        errors: list[MooringError] = []
        for file in sorted(self._folder.glob("*.json")) if self._check_folder() else ():
            try:
                found[file] = self._read(file)
            except MooringError as error:
                errors.append(error)
        found |= self._memory
        ours = [each for each in found.values() if each is not None and each.principal == self._principal]
        ours.sort(key=lambda record: (record.server, record.url, -record.generation))
        return [*ours, *errors]

    def changed_at(self) -> float:
        """When a record was last put or forgotten, by whichever process; 0 where there are none."""
        try:
            return self._folder.stat().st_mtime
        except OSError:
            return 0.0

    def place(self, record: Record) -> Literal["file", "keyring", "memory"]:
        """Where the secrets of a record are that has been put."""
        if self._file(record) in self._memory:
            return "memory"
        return "file" if self._safe is None else "keyring"

    def _family(self, name: str, url: str, *, is_held: bool = False) -> dict[Path, Record]:
        stem = self._stem(name, url)
        files = sorted(self._folder.glob(f"{stem}.*json")) if self._check_folder() else []
        found = {file: self._read(file, is_held=is_held) for file in files}
        if not is_held and not all(map(is_there, files)):
            # One was replaced by another just now, which was not in sight yet.
            with _held(self._folder / stem):
                return self._family(name, url, is_held=True)
        found |= {file: record for file, record in self._memory.items() if _is_of(file, stem)}
        return {file: record for file, record in found.items() if record is not None}

    def _write(self, file: Path, record: Record) -> None:
        if self._safe is not None:
            self._safe.put(file.stem, secrets_of(record))
            record = without_secrets(record)
        write_private(file, msgspec.json.format(msgspec.json.encode(record)) + b"\n")

    def _remove(self, file: Path) -> None:
        if self._safe is not None and file.suffix == ".json":
            self._safe.drop(file.stem)
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise unusable(file, error) from error

    def _alone_at(self, place: Path) -> threading.Lock:
        return self._turns.setdefault(place, threading.Lock())

    def _stem(self, name: str, url: str) -> str:
        return _stem(name, url, self._principal)

    def _file(self, record: Record) -> Path:
        return self._folder / _names(record)[0]

    def _check_folder(self) -> bool:
        """Whether the folder is there; one that others can look into is refused."""
        if not is_there(self._folder):
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
                raise set_aside(file) from error
        with _held(file):
            # It may have been replaced by a good one just now.
            return self._read(file, is_held=True)

    def _decoded(self, file: Path) -> Record | None:
        found = content(file)
        if found is None:
            return None
        record = msgspec.json.decode(found, type=Record)
        if file.name not in _names(record):
            # Copied over another's, it would send one server's tokens to another.
            raise msgspec.DecodeError("the record of another server")
        if not record.sealed:
            return record
        # It says itself where its secrets are, whatever is chosen now.
        secrets = (self._safe or Keyring()).get(file.stem)
        return with_secrets(record, secrets) if secrets else None


def _names(record: Record) -> tuple[str, ...]:
    """What the file of a record is called, and was when a server had only one."""
    stem = _stem(record.server, record.url, record.principal)
    bound = _hashed([record.issuer, record.client.id if record.client else None, record.resource])
    return f"{stem}.{bound[:16]}.json", f"{stem}.json"


def _stem(name: str, url: str, principal: str) -> str:
    """What the names of all files of a server at one address begin with."""
    return _hashed([name, url, *([principal] if principal else [])])


def _hashed(key: list[str | None]) -> str:
    return hashlib.sha256(json.dumps(key, ensure_ascii=True).encode()).hexdigest()


def _is_of(file: Path, stem: str) -> bool:
    return file.name.startswith(f"{stem}.")


def _next(record: Record, there: Mapping[Path, Record], file: Path) -> tuple[Path | None, Record]:
    """The file that the record was made from, and the record that takes its place."""
    before = next((path for path, kept in there.items() if kept.generation == record.generation), None)
    kept = there.get(file)
    if (before is None and record.generation) or (kept and kept.generation > record.generation):
        raise CredentialsChanged(
            f"The credentials of `{record.server}` were changed by another process",
            hint="Use the ones that are there now",
        )
    latest = max((kept.generation for kept in there.values()), default=0)
    return before, replace(record, generation=latest + 1)


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
