"""The vault: private, atomic, bound to name and address, and never silently empty."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mooring.auth import vault as vaults
from mooring.auth.vault import Record, Registration, Tokens, Vault
from mooring.errors import Busy, CredentialsChanged, CredentialsDamaged, StorageError

URL = "https://docs.example.com/mcp"
TOKENS = Tokens("access-1", "refresh-1", 1_900_000_000.5, "read")


def record(name: str = "docs", url: str = URL) -> Record:
    return Record(name, url, tokens=TOKENS)


def hashed(*key: str | None) -> str:
    return hashlib.sha256(json.dumps(key).encode()).hexdigest()


def at(vault: Vault, name: str = "docs", url: str = URL) -> Path:
    """Where a record lies of which no more is known."""
    return vault._folder / f"{hashed(name, url)}.{hashed(None, None, None)[:16]}.json"


def files(vault: Vault) -> list[Path]:
    return sorted(vault._folder.iterdir())


def test_a_record_comes_back_as_it_was_put(vault: Vault) -> None:
    full = Record(
        "docs", URL, "https://login.example.com", TOKENS, Registration("id", "hush", 12.0), 0, "opencode"
    )
    kept = vault.put(full)
    assert kept == replace(full, generation=1)
    assert vault.open("docs", URL) == kept


def test_a_record_is_whole_on_the_disk_before_it_takes_the_place_of_the_old_one(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush, flushed = os.fsync, list[int]()

    def seen(descriptor: int) -> None:
        flushed.append(os.fstat(descriptor).st_ino)
        flush(descriptor)

    def torn(descriptor: int) -> None:
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr(os, "fsync", seen)
    first = vault.put(record())
    assert at(vault).stat().st_ino in flushed
    monkeypatch.setattr(os, "fsync", torn)
    with pytest.raises(StorageError, match="is as it was"):
        vault.put(replace(first, asked="more"))
    assert vault.open("docs", URL) == first
    assert files(vault) == [at(vault)]


def test_nothing_is_made_by_looking(vault: Vault) -> None:
    assert vault.open("docs", URL) is None
    assert vault.records() == []
    assert not vault.forget("docs", URL)
    assert not vault._folder.exists()


def test_files_are_named_by_their_key_and_private(vault: Vault) -> None:
    vault.put(record())
    (file,) = files(vault)
    assert file == at(vault)
    assert file.stat().st_mode & 0o777 == 0o600
    assert vault._folder.stat().st_mode & 0o777 == 0o700


def test_another_address_is_another_record(vault: Vault) -> None:
    vault.put(record())
    assert vault.open("docs", URL + "/") is None
    assert vault.open("other", URL) is None


@pytest.mark.parametrize(
    "other",
    [
        {"issuer": "https://login.example.com"},
        {"client": Registration("another")},
        {"resource": "https://docs.example.com"},
    ],
    ids=["issuer", "client", "resource"],
)
def test_another_issuer_client_or_resource_is_another_record(vault: Vault, other: dict[str, Any]) -> None:
    first = vault.put(record())
    second = vault.put(replace(record(), **other))
    assert vault.every("docs", URL) == [second, first]
    assert vault.open("docs", URL, lambda each: each.generation == 1) == first
    assert vault.records() == [second, first]
    assert vault.forget("docs", URL)
    assert files(vault) == []


def test_another_principal_has_records_of_its_own(vault: Vault) -> None:
    mine = vault.put(record())
    hers = Vault(vault._folder, principal="ana")
    assert hers.open("docs", URL) is None
    her_own = hers.put(record())
    assert her_own == replace(mine, principal="ana")
    assert vault.records() == [mine]
    assert hers.records() == [her_own]
    assert hers.forget("docs", URL)
    assert vault.open("docs", URL) == mine


def test_one_principals_record_is_worth_nothing_to_another(vault: Vault) -> None:
    hers = Vault(vault._folder, principal="ana")
    hers.put(record())
    (file,) = files(vault)
    stolen = at(vault)
    stolen.write_bytes(file.read_bytes())
    stolen.chmod(0o600)
    with pytest.raises(CredentialsDamaged):
        vault.open("docs", URL)


def test_a_record_takes_the_place_of_the_one_that_it_was_made_from(vault: Vault) -> None:
    first = vault.put(record())
    bound = vault.put(replace(first, issuer="https://login.example.com"))
    assert vault.every("docs", URL) == [bound]
    assert len(files(vault)) == 1
    with pytest.raises(CredentialsChanged):
        vault.put(first)


def test_a_newer_record_is_not_written_over_from_another_place(vault: Vault) -> None:
    first = vault.put(record())
    newer = vault.put(replace(record(), issuer="https://login.example.com"))
    with pytest.raises(CredentialsChanged):
        vault.put(replace(first, issuer="https://login.example.com", tokens=Tokens("older")))
    assert vault.every("docs", URL) == [newer, first]


def test_the_file_of_an_earlier_version_is_read_and_moved_when_it_changes(vault: Vault) -> None:
    kept = vault.put(replace(record(), issuer="https://login.example.com"))
    (file,) = files(vault)
    old = file.rename(vault._folder / f"{hashed('docs', URL)}.json")
    assert vault.open("docs", URL) == kept
    assert vault.records() == [kept]
    assert vault.put(kept).generation == 2
    assert files(vault) == [file]
    assert not old.exists()


def test_no_reader_misses_a_record_that_moves(vault: Vault) -> None:
    kept = vault.put(record())
    missed: list[int] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            missed.extend([1] if vault.open("docs", URL) is None else [])

    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit(read)
        for number in range(25):
            kept = vault.put(replace(kept, issuer=f"https://{number}.example.com"))
        over.set()
        reader.result(20)
    assert not missed


def test_who_writes_from_old_knowledge_is_refused(vault: Vault) -> None:
    first = vault.put(record())
    second = vault.put(replace(first, tokens=Tokens("access-2")))
    with pytest.raises(CredentialsChanged):
        vault.put(first)
    with pytest.raises(CredentialsChanged):
        vault.put(record())
    assert vault.open("docs", URL) == second


def test_no_update_is_lost_among_many_writers(vault: Vault) -> None:
    def write(number: int) -> None:
        for _ in range(200):
            try:
                vault.put(vault.open("docs", URL) or record())
            except CredentialsChanged:
                continue
            return
        raise AssertionError(f"writer {number} never had its turn")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(20)))
    kept = vault.open("docs", URL)
    assert kept is not None
    assert kept.generation == 20


@pytest.mark.parametrize("garbage", [b"", b"{", b"{}", b'{"server": 1}', b"\xff\xfe", b"null"])
def test_a_damaged_record_is_set_aside_and_said(vault: Vault, garbage: bytes) -> None:
    vault.put(record())
    (file,) = files(vault)
    for number in (1, 2):
        file.write_bytes(garbage)
        file.chmod(0o600)
        with pytest.raises(CredentialsDamaged, match=f"corrupt-{number}"):
            vault.open("docs", URL)
        assert file.with_name(f"{file.name}.corrupt-{number}").read_bytes() == garbage
    assert vault.open("docs", URL) is None
    assert vault.put(record()).generation == 1


def test_a_record_under_the_name_of_another_counts_as_damaged(vault: Vault) -> None:
    vault.put(record("evil", "https://evil.example.com"))
    vault.put(record())
    good = at(vault, "docs", URL)
    at(vault, "evil", "https://evil.example.com").write_bytes(good.read_bytes())
    with pytest.raises(CredentialsDamaged):
        vault.open("evil", "https://evil.example.com")
    assert vault.open("docs", URL) is not None


def test_one_damaged_record_does_not_hide_the_others(vault: Vault) -> None:
    for name in ("b", "a", "c"):
        vault.put(record(name))
    at(vault, "b", URL).write_text("nonsense")
    first, second, error = vault.records()
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.server, second.server) == ("a", "c")
    assert isinstance(error, CredentialsDamaged)


def test_forgetting_takes_damaged_copies_along(vault: Vault) -> None:
    vault.put(record())
    vault.put(record("other"))
    at(vault, "docs", URL).write_text("access-1 is in here")
    with pytest.raises(CredentialsDamaged):
        vault.open("docs", URL)
    vault.put(record())
    assert vault.forget("docs", URL)
    assert not vault.forget("docs", URL)
    assert files(vault) == [at(vault, "other", URL)]


def link(file: Path) -> None:
    file.rename(file.with_suffix(".real"))
    file.symlink_to(file.with_suffix(".real"))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.chmod(0o640),
        link,
        lambda file: (file.unlink(), file.mkdir()),
        lambda file: file.parent.chmod(0o750),
        lambda file: (file.parent.rename(file.parent.with_name("real")), file.parent.symlink_to("real")),
    ],
    ids=["open file", "link", "folder", "open folder", "folder link"],
)
def test_what_others_may_touch_is_refused(vault: Vault, spoil: Callable[[Path], object]) -> None:
    kept = vault.put(record())
    spoil(at(vault, "docs", URL))
    for use in (lambda: vault.open("docs", URL), lambda: vault.put(kept)):
        with pytest.raises(StorageError) as caught:
            use()
        assert not isinstance(caught.value, CredentialsDamaged)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_another_users_record_is_refused(vault: Vault) -> None:
    vault.put(record())
    os.chown(at(vault, "docs", URL), 12345, -1)
    with pytest.raises(StorageError, match="another user"):
        vault.open("docs", URL)


def test_no_secret_is_in_a_repr_or_an_error(vault: Vault) -> None:
    kept = vault.put(
        Record("docs", "https://user:hush-0@example.com/?key=hush-1", tokens=Tokens("hush-2", "hush-3"))
    )
    shown = repr(replace(kept, client=Registration("id", "hush-4")))
    assert "docs" in shown
    assert "hush" not in shown
    with pytest.raises(CredentialsChanged) as caught:
        vault.put(replace(kept, generation=7))
    assert "hush" not in f"{caught.value.sentence}{caught.value.hint}"


@settings(max_examples=25)
@given(name=st.text(max_size=20), url=st.text(max_size=20), other=st.text(max_size=20))
def test_any_name_and_address_have_a_record_of_their_own(name: str, url: str, other: str) -> None:
    vault = Vault(Path("/nowhere"))

    def at(name: str, url: str) -> Path:
        return vault._file(record(name, url))

    same = at(name, url) == at(other, url)
    assert same is (name == other)
    assert at(name + other, url) != at(name, other + url) or not other


# --- a disk that takes nothing


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Callable[[int | None], None]:
    """From now on the disk fails with this number, or works again."""
    real = vaults.write_private

    def refuse(number: int | None) -> None:
        def write(path: Path, content: bytes) -> None:
            if number is None:
                real(path, content)
                return
            raise StorageError(f"`{path}` cannot be written") from OSError(number, os.strerror(number))

        monkeypatch.setattr(vaults, "write_private", write)

    return refuse


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC])
def test_what_the_disk_does_not_take_is_kept_while_we_live_and_said(
    vault: Vault, refusing: Callable[[int | None], None], number: int
) -> None:
    first = vault.put(record())
    refusing(number)
    second = vault.put(replace(first, tokens=Tokens("access-2")))
    assert vault.open("docs", URL) == second
    assert vault.records() == [second]
    assert vault.unsaved is not None
    assert "gone with this program" in vault.unsaved.sentence
    assert "access-2" not in vault.unsaved.sentence
    assert Vault(vault._folder).open("docs", URL) == first
    with pytest.raises(CredentialsChanged):
        vault.put(first)
    refusing(None)
    third = vault.put(replace(second, tokens=Tokens("access-3")))
    assert Vault(vault._folder).open("docs", URL) == third
    assert vault.forget("docs", URL)
    assert vault.open("docs", URL) is None


def test_what_was_never_on_the_disk_can_be_forgotten(
    vault: Vault, refusing: Callable[[int | None], None]
) -> None:
    refusing(errno.EROFS)
    vault.put(record())
    assert vault.forget("docs", URL)
    assert vault.records() == []


def test_any_other_trouble_is_for_the_user(vault: Vault, refusing: Callable[[int | None], None]) -> None:
    refusing(errno.EACCES)
    with pytest.raises(StorageError):
        vault.put(record())
    assert vault.open("docs", URL) is None
    assert vault.unsaved is None


def test_turns_are_taken_also_where_nothing_can_be_written(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> Path:
        raise StorageError("no folder") from OSError(errno.EROFS, "read-only")

    monkeypatch.setattr(vaults, "private_dir", refuse)
    order: list[str] = []
    inside, go = threading.Event(), threading.Event()

    def first() -> None:
        with vault.turn("docs", URL):
            inside.set()
            assert go.wait(10)
            order.append("first")

    def second() -> None:
        with vault.turn("docs", URL):
            order.append("second")

    with ThreadPoolExecutor() as pool:
        one = pool.submit(first)
        assert inside.wait(10)
        two = pool.submit(second)
        go.set()
        one.result(10)
        two.result(10)
    assert order == ["first", "second"]


def test_a_turn_is_taken_over_all_vaults_and_hinders_no_reading(vault: Vault) -> None:
    kept = vault.put(record())
    with vault.turn("docs", URL):
        assert vault.open("docs", URL) == kept
        assert vault.put(kept).generation == 2
        with pytest.raises(Busy), Vault(vault._folder).turn("docs", URL, wait=0.05):
            pass
        with vault.turn("other", URL, wait=0.05):
            pass
