"""Every credential: one private file for each server, bound to its name and address."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Literal

import msgspec

from mooring.core.frozen import frozen
from mooring.errors import CredentialsChanged, CredentialsDamaged, EditFailed, MooringError, StorageError
from mooring.system.files import private_dir, write_private
from mooring.system.locks import locked

__all__ = ["Record", "Registration", "Tokens", "Vault"]


@frozen
class Tokens:
    """What opens the door; times are in seconds since 1970."""

    access: str = field(repr=False)
    refresh: str | None = field(default=None, repr=False)
    expires_at: float | None = None
    scope: str | None = None
    issued_at: float | None = None


@frozen
class Registration:
    """Who we are to the authorization server; `method` is how we prove it, where it was agreed.

    The secret of a client from the configuration stays there.
    """

    id: str
    secret: str | None = field(default=None, repr=False)
    secret_expires_at: float | None = None
    method: str | None = None
    redirect_uris: tuple[str, ...] = ()
    origin: Literal["registered", "configured", "document"] = "registered"


@frozen
class Record:
    """All that is known of one server; the address may hold a secret too.

    Tokens are for `resource`, and what renews or revokes them goes to the issuer's addresses that are kept
    here: nobody can name others later. `asked` are the scopes that the login asked for, and tokens that are
    bound to a `key` work with nothing else. `generation` is 0 until the record has been put, and is counted
    up whenever it is.
    """

    server: str
    url: str = field(repr=False)
    issuer: str | None = None
    tokens: Tokens | None = None
    client: Registration | None = None
    generation: int = 0
    source: Literal["login", "opencode"] = "login"
    resource: str | None = None
    asked: str | None = None
    token_url: str | None = None
    revoke_url: str | None = None
    key: str | None = field(default=None, repr=False)


class Vault:
    """The folder of records. Nothing is made before the first one is put."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, name: str, url: str) -> Record | None:
        """The record of the server `name` at exactly this address."""
        return self._read(self._file(name, url))

    def put(self, record: Record) -> Record:
        """The record as it is kept now; refused unless it was made from the one that is kept."""
        file = self._file(record.server, record.url)
        private_dir(self._folder)
        self._check_folder()
        with _held(file):
            kept = self._read(file, is_held=True)
            if (kept.generation if kept else 0) != record.generation:
                raise CredentialsChanged(
                    f"The credentials of `{record.server}` were changed by another process",
                    hint="Use the ones that are there now",
                )
            renewed = replace(record, generation=record.generation + 1)
            write_private(file, msgspec.json.format(msgspec.json.encode(renewed)) + b"\n")
        return renewed

    @contextmanager
    def turn(self, name: str, url: str, wait: float = 60.0) -> Generator[None]:
        """One at a time, over all processes, has something renewed; reading and putting is not hindered."""
        private_dir(self._folder)
        place = self._folder / "turns" / self._file(name, url).stem / "turn"
        with _held(place, wait):
            yield

    def forget(self, name: str, url: str) -> bool:
        """Whether there was anything to forget; damaged copies are forgotten too."""
        file = self._file(name, url)
        if not self._check_folder():
            return False
        with _held(file):
            there = [path for path in (file, *self._folder.glob(f"{file.name}.corrupt-*")) if _is_there(path)]
            for path in there:
                try:
                    path.unlink()
                except OSError as error:
                    raise _unusable(path, error) from error
        return bool(there)

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
                found += [record] if record else []
        found.sort(key=lambda record: (record.server, record.url))
        return [*found, *errors]

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
        return record


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
