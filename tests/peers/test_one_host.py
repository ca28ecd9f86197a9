"""One host over servers by others, each of them where it is at home, all at once."""

from __future__ import annotations

import asyncio
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from mooring import open_host
from mooring.core.events import ResourceUpdated

pytestmark = pytest.mark.peers

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "tests" / "peers"
NODE = str(Path(sys.executable).with_name("node"))
PACKAGES = PEERS / "node_modules/@modelcontextprotocol"
PYTHON, SQLITE = (ROOT / ".cache" / name / "bin" for name in ("peers-python", "peers-sqlite"))
HARBOUR = [NODE, str(PEERS / "server.mjs"), "stdio"]
SERVERS = {
    "everything": [NODE, str(PACKAGES / "server-everything/dist/index.js"), "stdio"],
    "harbour": HARBOUR,
    "time": [str(PYTHON / "mcp-server-time"), "--local-timezone", "UTC"],
    "sqlite": [str(SQLITE / "mcp-server-sqlite"), "--db-path", "ships.db"],
    "greet": [sys.executable, "-m", "mooring.servers.greet"],
    "nobody": [str(ROOT / "nobody-is-here")],
}


async def test_a_host_uses_all_of_them_at_once_and_one_that_is_missing_harms_none(tmp_path: Path) -> None:
    config = {"mcp": {name: {"command": command} for name, command in SERVERS.items()}}
    async with open_host(config, cwd=tmp_path) as host:
        await host.settled()
        words = {view.name: view.word for view in host.servers()}
        assert words == {name: "failed" if name == "nobody" else "connected" for name in SERVERS}
        answers = await asyncio.gather(
            host.call(None, "everything_get-sum", {"a": 2, "b": 40}),
            host.call(None, "harbour_add", {"a": 2, "b": 40}),
            host.call(None, "time_get_current_time", {"timezone": "UTC"}),
            host.call(None, "sqlite_list_tables"),
            host.call(None, "greet_greet", {"name": "Ada"}),
        )
        assert [answer.is_error for answer in answers] == [False] * 5
        assert answers[-1].text == "Hello, Ada!"
        assert "Genoa" in (await host.read(None, "harbour://ports/Genoa")).text


FOLLOWED = {
    "todo": ("todo://open", "todo_add_todo", {"text": "Set the sails"}),
    "everything": ("demo://resource/dynamic/text/1", "everything_toggle-subscriber-updates", {}),
}


@pytest.mark.parametrize("name", list(FOLLOWED))
async def test_a_change_of_a_resource_is_announced_in_both_eras(name: str, tmp_path: Path) -> None:
    """The one has a stream of its own for it, the other says it in between, every five seconds."""
    uri, tool, arguments = FOLLOWED[name]
    commands = {**SERVERS, "todo": [sys.executable, "-m", "mooring.servers.todo"]}
    async with open_host({"mcp": {name: {"command": commands[name]}}}, cwd=tmp_path) as host:
        await host.settled()
        with host.bus.subscribe() as events:
            await host.follow(name, uri)
            await host.call(None, tool, arguments)
            async for heard in events:
                if isinstance(heard, ResourceUpdated):
                    assert heard == ResourceUpdated(name, uri)
                    return
    pytest.fail("nothing was announced")


async def test_a_skill_of_another_sdk_is_listed_and_read(tmp_path: Path) -> None:
    async with open_host({"mcp": {"harbour": {"command": HARBOUR}}}, cwd=tmp_path) as host:
        (skill,) = await host.skills("harbour")
        assert (skill.name, skill.description) == ("knots", "Ties knots")
        assert skill == await host.skill("harbour", skill.uri)
        texts = {uri: await host.skill_file(None, skill, uri) for uri in skill.files}
    assert b"See references/bowline.md" in texts[skill.uri]
    for uri, text in texts.items():
        assert skill.files[uri].digest == f"sha256:{sha256(text).hexdigest()}"
