"""The walk of `mooring list`: from a file, through the host, to a table on the screen.

`cli/app` finds the verb -> `commands/list` -> `config.load` reads what is configured -> `open_host` has one
task for each server, which dials, agrees on an era and lists -> `settled` -> `servers` -> `views`, or
the table.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from mooring import open_host
from mooring.cli import app
from mooring.config.load import load
from mooring.core.events import Event, StatusChanged
from mooring.core.spec import LocalSpec
from mooring.core.status import Connected, Connecting, Failed, Pending
from mooring.system.dirs import Dirs
from mooring.testing import dial_to


@pytest.fixture
def home(empty_home: Path, protocol: str, monkeypatch: pytest.MonkeyPatch, ship: MCPServer) -> Path:
    """Two servers are written down: one lives in this test, of the other there is only the name."""
    written: dict[str, Any] = {
        "ship": {"command": ["ship"], "protocol": protocol},
        "wreck": {"command": ["wreck"]},
    }
    file = empty_home / ".config" / "mooring" / "mooring.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"mcp": written}))
    monkeypatch.chdir(empty_home)
    monkeypatch.setattr("mooring.upstream.dial.dialer", lambda _ground: dial_to({"ship": ship}))
    return empty_home


async def test_what_is_written_becomes_a_spec_a_link_and_a_view(home: Path, protocol: str) -> None:
    # the file is read, and each entry checked
    config = load(home, Dirs.of({"HOME": str(home)}), {}).config
    spec = config.servers["ship"]
    assert isinstance(spec, LocalSpec)
    assert (spec.command, spec.protocol) == ("ship", protocol)

    async with open_host(config, cwd=home) as host:
        # nothing has been waited for yet; each server has a task that goes its own pace
        assert isinstance(host.server("ship").status, Pending)
        heard: list[Event] = []
        with host.bus.hear(heard.append):
            await host.settled()
        moves = [event for event in heard if isinstance(event, StatusChanged) and event.server == "ship"]
        assert [type(event.after) for event in moves] == [Connecting, Connected]

        # one server's misfortune is its own
        ship, wreck = host.servers()
        assert isinstance(ship.status, Connected)
        assert (ship.status.protocol, ship.status.server_version) == (protocol, "1.2.0")
        assert isinstance(wreck.status, Failed)

        # what works is in one catalogue, under names that no other server can have
        names = [tool.name for tool in host.catalog.tools()]
        assert names == ["ship_learn", "ship_sink", "ship_wait", "ship_write"]


def test_a_program_gets_the_views_and_a_script_the_verdict(
    home: Path, protocol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(["list", "--json"]) == 0
    ship, wreck = json.loads(capsys.readouterr().out)
    assert (ship["status"], ship["protocol"], ship["serverVersion"]) == ("connected", protocol, "1.2.0")
    assert ship["counts"] == {"tools": 4, "resources": 1, "templates": 0, "prompts": 0}
    assert (wreck["status"], wreck["error"]["code"]) == ("failed", "MOOR-NET-001")
    assert wreck["hint"]

    assert app.run(["list", "--check"]) == 1
    assert app.run(["list", "ship"]) == 0


def test_a_person_gets_a_table_with_the_reason_of_each_failure(
    home: Path, protocol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(["list"]) == 0
    ship, wreck = capsys.readouterr().out.splitlines()
    assert ship.split()[:5] == ["ship", "connected", "stdio", protocol, "4"]
    assert wreck.split()[:2] == ["wreck", "failed"]
    assert "there is no `wreck` in this test" in wreck
