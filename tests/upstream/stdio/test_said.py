"""What a program says on stderr: kept short, clean and without secrets."""

from __future__ import annotations

import stat
from pathlib import Path

from mooring.upstream.stdio import said as module
from mooring.upstream.stdio.said import LINES, LONGEST, PER_SECOND, Said, log_file

SECRET = "hunter2-hunter2"


def test_the_last_lines_are_at_hand() -> None:
    said = Said()
    for number in range(1000):
        said.feed(f"line {number}\n".encode())
    assert said.last(2) == ("line 998", "line 999")
    assert len(said.last(10_000)) == LINES


def test_a_secret_is_masked_even_when_it_comes_in_two_pieces(tmp_path: Path) -> None:
    said = Said(tmp_path / "it.log", (SECRET,))
    said.feed(f"token {SECRET[:5]}".encode())
    said.feed(f"{SECRET[5:]} refused\n".encode())
    said.feed(b"ghp_abcdefghijklmnopqrstuvwxyz0123456789\n")
    said.end()
    written = (tmp_path / "it.log").read_text() + "".join(said.last())
    assert SECRET not in written
    assert "abcdefghijklmnop" not in written
    assert said.last()[0] == "token *** refused"


def test_a_secret_at_the_edge_of_a_line_that_is_cut_is_not_shown_in_part() -> None:
    said = Said(None, (SECRET,))
    said.feed(b"x" * (LONGEST - 7) + SECRET.encode() + b" and more\n")
    assert SECRET[:5] not in said.last()[0]


def test_nothing_in_it_moves_a_cursor_and_no_byte_breaks_it() -> None:
    said = Said()
    said.feed(b"\x1b[2J\x07caf\xe9\r\n")
    assert "\x1b" not in said.last()[0]
    assert said.last()[0].endswith("caf\ufffd")


def test_what_has_no_end_of_line_is_kept_at_the_end() -> None:
    said = Said()
    said.feed(b"FATAL: no key")
    said.end()
    assert said.last() == ("FATAL: no key",)


def test_a_line_without_an_end_costs_no_memory() -> None:
    said = Said()
    for _ in range(100):
        said.feed(b"x" * 100_000)
    assert len(said._open) <= 2 * LONGEST
    said.end()
    assert len(said.last()[0]) <= LONGEST


def test_the_file_is_private_and_stays_small(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "ROTATE_AT", 10_000)
    file = tmp_path / "logs" / "it.log"
    said = Said(file)
    for _ in range(2000):
        said.feed(b"a line of some length\n")
    said.end()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.stat().st_size < 11_000
    assert [each.name for each in sorted(file.parent.iterdir())] == ["it.log", "it.log.1"]


def test_of_a_flood_the_file_keeps_the_beginning_and_the_end(tmp_path: Path) -> None:
    said = Said(tmp_path / "it.log")
    said.feed(b"first\n")
    for _ in range(100):
        said.feed((b"x" * 1023 + b"\n") * 64)
    said.feed(b"FATAL\n")
    said.end()
    lines = (tmp_path / "it.log").read_text().splitlines()
    assert (lines[0], lines[-1]) == ("first", "FATAL")
    assert any("lines were left out" in line for line in lines)
    assert (tmp_path / "it.log").stat().st_size < 8 * PER_SECOND


def test_a_disk_that_refuses_costs_the_file_only(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file, not a folder")
    said = Said(tmp_path / "logs" / "it.log")
    said.feed(b"one\n")
    assert said.last() == ("one",)


def test_no_name_of_a_server_leaves_the_folder(tmp_path: Path) -> None:
    for name in ("../../etc/passwd", "..", ".", "a/b", "\0"):
        assert log_file(tmp_path, name).parent == tmp_path
        assert log_file(tmp_path, name).resolve().parent == tmp_path.resolve()
