"""The demo as a program: what it shows can be typed again, and nothing of it stays."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.process.terminal import terminal

from mooring.cli import app
from mooring.cli.commands import demo

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="terminals and signals of POSIX"),
]

MOORING = (sys.executable, "-m", "mooring")


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders go."""
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setenv("TMPDIR", str(room))
    monkeypatch.setenv("PATH", os.defpath)
    monkeypatch.chdir(tmp_path)
    return room


def left(room: Path, home: Path) -> list[str]:
    return [*os.listdir(room), *os.listdir(home)]  # noqa: PTH208


def test_what_it_shows_can_be_typed_again_and_says_the_same(room: Path, empty_home: Path):
    shown = subprocess.run([*MOORING, "demo"], capture_output=True, text=True, timeout=60, check=False)
    assert shown.returncode == 0, shown.stderr
    assert left(room, empty_home) == []
    for expected in ("weather  connected", "[ ] 1: Set the sails", '"fr": "Bonjour"', "Bonjour, Ada!"):
        assert expected in shown.stdout
    lines = re.findall(r"^\$ (.*)", shown.stdout, re.MULTILINE)
    assert [line.split(" -m mooring ")[1].split()[0] for line in lines] == [
        *("add", "add", "add", "list", "tools", "call", "call", "read", "prompt")
    ]
    typed = subprocess.run(
        ["sh", "-e"], input="\n".join(lines), capture_output=True, text=True, timeout=60, check=True
    )
    said = [line for line in typed.stdout.splitlines() if "connected" not in line]
    assert said
    assert [line for line in said if line not in shown.stdout] == []


def test_as_json_it_is_one_document_with_what_each_command_said(room: Path, empty_home: Path):
    shown = subprocess.run([*MOORING, "demo", "--json"], capture_output=True, timeout=60, check=True)
    told = json.loads(shown.stdout)
    assert told["ok"] is True
    steps = {step["command"][1]: step for step in told["steps"]}
    assert [server["status"] for server in steps["list"]["result"]] == ["connected"] * 3
    assert "Set the sails" in steps["call"]["result"]["content"][0]["text"]
    assert left(room, empty_home) == []


@pytest.mark.parametrize("way", ["SIGINT", "SIGTERM"])
def test_one_that_is_stopped_leaves_nothing_behind(way: str, room: Path, empty_home: Path):
    number = signal.Signals[way]
    with terminal("demo") as shown:
        shown.until(" list\r\n")
        assert os.listdir(room)  # noqa: PTH208
        shown.child.send_signal(number)
        assert shown.end() == 128 + number
    assert left(room, empty_home) == []


def test_it_ends_with_the_first_command_that_fails(
    room: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(demo, "TOUR", (("It fails:", "config get nothing"), ("Never:", "list")))
    assert app.run(["demo"]) == app.run(["config", "get", "nothing"]) != 0
    shown = capfd.readouterr().out
    assert "config get nothing" in shown
    assert "Never" not in shown
    assert left(room, empty_home) == []
