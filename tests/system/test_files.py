"""Reading within bounds, replacing as a whole, and editing one at a time."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from mooring.errors import Busy, EditFailed, StorageError, TooLarge, UnreadableFile
from mooring.system.files import edit_text, private_dir, read_text, write_atomic, write_private
from mooring.system.locks import locked

posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and permissions of POSIX")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_that_is_not_there_is_none(tmp_path: Path):
    (tmp_path / "file").write_text("x")
    assert read_text(tmp_path / "nope") is None
    assert read_text(tmp_path / "file" / "nope") is None


def test_text_is_read_as_it_is(tmp_path: Path):
    path = tmp_path / "f"
    path.write_bytes(b"\xef\xbb\xbf{\r\n}\xc3\xa9")
    assert read_text(path) == "\ufeff{\r\n}é"


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"\xff\xfe{\x00}\x00", "UTF-16"),
        (b"a\nb\n\xe9\n", "line 3"),
        (b"a\n\x00", "line 2"),
    ],
)
def test_what_is_not_utf_8_is_named_with_its_line(tmp_path: Path, content: bytes, word: str):
    path = tmp_path / "f"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=word) as caught:
        read_text(path)
    assert caught.value.hint


def test_a_large_file_is_not_read(tmp_path: Path):
    path = tmp_path / "f"
    path.write_bytes(b"a" * 10_000_000)
    with pytest.raises(TooLarge):
        read_text(path)
    assert read_text(path, limit=10_000_000) == "a" * 10_000_000


@posix
def test_what_is_not_a_file_is_refused_and_never_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for path, word in [
        (tmp_path, "a folder"),
        (tmp_path / "pipe", "a pipe"),
        (tmp_path / "loop", "leads back to itself"),
        (Path("/dev/zero"), "a device"),
    ]:
        with pytest.raises(UnreadableFile, match=word):
            read_text(path)
        with pytest.raises((EditFailed, UnreadableFile)):
            edit_text(path, lambda _: "new")
        if path != Path("/dev/zero"):
            with pytest.raises(EditFailed):
                write_atomic(path, "new")


@posix
def test_a_link_stays_a_link_and_its_target_is_replaced(tmp_path: Path):
    (tmp_path / "dotfiles").mkdir()
    target = tmp_path / "dotfiles" / "real.json"
    target.write_text("old")
    link = tmp_path / "link.json"
    link.symlink_to(Path("dotfiles") / "real.json")
    write_atomic(link, "new")
    assert link.is_symlink()
    assert target.read_text() == read_text(link) == "new"
    assert list(target.parent.iterdir()) == [target]


@posix
def test_permissions_stay_and_a_new_file_gets_those_asked_for(tmp_path: Path):
    old = tmp_path / "old"
    old.write_text("x")
    old.chmod(0o640)
    write_atomic(old, "y", mode=0o600)
    write_atomic(tmp_path / "new", b"y", mode=0o600)
    edit_text(old, lambda text: f"{text}z", mode=0o600)
    edit_text(tmp_path / "edited", lambda _: "z", mode=0o600)
    assert mode_of(old) == 0o640
    assert mode_of(tmp_path / "new") == mode_of(tmp_path / "edited") == 0o600


@posix
def test_a_file_made_read_only_is_not_replaced(tmp_path: Path):
    path = tmp_path / "f"
    path.write_text("mine")
    path.chmod(0o444)
    with pytest.raises(EditFailed, match="read-only") as caught:
        write_atomic(path, "new")
    assert "chmod u+w" in caught.value.hint
    assert path.read_text() == "mine"
    assert list(tmp_path.glob(".mooring*")) == []


def test_missing_folders_are_made(tmp_path: Path):
    edit_text(tmp_path / "a" / "b" / "f", lambda text: f"{text}")
    assert (tmp_path / "a" / "b" / "f").read_text() == "None"


def test_an_edit_that_changes_nothing_writes_nothing(tmp_path: Path):
    path = tmp_path / "f"
    path.write_text("x")
    before = path.stat()
    assert edit_text(path, lambda text: text or "") == "x"
    assert path.stat().st_ino == before.st_ino


def test_an_edit_that_fails_leaves_the_file_and_the_lock_alone(tmp_path: Path):
    path = tmp_path / "f"
    path.write_text("x")
    with pytest.raises(ZeroDivisionError):
        edit_text(path, lambda _: str(1 // 0))
    with pytest.raises(EditFailed):
        edit_text(path, lambda _: "\ud800")
    assert edit_text(path, lambda text: f"{text}y", wait=0) == "xy"
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["f"]


def test_what_another_program_saved_in_the_meantime_is_not_lost(tmp_path: Path):
    path = tmp_path / "f"
    path.write_text("0")
    seen: list[str | None] = []

    def change(text: str | None) -> str:
        seen.append(text)
        if len(seen) < 3:
            path.write_text(f"{len(seen)}")
        return f"{text}+ours"

    assert edit_text(path, change) == path.read_text() == "2+ours"
    assert seen == ["0", "1", "2"]


def test_a_file_that_never_stops_changing_is_busy(tmp_path: Path):
    path = tmp_path / "f"
    path.write_text("0")

    def change(text: str | None) -> str:
        path.write_text(f"{text}0")
        return "ours"

    with pytest.raises(Busy):
        edit_text(path, change)
    assert path.read_text() == "000000"


def test_threads_take_turns(tmp_path: Path):
    path = tmp_path / "f"
    path.write_text("0")

    def count() -> None:
        for _ in range(25):
            edit_text(path, lambda text: str(int(text or 0) + 1), wait=30)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert path.read_text() == "100"


def test_a_held_lock_is_busy_after_the_wait_and_leaves_no_file(tmp_path: Path):
    with locked(tmp_path / "f"), pytest.raises(Busy), locked(tmp_path / "f", wait=0.05):
        pass
    with locked(tmp_path / "f", wait=0):
        pass
    if os.name == "posix":
        assert [one for one in tmp_path.iterdir() if one.is_file()] == []


@posix
def test_a_file_and_a_link_to_it_have_one_lock(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "f").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "f")
    with locked(tmp_path / "link"), pytest.raises(Busy), locked(tmp_path / "real" / "f", wait=0):
        pass


@posix
def test_a_private_folder_is_ours_alone(tmp_path: Path):
    folder = private_dir(tmp_path / "a" / "b")
    assert mode_of(folder) == mode_of(folder.parent) == 0o700
    assert private_dir(folder) == folder
    (tmp_path / "link").symlink_to(folder)
    folder.chmod(0o720)
    (tmp_path / "file").write_text("x")
    for path in (folder, tmp_path / "link", tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StorageError) as caught:
            private_dir(path)
        assert caught.value.hint


@posix
def test_a_private_file_is_0600_whatever_it_was_and_never_behind_a_link(tmp_path: Path):
    path = tmp_path / "f"
    path.write_text("x")
    path.chmod(0o644)
    write_private(path, "secret")
    assert mode_of(path) == 0o600
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(StorageError):
        write_private(tmp_path / "link", "other")
    assert path.read_text() == "secret"
