"""What a program says on stderr: kept short, clean and without secrets."""

from __future__ import annotations

import json
from pathlib import Path

from mooring.system.journal import PER_SECOND, Journal
from mooring.upstream.stdio.said import LINES, LONGEST, Said

SECRET = "hunter2-hunter2"


def test_the_last_lines_are_at_hand() -> None:
    said = Said()
    for number in range(1000):
        said.feed(f"line {number}\n".encode())
    assert said.last(2) == ("line 998", "line 999")
    assert len(said.last(10_000)) == LINES


def test_a_secret_is_masked_even_when_it_comes_in_two_pieces(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "it.log", "run")
    said = Said(journal, (SECRET,))
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


def test_of_a_flood_the_journal_keeps_the_beginning_and_the_end(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "it.log", "run")
    said = Said(journal)
    said.feed(b"first\n")
    for _ in range(100):
        said.feed((b"x" * 1023 + b"\n") * 64)
    said.feed(b"FATAL\n")
    said.end()
    journal.end(None)
    texts = [json.loads(line)["text"] for line in (tmp_path / "it.log").read_text().splitlines()]
    assert (texts[1], texts[-1]) == ("first", "FATAL")
    assert any("lines were left out" in text for text in texts)
    assert (tmp_path / "it.log").stat().st_size < 8 * PER_SECOND
