"""`mooring debug`: the wire of one connection, as a person and as a program reads it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

SERVER = Path(__file__).parents[1] / "servers" / "notes.py"
NOTES = {"command": [sys.executable, str(SERVER)]}
REPEATS = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    print('heard ' + os.environ['API_KEY'], file=sys.stderr, flush=True)
    print('not a message: ' + os.environ['API_KEY'], flush=True)
    error = {'code': -32000, 'message': 'no ' + os.environ['API_KEY'], 'data': {'token': 'tiger'}}
    print(json.dumps({'jsonrpc': '2.0', 'id': message.get('id'), 'error': error}), flush=True)
"""


@pytest.fixture
def servers(own: Path):
    environment = {"API_KEY": "hunter22"}
    repeats = {"command": [sys.executable, "-c", REPEATS], "environment": environment}
    missing = {"command": ["no-such-program", "--token=hunter33"]}
    own.write_text(json.dumps({"mcp": {"notes": NOTES, "repeats": repeats, "missing": missing}}))


def test_every_message_is_a_line_with_its_time_and_direction_between_the_steps(mooring, servers):
    said = mooring("debug", "notes")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    wire = [re.match(r" {2,8}(\d+\.\d{3}) ([→←]) (.*)", line) for line in lines]
    told = [(found[2], found[3].split("  ")[0]) for found in wire if found]
    assert told[:5] == [
        ("→", "#1 server/discover"),
        ("←", "#1 error -32601 Method not found"),
        ("→", "#2 initialize"),
        ("←", "#2 result"),
        ("→", "notifications/initialized"),
    ]
    assert any(line.startswith("  ✓ handshake ") for line in lines)
    assert '  {"protocolVersion": "2025-11-25", ' in said.out
    about = said.out.partition("negotiated\n")[2]
    assert re.search(r"^  protocol +2025-11-25, the old era$", about, re.MULTILINE)
    assert re.search(r"^  server +notes 1$", about, re.MULTILINE)
    assert re.search(r"^  capabilities +tools, resources, prompts$", about, re.MULTILINE)


def test_in_full_a_message_is_all_there(mooring, servers):
    said = mooring("debug", "notes", "--full")
    found = re.search(r"→ #3 tools/list  \d+ B\n((?: {14}.*\n)+)", said.out)
    assert found is not None
    assert json.loads(found[1]) == {"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {}}


def test_as_json_it_is_one_object_with_all_of_it(mooring, servers):
    shown = mooring("debug", "notes", "--json").json
    assert (shown["name"], shown["works"], shown["era"]) == ("notes", True, "legacy")
    assert shown["entry"]["type"] == "local"
    assert shown["capabilities"] == {"tools": {}, "resources": {}, "prompts": {}}
    assert (shown["auth"], shown["remembered"]) == (None, None)
    first, *_, last = shown["wire"]
    assert (first["kind"], first["way"], first["message"]["method"]) == ("message", "out", "server/discover")
    assert {key: last[key] for key in ("kind", "code")} == {"kind": "exit", "code": 0}
    assert [note["ms"] for note in shown["wire"]] == sorted(note["ms"] for note in shown["wire"])


def test_what_is_remembered_is_used_and_said(mooring, servers):
    mooring("list")
    shown = mooring("debug", "notes", "--json").json
    assert shown["remembered"] == {
        "protocol": "legacy",
        "serverVersion": "1",
        "counts": {"tools": 6, "resources": 1, "templates": 1, "prompts": 1},
    }
    assert shown["wire"][0]["message"]["method"] == "initialize"
    assert (
        "remembered    the old era, version 1, 6 tools, 1 resource, 1 template, 1 prompt"
        in mooring("debug", "notes").out
    )


@pytest.mark.parametrize("words", [(), ("--full",), ("--json",)], ids=["short", "full", "json"])
def test_no_secret_is_in_it_whoever_repeats_it(mooring, servers, words: tuple[str, ...]):
    said = mooring("debug", "repeats", *words)
    assert said.code == 1
    for secret in ("hunter22", "tiger"):
        assert secret not in said.out + said.err
    for shown in ("heard ***", "not a message: ***", "no ***"):
        assert shown in said.out


def test_a_server_that_does_not_start_is_told_as_in_a_test(mooring, servers):
    said = mooring("debug", "missing")
    assert said.code == 1
    assert "command not found: `no-such-program` (MOOR-SERVER-002)" in said.out
    assert "none was agreed on" in said.out
    assert "hunter33" not in said.out
    assert mooring("debug", "nots").code == 2
    assert mooring("debug").code == 2
