"""What servers said, from the command line: kept from runs that are over, whoever made them."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import pytest

from mooring.system.journal import Journal

BROKEN = "import sys; sys.exit('no key in sk-abcdefghijklmnop1234')"
FILE = Path(".local", "state", "mooring", "logs", "broken.log")


@pytest.fixture
def broken(own: Path) -> None:
    """A server that says why, and ends."""
    own.write_text(json.dumps({"mcp": {"broken": {"command": [sys.executable, "-c", BROKEN]}}}))


def test_what_a_server_said_before_it_failed_can_be_read_afterwards(mooring, broken):
    assert mooring("list", "broken").code == 1
    said = mooring("logs", "broken")
    assert said.code == 0
    lines = [line[25:] for line in said.out.splitlines()]
    assert lines[0] == "connecting"
    assert "no key in ***" in lines
    assert "exit code 1" in lines[-1]


def test_as_json_each_line_says_when_by_whom_and_in_which_run(mooring, broken):
    mooring("list", "broken")
    mooring("list", "broken")
    records = mooring("logs", "broken", "--json").json
    assert list(records[0]) == ["at", "run", "from", "level", "logger", "text"]
    assert {record["from"] for record in records if record["text"] == "no key in ***"} == {"stderr"}
    assert len({record["run"] for record in records}) == 2
    [last] = mooring("logs", "broken", "--lines", "1", "--json").json
    assert last == records[-1]


def test_one_that_has_said_nothing_and_one_that_is_not_there_are_told_apart(mooring, broken):
    said = mooring("logs", "broken")
    assert (said.code, said.out) == (0, "")
    assert "said nothing" in said.err
    assert mooring("logs", "broken", "--json").json == []
    said = mooring("logs", "brken")
    assert said.code == 2
    assert "Did you mean `broken`?" in said.err


def test_what_one_said_that_is_no_longer_configured_can_still_be_read(mooring, broken):
    mooring("list", "broken")
    mooring("remove", "broken")
    assert "no key" in mooring("logs", "broken").out


def test_a_file_that_somebody_else_wrote_moves_no_cursor(mooring, broken, empty_home):
    (empty_home / FILE).parent.mkdir(parents=True)
    (empty_home / FILE).write_text(json.dumps({"at": 1, "text": "\x1b[2Jhello"}) + "\n")
    assert "\x1b" not in mooring("logs", "broken").out


def test_what_another_process_writes_is_followed_as_lines_of_json(
    mooring, broken, empty_home, monkeypatch, capsys
):
    """Follows until it is interrupted, here by the third line that comes."""
    from mooring.cli.commands import logs

    journal = Journal(empty_home / FILE, "other")
    journal.write("stderr", ["before"])
    writer = threading.Timer(0.1, journal.write, ("log", ["one", "two"]), {"level": "error", "logger": "db"})
    shown = logs._show
    count = iter(range(4))

    def show(record, *, as_json: bool) -> None:
        shown(record, as_json=as_json)
        if next(count) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(logs, "_show", show)
    writer.start()
    said = mooring("logs", "broken", "--follow", "--json")
    writer.join()
    assert said.code == 130
    records = [json.loads(line) for line in said.out.splitlines()]
    assert [record["text"] for record in records] == ["connecting", "before", "one", "two"]
    assert (records[2]["level"], records[2]["logger"]) == ("error", "db")
