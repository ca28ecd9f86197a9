"""Servers used from a real terminal: seen coming up, asked back, interrupted."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.process.terminal import terminal

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="terminals and signals of POSIX"),
]

SERVER = Path(__file__).parents[1] / "servers" / "notes.py"
# it comes up when somebody has looked at the table
SLOW = "import os, runpy; open(os.environ['GATE']).readline(); runpy.run_path(os.environ['NOTES'])"


@pytest.fixture(autouse=True)
def gate(tmp_path: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where a line lets a server go on; a server that never comes for it holds nobody."""
    os.mkfifo(tmp_path / "gate")
    descriptor = os.open(tmp_path / "gate", os.O_RDWR)
    write_servers(str(tmp_path / "gate"), empty_home / "servers.json")
    monkeypatch.setenv("MOORING_CONFIG", str(empty_home / "servers.json"))
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    monkeypatch.chdir(tmp_path)
    yield descriptor
    os.close(descriptor)


def write_servers(gate: str, file: Path) -> None:
    environment = {"GATE": gate, "NOTES": str(SERVER)}
    found = {
        "notes": {"command": [sys.executable, str(SERVER)], "environment": {"NOTES_GATE": gate}},
        "slow": {"command": [sys.executable, "-c", SLOW], "environment": environment, "lazy": True},
    }
    file.write_text(json.dumps({"mcp": found}))


@pytest.fixture
def eager(gate: int, empty_home: Path) -> None:
    """The slow server is wanted from the beginning."""
    file = empty_home / "servers.json"
    file.write_text(file.read_text().replace('"lazy": true', '"lazy": false'))


def test_a_server_is_seen_coming_up(gate: int, eager: None):
    with terminal("list", columns=100) as shown:
        shown.until("connecting")
        os.write(gate, b"go\n")
        assert shown.end() == 0
    table = shown.text.rpartition("\x1b[J")[2]
    assert "connecting" not in table
    assert table.count("connected") == 3
    assert "2 connected" in table


def test_what_is_typed_ahead_leaves_the_table_in_its_place(gate: int, eager: None):
    with terminal("list", columns=100) as shown:
        shown.until("connecting")
        assert not shown.echoes()
        shown.type("typed\n")
        os.write(gate, b"go\n")
        assert shown.end() == 0
        assert shown.echoes()
    assert "typed" not in shown.text


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_terminal_shows_again_what_is_typed_however_the_table_ends(eager: None, name: str):
    number = getattr(signal, name)
    with terminal("list", columns=100) as shown:
        shown.until("connecting")
        assert not shown.echoes()
        shown.child.send_signal(number)
        assert shown.end() == (130 if name == "SIGINT" else -number)
        assert shown.echoes()


def test_a_question_of_a_server_is_answered_at_the_terminal():
    with terminal("call", "notes_ask") as shown:
        shown.until("Answer it?")
        shown.type("y\n")
        assert shown.end() == 0
    assert "│ Why?" in shown.text
    assert shown.text.rstrip().endswith("accept")


@pytest.mark.parametrize(("typed", "told"), [("n\n", "decline"), ("\x04", "cancel")])
def test_no_and_the_end_are_told_apart(typed: str, told: str):
    with terminal("call", "notes_ask") as shown:
        shown.until("Answer it?")
        shown.type(typed)
        assert shown.end() == 0
    assert shown.text.rstrip().endswith(told)


def test_an_interrupt_at_a_question_cancels_the_question_alone():
    with terminal("call", "notes_ask") as shown:
        shown.until("Answer it?")
        shown.child.send_signal(signal.SIGINT)
        assert shown.end() == 0
    assert shown.text.rstrip().endswith("cancel")


def test_progress_is_one_line_that_is_gone_when_the_result_is_there(gate: int):
    with terminal("call", "notes_count") as shown:
        shown.until("notes_count [##########..........] 50% page 2")
        os.write(gate, b"go\n")
        assert shown.end() == 0
    assert shown.text.endswith("\r\x1b[Kdone\r\n")


def test_what_is_typed_ahead_leaves_the_progress_on_its_line(gate: int):
    with terminal("call", "notes_count") as shown:
        shown.until("50% page 2")
        assert not shown.echoes()
        shown.type("typed\n")
        os.write(gate, b"go\n")
        assert shown.end() == 0
        assert shown.echoes()
    assert shown.text.endswith("page 2\r\x1b[Kdone\r\n")


def test_what_a_tool_gives_is_readable_json_in_colour(monkeypatch: pytest.MonkeyPatch):
    with terminal("call", "notes_add", "title=Milk") as shown:
        assert shown.end() == 0
    assert "\x1b[32m" in shown.text
    monkeypatch.setenv("NO_COLOR", "1")
    with terminal("call", "notes_add", "title=Milk") as plain:
        assert plain.end() == 0
    assert plain.text == '{\r\n  "title": "Milk"\r\n}\r\n'
