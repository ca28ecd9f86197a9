"""From configuration files to a host, and what changes of the files do to it."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.host.conftest import config, spec
from tests.host.scripted import Scripted

from mooring import open_host
from mooring.config import wellknown
from mooring.config.load import load
from mooring.config.trust import Approvals, launch_of
from mooring.core.events import ConfigReloaded
from mooring.core.spec import LocalSpec
from mooring.core.status import Connected, Disabled, Failed, NeedsApproval
from mooring.errors import MissingVariable, NeedsApprovalError, NotConnected
from mooring.system.dirs import Dirs
from mooring.testing import dial_to


def write(folder: Path, servers: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mooring.json").write_text(json.dumps({"mcp": servers}))


async def test_a_map_says_what_a_file_would_say(tmp_path: Path) -> None:
    given = {
        "mcp": {"clock": {"command": [sys.executable, "-m", "mooring.servers.greet"]}, "bad": {"command": 3}}
    }
    async with open_host(given, cwd=tmp_path) as host:
        await host.settled()
        assert isinstance(host.server("clock").status, Connected)
        assert isinstance(host.server("bad").status, Failed)
        assert host.server("clock").transport == "stdio"


async def test_a_projects_server_waits_for_a_yes(tmp_path: Path, empty_home: Path) -> None:
    write(tmp_path, {"clock": {"command": ["clock"]}})
    dial = dial_to({"clock": Scripted()})
    async with open_host(cwd=tmp_path, dial=dial) as host:
        await host.settled()
        assert isinstance(host.server("clock").status, NeedsApproval)
        with pytest.raises(NeedsApprovalError):
            await host.call(None, "clock_tick")
        env = {"HOME": str(empty_home)}
        entry = load(tmp_path, Dirs.of(env), env).config.servers["clock"]
        assert isinstance(entry, LocalSpec)
        import os

        approvals = Approvals(Dirs.of(os.environ).data)
        approvals.add(launch_of(entry, dict(os.environ), tmp_path), 0)
        assert isinstance((await host.connect("clock")).status, Connected)


async def test_a_missing_variable_is_named_and_stops_only_its_server(tmp_path: Path) -> None:
    given = {"mcp": {"clock": {"command": ["clock", "{env:NOWHERE}"]}, "other": {"command": ["x"]}}}
    dial = dial_to({"clock": Scripted(), "other": Scripted()})
    async with open_host(given, cwd=tmp_path, dial=dial) as host:
        await host.settled()
        status = host.server("clock").status
        assert isinstance(status, Failed)
        assert isinstance(status.error, MissingVariable)
        assert status.next_try is None
        assert isinstance(host.server("other").status, Connected)


async def test_after_a_reload_servers_stand_in_the_order_of_the_files(tmp_path: Path) -> None:
    names = ("last", "new", "first")
    servers = {name: Scripted() for name in names}
    async with open_host(config(spec("last"), spec("first")), cwd=tmp_path, dial=dial_to(servers)) as host:
        await host.reload(config(*map(spec, names)))
        assert tuple(view.name for view in host.servers()) == names


async def test_a_reload_touches_only_what_is_different(tmp_path: Path) -> None:
    servers = {name: Scripted() for name in ("same", "changed", "gone", "off", "new")}
    before = config(*(spec(name) for name in ("same", "changed", "gone", "off")))
    after = config(
        spec("same", trusted=True), spec("changed", args=("-v",)), spec("off", enabled=False), spec("new")
    )
    async with open_host(before, cwd=tmp_path, dial=dial_to(servers)) as host:
        await host.ready()
        event = await host.reload(after)
        assert event == ConfigReloaded(("new",), ("gone", "off"), ("changed",))
        await host.ready()
        assert {name: server.connections for name, server in servers.items()} == {
            "same": 1,
            "changed": 2,
            "gone": 1,
            "off": 1,
            "new": 1,
        }
        assert isinstance(host.server("off").status, Disabled)
        assert [tool.name for tool in host.catalog.tools()] == ["changed_tick", "new_tick", "same_tick"]
        with pytest.raises(NotConnected, match="switched off"):
            await host.call(None, "off_tick")


async def test_an_organisation_that_hangs_keeps_nobody_waiting(
    tmp_path: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither when the host opens, nor when a file is read again."""
    monkeypatch.setattr(wellknown, "DEADLINE", 1.0)
    monkeypatch.setattr(wellknown, "SPARED_FOR", 0.0)
    mine = empty_home / ".config" / "mooring"
    write(mine, {"first": {"command": ["first"]}})
    gaps: list[float] = []

    async def tick() -> None:
        while True:
            begun = time.monotonic()
            await asyncio.sleep(0.01)
            gaps.append(time.monotonic() - begun)

    with socket.create_server(("127.0.0.1", 0)) as silent:
        env = {**os.environ, "MOORING_ORGANISATION": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        ticking = asyncio.create_task(tick())
        dial = dial_to({"first": Scripted(), "second": Scripted()})
        async with asyncio.timeout(20), open_host(cwd=tmp_path, env=env, dial=dial, watch=True) as host:
            await host.settled()
            with host.bus.subscribe() as events:
                while host.config.servers.keys() != {"second"}:
                    write(mine, {"second": {"command": ["second"]}})
                    async for event in events:
                        if isinstance(event, ConfigReloaded):
                            break
        ticking.cancel()
    assert max(gaps) < 0.8


async def test_files_that_change_are_read_again(tmp_path: Path, empty_home: Path) -> None:
    mine = empty_home / ".config" / "mooring"
    write(mine, {"first": {"command": ["first"]}})
    dial = dial_to({"first": Scripted(), "second": Scripted()})
    async with open_host(cwd=tmp_path, dial=dial, watch=True) as host, asyncio.timeout(20):
        await host.settled()
        with host.bus.subscribe() as events:
            while host.config.servers.keys() != {"second"}:
                # Until files are watched, a change is not seen: then it is written once more.
                write(mine, {"second": {"command": ["second"]}})
                async for event in events:
                    if isinstance(event, ConfigReloaded):
                        break
        await host.settled()
        assert [view.name for view in host.servers()] == ["second"]
