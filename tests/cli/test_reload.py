"""`mooring reload`: what it says of servers that were met anew."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

SERVER = Path(__file__).parents[1] / "servers" / "notes.py"
# a server that lists what stands in a file
LISTS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    answers = {
        'initialize': {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}}, 'serverInfo': {}},
        'tools/list': {'tools': json.load(open(sys.argv[1]))},
    }
    answer = {'result': answers[message['method']]} if message['method'] in answers else {}
    answer = answer or {'error': {'code': -32601, 'message': 'no'}}
    if 'id' in message:
        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], **answer}), flush=True)
"""


def tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}, **more}


@pytest.fixture
def lists(own: Path, tmp_path: Path):
    """`lists(tool("a"))` makes that what the one server offers."""
    file = tmp_path / "tools.json"
    it = {"command": [sys.executable, "-c", LISTS, str(file)], "lazy": True}
    own.write_text(json.dumps({"mooring": {"pins": "off"}, "mcp": {"it": it}}))

    def write(*tools: dict[str, Any]) -> None:
        file.write_text(json.dumps(tools))

    write(tool("a"), tool("b"))
    return write


def test_what_has_changed_is_said_and_holds_from_then_on(mooring, lists):
    assert mooring("reload", "it").out == "it  nothing was remembered of it: 2 tools\n"
    lists(tool("a", description="new"), tool("c"))
    # a lazy server is known by what is remembered of it
    assert [each["name"] for each in mooring("tools", "--json").json] == ["it_a", "it_b"]
    said = mooring("reload")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == ["it  has changed", "  + tool it_c", "  - tool it_b", "  ~ tool it_a"]
    assert [each["name"] for each in mooring("tools", "--json").json] == ["it_a", "it_c"]
    assert mooring("reload").out == "it  as it was: 2 tools\n"


def test_as_json_every_list_is_there(mooring, lists):
    mooring("reload")
    lists(tool("a"))
    (found,) = mooring("reload", "--json").json
    assert (found["name"], found["status"], found["different"]) == ("it", "connected", True)
    assert found["remembered"]["counts"]["tools"] == 2
    assert found["changes"]["tools"] == {"added": [], "removed": ["it_b"], "changed": []}
    assert found["changes"]["instructions"] is False


def test_a_server_that_does_not_work_is_told_with_its_reason_and_decides(mooring, own: Path):
    entry = {"command": [sys.executable, str(SERVER)]}
    missing = {"command": ["no-such-program"]}
    own.write_text(
        json.dumps({"mcp": {"notes": entry, "missing": missing, "off": {**entry, "enabled": False}}})
    )
    said = mooring("reload")
    assert said.code == 1
    assert said.out.splitlines()[:3] == [
        "notes  nothing was remembered of it: 6 tools, 1 resource, 1 template, 1 prompt",
        "missing  does not work",
        "    command not found: `no-such-program`",
    ]
    assert "left out: off" in said.err
    off = mooring("reload", "off")
    assert (off.code, off.out) == (0, "off  switched off; what was remembered of it is forgotten\n")
    assert mooring("reload", "nots").code == 2


def test_tools_that_nobody_has_approved_are_said_with_the_command_that_shows_them(mooring, lists, own: Path):
    own.write_text(own.read_text().replace('"off"', '"warn"'))
    mooring("reload")
    lists(tool("a", description="new"), tool("b"))
    said = mooring("reload").out
    assert "  ~ tool it_a" in said
    assert "→ mooring pins diff it" in said


def test_debug_says_that_a_failure_may_come_from_what_is_remembered(mooring, lists, tmp_path: Path):
    mooring("reload")
    (tmp_path / "tools.json").unlink()
    assert "mooring reload it" in mooring("debug", "it").err


def test_without_servers_there_is_nothing_to_meet(mooring):
    assert mooring("reload", "--json").json == []
    assert mooring("reload").code == 0
