"""`mooring test`: what it says of servers that work, and of those that do not."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

SERVERS = Path(__file__).parents[1] / "servers"
NOTES = {"command": [sys.executable, str(SERVERS / "notes.py")]}
BROKEN = {
    "command": [sys.executable, "-c", "import os, sys; sys.exit('no ' + os.environ['API_KEY'])"],
    "environment": {"API_KEY": "hunter22"},
}
STEPS = ["configuration", "start", "handshake", "tools", "resources", "templates", "prompts", "ping", "end"]


@pytest.fixture
def servers(own: Path):
    """`servers(notes=NOTES)` writes the user's own file."""

    def write(**found: Any) -> None:
        own.write_text(json.dumps({"mcp": found}))

    write(notes=NOTES)
    return write


def test_every_step_stands_on_a_line_with_its_time_and_what_it_found(mooring, servers):
    said = mooring("test", "notes")
    assert (said.code, said.err) == (0, "")
    head, *steps, last = said.out.splitlines()
    assert head.startswith("notes  stdio  ")
    assert [line.split()[:2] for line in steps] == [["✓", name] for name in STEPS]
    assert all(re.search(r" \d+ ms", line) for line in steps)
    assert [line.split()[4:] for line in steps[1:5]] == [[], ["2025-11-25", "·", "notes", "1"], ["6"], ["1"]]
    assert steps[0].endswith("~/.config/mooring/mooring.jsonc")
    assert re.fullmatch(r"  works, \d+ ms in all", last)


def test_of_a_server_that_does_not_work_one_hears_where_it_ends_and_what_to_do(mooring, servers):
    servers(broken=BROKEN)
    said = mooring("test", "broken")
    assert said.code == 1
    lines = said.out.splitlines()
    assert "✗ handshake" in said.out
    assert "ended with exit code 1 before the handshake was done (MOOR-SERVER-003)" in said.out
    assert "    │ no ***" in lines
    assert any(line.startswith("    → ") and "mcp.broken.inherit" in line for line in lines)
    assert lines[-1] == "  does not work: handshake"
    assert "tools" not in said.out


def test_as_json_all_steps_are_there_also_those_that_were_not_reached(mooring, servers):
    servers(broken=BROKEN, notes=NOTES)
    said = mooring("test", "notes", "broken", "--json")
    assert said.code == 1
    notes, broken = said.json
    assert (notes["name"], notes["works"], notes["error"], notes["exitCode"]) == ("notes", True, None, 0)
    assert [(step["step"], step["verdict"]) for step in notes["steps"]] == [(name, "ok") for name in STEPS]
    assert (broken["works"], broken["exitCode"], broken["stderr"]) == (False, 1, ["no ***"])
    assert broken["error"]["code"] == "MOOR-SERVER-003"
    assert broken["steps"][-1] == {
        "step": "end",
        "verdict": "skipped",
        "ms": None,
        "says": "not reached",
        "notes": [],
    }


def test_without_a_name_all_are_tried_that_are_switched_on_and_the_worst_decides(mooring, servers):
    servers(
        notes=NOTES,
        missing={"command": ["no-such-program"]},
        off={**NOTES, "enabled": False},
        bad={"command": 3},
    )
    said = mooring("test")
    assert said.code == 2
    assert [line.split()[0] for line in said.out.splitlines() if not line.startswith(" ") and line] == [
        "notes",
        "missing",
        "bad",
    ]
    assert "command not found: `no-such-program` (MOOR-SERVER-002)" in said.out
    assert "mooring.jsonc:1:" in said.out
    assert "left out: off" in said.err


def test_a_server_that_is_switched_off_is_tried_when_it_is_named(mooring, servers):
    servers(off={**NOTES, "enabled": False})
    said = mooring("test", "off")
    assert said.code == 0
    assert "`off` is switched off, and stays so" in said.err
    assert "mooring enable off" in said.err


def test_what_waits_for_a_yes_is_not_started(mooring, project: Path):
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": {"notes": {"command": "x"}}}))
    said = mooring("test", "notes")
    assert said.code == 4
    assert "✗ configuration" in said.out
    assert "mooring trust notes" in said.out


def test_a_name_that_nobody_has_starts_nothing(mooring, servers):
    said = mooring("test", "notes", "nots")
    assert (said.code, said.out) == (2, "")
    assert "Did you mean `notes`?" in said.err


def test_without_servers_there_is_nothing_to_try(mooring):
    assert mooring("test", "--json").json == []
    said = mooring("test")
    assert (said.code, said.out) == (0, "")
    assert "mooring add" in said.err
