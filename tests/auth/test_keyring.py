"""Secrets in the system's own store: there, and nowhere else."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from mooring.auth.keyring import Keyring, safe_of
from mooring.auth.vault import Record, Registration, Tokens, Vault
from mooring.errors import CredentialsDamaged, StorageError

URL = "https://docs.example.com/mcp"
FULL = Record(
    "docs",
    URL,
    "https://login.example.com",
    Tokens("secret-access", "secret-refresh", 1_900_000_000.5, "read"),
    Registration("client", "secret-client"),
    key="secret-key",
)


class KeyringError(Exception):
    pass


class Store:
    """What the package `keyring` offers, over a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.is_locked = self.is_forgetful = False

    def get_password(self, service: str, key: str) -> str | None:
        self._check()
        return self.kept.get((service, key))

    def set_password(self, service: str, key: str, secret: str) -> None:
        self._check(secret)
        if not self.is_forgetful:
            self.kept[service, key] = secret

    def delete_password(self, service: str, key: str) -> None:
        self._check()
        del self.kept[service, key]

    def _check(self, secret: str = "") -> None:
        if self.is_locked:
            raise KeyringError(f"locked: {secret}")


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    errors = ModuleType("keyring.errors")
    errors.KeyringError = KeyringError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", ModuleType("keyring"))
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    return Store()


@pytest.fixture
def vault(store: Store, tmp_path: Path) -> Vault:
    return Vault(tmp_path / "credentials", safe=Keyring(store))


def written(vault: Vault) -> str:
    return "".join(file.read_text() for file in vault._folder.glob("*.json*"))


def test_secrets_come_back_and_no_file_holds_one(vault: Vault, store: Store) -> None:
    kept = vault.put(FULL)
    assert kept == replace(FULL, generation=1)
    assert vault.open("docs", URL) == kept
    assert vault.records() == [kept]
    assert "secret-" not in written(vault)
    assert "https://login.example.com" in written(vault)
    assert len(store.kept) == 1, "the probe is gone again"


def test_what_is_forgotten_is_gone_from_the_store(vault: Vault, store: Store) -> None:
    vault.put(FULL)
    assert vault.forget("docs", URL)
    assert store.kept == {}
    assert vault.open("docs", URL) is None


def test_what_is_gone_from_the_store_is_no_login(vault: Vault, store: Store) -> None:
    vault.put(FULL)
    store.kept.clear()
    assert vault.open("docs", URL) is None


def test_a_store_that_is_locked_is_an_error_and_nothing_is_written_elsewhere(
    vault: Vault, store: Store
) -> None:
    store.is_locked = True
    with pytest.raises(StorageError, match="KeyringError") as caught:
        vault.put(FULL)
    assert "secret-" not in caught.value.sentence
    assert "secret-" not in written(vault)
    assert vault.unsaved is None


def test_a_store_that_gives_nothing_back_is_found_out_before_it_is_trusted(
    vault: Vault, store: Store
) -> None:
    store.is_forgetful = True
    with pytest.raises(StorageError, match="give back"):
        vault.put(FULL)
    assert written(vault) == ""


def test_a_locked_store_is_no_logout_by_accident(vault: Vault, store: Store) -> None:
    vault.put(FULL)
    store.is_locked = True
    with pytest.raises(StorageError):
        vault.open("docs", URL)
    store.is_locked = False
    assert vault.open("docs", URL) is not None


def test_what_lay_in_files_moves_with_the_next_change(vault: Vault, store: Store) -> None:
    plain = Vault(vault._folder)
    first = plain.put(FULL)
    assert "secret-access" in written(vault)
    assert vault.open("docs", URL) == first
    vault.put(first)
    assert "secret-" not in written(vault)
    assert store.kept


def test_nonsense_in_the_store_is_damage(vault: Vault, store: Store) -> None:
    vault.put(FULL)
    store.kept = dict.fromkeys(store.kept, "nonsense")
    with pytest.raises(CredentialsDamaged):
        vault.open("docs", URL)


def test_without_the_package_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    monkeypatch.setitem(sys.modules, "keyring.errors", None)
    with pytest.raises(StorageError) as caught:
        Vault(tmp_path / "credentials", safe=Keyring()).put(FULL)
    assert "mooring[keyring]" in caught.value.hint


def test_it_has_to_be_chosen() -> None:
    assert safe_of({}) is None
    assert safe_of({"mooring": {"credentials": "file"}}) is None
    assert safe_of({"mooring": {"credentials": "keyring"}}) is not None
