"""What is said over time: kept small and private, by several processes, and read back in order."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
from itertools import islice
from pathlib import Path

import pytest

from mooring.system import journal as module
from mooring.system.journal import PER_SECOND, Journal, journal_file
from mooring.system.readback import Tail, come, kept


def read(file: Path, count: int = 1000) -> list[str]:
    tail = Tail(file)
    try:
        return [record["text"] for record in kept(file, tail, count)]
    finally:
        tail.close()


def written(file: Path, *texts: str, run: str = "run") -> None:
    journal = Journal(file, run)
    journal.write("stderr", texts)
    journal.end(None)


def test_a_run_in_which_nothing_was_said_leaves_no_file(tmp_path: Path) -> None:
    Journal(tmp_path / "it.log", "run").end(None)
    assert not (tmp_path / "it.log").exists()


def test_each_line_says_when_in_which_run_and_by_whom(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "it.log", "a1")
    journal.write("log", ["slow"], level="warning", logger="db")
    journal.end("stopped")
    began, said, ended = map(json.loads, (tmp_path / "it.log").read_text().splitlines())
    assert (began["from"], said["from"], ended["from"]) == ("mooring", "log", "mooring")
    assert {began["run"], said["run"], ended["run"]} == {"a1"}
    assert began["at"] <= said["at"] <= ended["at"]
    assert (said["level"], said["logger"], said["text"]) == ("warning", "db", "slow")


def test_the_file_is_private_and_what_is_too_long_goes_aside_once(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "ROTATE_AT", 5_000)
    file = tmp_path / "logs" / "it.log"
    for number in range(100):
        written(file, f"{number} " + "x" * 200)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert sorted(each.name for each in file.parent.iterdir()) == ["it.log", "it.log.1"]
    assert sum(each.stat().st_size for each in file.parent.iterdir()) < 12_000
    assert read(file, 1)[0].startswith("99 ")


def test_only_so_much_is_kept_of_a_second_and_the_rest_is_counted(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "it.log", "run")
    assert journal.admit([PER_SECOND // 2] * 5) == 2
    assert journal.admit([1]) == 0
    journal.write("stderr", ["a", "b"])
    assert journal.close_gap()
    journal.end("gone")
    assert read(tmp_path / "it.log") == ["connecting", "a", "b", "(4 lines were left out here)", "gone"]


def test_a_disk_that_refuses_harms_nobody(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file, not a folder")
    journal = Journal(tmp_path / "logs" / "it.log", "run")
    journal.write("stderr", ["one"])
    journal.end("gone")
    assert (tmp_path / "logs").read_text() == "a file, not a folder"


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "it.log").symlink_to(tmp_path / "theirs")
    written(tmp_path / "it.log", "one")
    assert not (tmp_path / "theirs").exists()


def test_no_name_leaves_the_folder(tmp_path: Path) -> None:
    for name in ("../../etc/passwd", "..", ".", "a/b", "\0"):
        assert journal_file(tmp_path, name).resolve().parent == tmp_path.resolve()


def _write_many(file: str, run: str) -> None:
    journal = Journal(Path(file), run)
    for number in range(200):
        journal.write("stderr", [f"{run} {number} " + "x" * 100])
    journal.end(None)


@pytest.mark.process
def test_lines_of_several_processes_stay_whole(tmp_path: Path) -> None:
    file = tmp_path / "it.log"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_many, args=(str(file), run)) for run in ("a", "b", "c")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    texts = [text for text in read(file, 10_000) if text != "connecting"]
    assert len(texts) == 600
    for run in ("a", "b", "c"):
        own = [int(text.split()[1]) for text in texts if text.startswith(run)]
        assert own == list(range(200))


def test_the_last_lines_come_from_both_files_and_what_is_no_record_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "it.log"
    written(file, "one", "two")
    file.rename(tmp_path / "it.log.1")
    file.write_text('{"half of')
    assert read(file, 2) == ["one", "two"]
    file.write_text('{"half of\n[1]\n"x"\n{"at": "now", "text": "x"}\n')
    written(file, "three", run="r2")
    assert read(file, 3) == ["two", "connecting", "three"]


def test_what_comes_is_followed_also_into_a_new_file(tmp_path: Path) -> None:
    file = tmp_path / "it.log"
    tail = Tail(file)
    assert kept(file, tail, 10) == []
    coming = come(tail, 0)
    written(file, "one")
    assert [record["text"] for record in islice(coming, 2)] == ["connecting", "one"]
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
    file.rename(tmp_path / "it.log.1")
    os.write(descriptor, b'{"at": 1, "text": "late"}\n')
    os.close(descriptor)
    written(file, "two")
    assert [record["text"] for record in islice(coming, 3)] == ["late", "connecting", "two"]
    tail.close()
