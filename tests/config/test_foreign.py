"""Other clients' files, in the shapes that they write themselves, and what we understand of them."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mooring.config.adopt import plan, write
from mooring.config.clients import Around, Client, own_shelf, shelves
from mooring.config.foreign import Found, Inventory, inventory
from mooring.config.load import load
from mooring.config.targets import file_place
from mooring.core.merge import EMPTY
from mooring.core.spec import BadServer, Config, LocalSpec, OAuth, RemoteSpec, Timeouts, ToolFilter
from mooring.errors import ForeignUnreadable
from mooring.system.dirs import Dirs


@pytest.fixture
def project(empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = empty_home / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def around(platform: str = "linux") -> Around:
    return Around(Path.cwd(), Dirs.of(os.environ), os.environ, platform)


def taken(client: Client) -> Inventory:
    return inventory(client, around(), EMPTY)


def put(home: Path, file: str, text: str) -> None:
    (home / file).parent.mkdir(parents=True, exist_ok=True)
    (home / file).write_text(text)


def remote(url: str, **more: Any) -> RemoteSpec:
    return RemoteSpec(name="", url=url, **more)


def local(command: str, *args: str, **more: Any) -> LocalSpec:
    return LocalSpec(name="", command=command, args=args, **more)


DESKTOP = """{"mcpServers": {
  "filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/data"]},
  "shell": {"command": "sh", "args": ["-c", "echo ${HOME}"]}},
 "globalShortcut": ""}"""
CODE = """{"numStartups": 3, "mcpServers": {
  "everywhere": {"type": "http", "url": "https://a.example.com/mcp", "headers": {"X": "${KEY:-none}"}},
  "both": {"type": "stdio", "command": "user", "args": [], "env": {}}},
 "projects": {"%(project)s": {"allowedTools": [], "mcpServers": {
  "both": {"type": "stdio", "command": "./here", "args": [], "env": {}},
  "old": {"type": "sse", "url": "https://b.example.com/sse"}}}}}"""
CURSOR = """{
  // comments are fine
  "mcpServers": {
    "envs": {"type": "stdio", "command": "uvx", "args": ["x"],
      "env": {"K": "${env:K}"}, "envFile": "${userHome}/.env"},
    "oauth": {"url": "https://c.example.com/mcp", "auth":
      {"CLIENT_ID": "me", "CLIENT_SECRET": "${env:S}", "scopes": ["a", "b"]}},
  },
}"""
VSCODE = """{"servers": {
  "ask": {"type": "stdio", "command": "npx", "args": ["p"], "env": {"K": "${input:key}"}},
  "web": {"type": "http", "url": "https://d.example.com/mcp"}},
 "inputs": [{"type": "promptString", "id": "key", "description": "Key", "password": true},
            {"type": "promptString", "id": "unused"}]}"""
VSCODE_OLD = (
    """{"editor.tabSize": 2, "mcp": {"servers": {"legacy": {"command": "l", "args": []}}, "inputs": []}}"""
)
WINDSURF = """{"mcpServers": {
  "web": {"serverUrl": "https://e.example.com/mcp",
    "headers": {"A": "Bearer ${env:T}", "B": "${file:/run/t}"}},
  "off": {"command": "o", "disabled": true, "disabledTools": ["x"]}}}"""
CODEX = """[mcp_servers.figma]
url = "https://f.example.com/mcp"
bearer_token_env_var = "FIGMA"
env_http_headers = { X = "VAR" }
startup_timeout_sec = 20
tool_timeout_sec = 45.5
enabled_tools = ["open"]
[mcp_servers.figma.tools.open]
approval_mode = "approve"
[mcp_servers.local]
command = "npx"
args = ["-y", "m"]
env_vars = ["A", { name = "B", source = "local" }]
enabled = false
[mcp_servers.local.env]
X = "${literal}"
"""
GEMINI = """{"mcpServers": {
  "py": {"command": "python", "args": ["-m", "s"], "env": {"K": "$TOKEN", "L": "${OTHER}"}, "timeout": 15000},
  "http": {"httpUrl": "http://localhost:3000/mcp", "trust": true,
    "includeTools": ["a"], "excludeTools": ["b"]},
  "either": {"url": "http://localhost:8080/sse", "oauth": {"scopes": ["p", "q"]}},
  "sse": {"url": "http://localhost:8080/sse", "type": "sse"}}}"""
ZED = """// Zed settings
{"context_servers": {
  "new": {"source": "custom", "command": "some", "args": ["-a"], "env": {}, "timeout": 30},
  "old": {"command": {"path": "older", "args": [], "env": {"A": "b"}}, "settings": {}},
  "web": {"url": "https://g.example.com/mcp", "headers": {"Authorization": "Bearer x"}},
},}"""

CASES: list[tuple[Client, str, str, dict[str, LocalSpec | RemoteSpec]]] = [
    (
        Client.CLAUDE_DESKTOP,
        ".config/Claude/claude_desktop_config.json",
        DESKTOP,
        {
            "filesystem": local("npx", "-y", "@modelcontextprotocol/server-filesystem", "/data"),
            "shell": local("sh", "-c", "echo {env:HOME}"),
        },
    ),
    (
        Client.CLAUDE_CODE,
        ".claude.json",
        CODE,
        {
            "both": local("%(project)s/here"),
            "old": remote("https://b.example.com/sse", transport="sse"),
            "everywhere": remote(
                "https://a.example.com/mcp", transport="http", headers={"X": "{env:KEY:-none}"}
            ),
        },
    ),
    (
        Client.CURSOR,
        ".cursor/mcp.json",
        CURSOR,
        {
            "envs": local("uvx", "x", environment={"K": "{env:K}"}, env_file="%(home)s/.env"),
            "oauth": remote("https://c.example.com/mcp", oauth=OAuth("me", "{env:S}", "a b")),
        },
    ),
    (
        Client.VSCODE,
        ".config/Code/User/mcp.json",
        VSCODE,
        {
            "ask": local("npx", "p", environment={"K": "{input:key}"}),
            "web": remote("https://d.example.com/mcp", transport="http"),
        },
    ),
    (Client.VSCODE, ".config/Code - Insiders/User/settings.json", VSCODE_OLD, {"legacy": local("l")}),
    (
        Client.WINDSURF,
        ".codeium/windsurf/mcp_config.json",
        WINDSURF,
        {
            "web": remote("https://e.example.com/mcp", headers={"A": "Bearer {env:T}", "B": "{file:/run/t}"}),
            "off": local("o", enabled=False, tools=ToolFilter(exclude=("x",))),
        },
    ),
    (
        Client.CODEX,
        ".codex/config.toml",
        CODEX,
        {
            "figma": remote(
                "https://f.example.com/mcp",
                headers={"Authorization": "Bearer {env:FIGMA}", "X": "{env:VAR}"},
                timeouts=Timeouts(start=20, call=45.5),
                tools=ToolFilter(("open",)),
            ),
            "local": local(
                "npx", "-y", "m", inherit=("A", "B"), enabled=False, environment={"X": "{env:literal}"}
            ),
        },
    ),
    (
        Client.GEMINI,
        ".gemini/settings.json",
        GEMINI,
        {
            "py": local(
                "python",
                "-m",
                "s",
                environment={"K": "{env:TOKEN}", "L": "{env:OTHER}"},
                timeouts=Timeouts(15, 15, 15),
            ),
            "http": remote(
                "http://localhost:3000/mcp",
                transport="http",
                trusted=True,
                tools=ToolFilter(("a",), ("b",)),
            ),
            "either": remote("http://localhost:8080/sse", oauth=OAuth(scope="p q")),
            "sse": remote("http://localhost:8080/sse", transport="sse"),
        },
    ),
    (
        Client.ZED,
        ".config/zed/settings.json",
        ZED,
        {
            "new": local("some", "-a", timeouts=Timeouts(30, 30, 30)),
            "old": local("older", environment={"A": "b"}),
            "web": remote("https://g.example.com/mcp", headers={"Authorization": "Bearer x"}),
        },
    ),
]


@pytest.mark.parametrize(("client", "file", "text", "expected"), CASES, ids=lambda case: str(case)[:20])
def test_every_client_is_understood_in_its_own_words(
    empty_home: Path,
    project: Path,
    client: Client,
    file: str,
    text: str,
    expected: dict[str, LocalSpec | RemoteSpec],
) -> None:
    put(empty_home, file, text.replace("%(project)s", str(project)))
    found = taken(client)
    assert found.files == (str(empty_home / file),)
    assert not found.problems
    assert {server.name: server.spec for server in found.servers} == {
        name: placed(replace(spec, name=name), {"home": str(empty_home), "project": str(project)})
        for name, spec in expected.items()
    }


def placed(spec: Any, places: dict[str, str]) -> Any:
    if not isinstance(spec, LocalSpec):
        return spec
    return replace(spec, command=spec.command % places, env_file=spec.env_file and spec.env_file % places)


@pytest.mark.parametrize(("client", "file", "text", "expected"), CASES, ids=lambda case: str(case)[:20])
def test_what_is_written_down_says_the_same(
    empty_home: Path, project: Path, client: Client, file: str, text: str, expected: dict[str, Any]
) -> None:
    put(empty_home, file, text.replace("%(project)s", str(project)))
    found = taken(client)
    for target in ("own.json", "own.toml"):
        assert adopted(project / target, found.servers) == {
            server.name: server.spec for server in found.servers
        }


def adopted(target: Path, servers: tuple[Found, ...]) -> dict[str, Any]:
    write(file_place(target), list(plan(servers, {}, replace=False)), {})
    config = loaded(target)
    target.unlink()
    return dict(config.servers)


def loaded(target: Path) -> Config:
    return load(target.parent, Dirs.of(os.environ), {"MOORING_CONFIG": str(target)}).config


def test_every_desktop_has_its_own_folders(project: Path, empty_home: Path) -> None:
    mac, windows = around("darwin"), Around(project, Dirs.of(os.environ), {"APPDATA": "/Roaming"}, "win32")
    support = empty_home / "Library/Application Support"
    assert shelves(Client.CLAUDE_DESKTOP, mac)[0].file == support / "Claude/claude_desktop_config.json"
    assert shelves(Client.VSCODE, mac)[0].file == support / "Code/User/mcp.json"
    assert shelves(Client.ZED, mac)[0].file == empty_home / ".config/zed/settings.json"
    assert shelves(Client.VSCODE, windows)[2].file == Path("/Roaming/Code - Insiders/User/mcp.json")


def test_variables_move_what_they_move_for_the_client(project: Path) -> None:
    moved = Around(project, Dirs.of(os.environ), {"CODEX_HOME": "/c", "CLAUDE_CONFIG_DIR": "/d"}, "linux")
    assert own_shelf(Client.CODEX, moved).file == Path("/c/config.toml")
    assert own_shelf(Client.CLAUDE_CODE, moved).file == Path("/d/.claude.json")


def test_only_the_inputs_that_a_server_names_come_along(project: Path, empty_home: Path) -> None:
    put(empty_home, ".config/Code/User/mcp.json", VSCODE)
    ask, web = taken(Client.VSCODE).servers
    assert [item["id"] for item in ask.inputs] == ["key"]
    assert web.inputs == ()
    write(file_place(project / "m.json"), list(plan([ask, web], {}, replace=False)), {})
    config = loaded(project / "m.json")
    assert (config.inputs["key"].secret, list(config.inputs)) == (True, ["key"])


def test_paths_of_the_open_project_are_pinned_and_said(project: Path, empty_home: Path) -> None:
    put(
        empty_home,
        ".cursor/mcp.json",
        '{"mcpServers": {"a": {"command": "a", "cwd": "${workspaceFolder}/x"}, "b": {"command": "b"}}}',
    )
    first, second = taken(Client.CURSOR).servers
    assert isinstance(first.spec, LocalSpec)
    assert (first.spec.cwd, first.is_pinned) == (f"{project}/x", True)
    assert not second.is_pinned


def test_what_a_client_means_literally_is_told(project: Path, empty_home: Path) -> None:
    put(empty_home, ".config/Claude/claude_desktop_config.json", DESKTOP)
    assert [server.was_literal for server in taken(Client.CLAUDE_DESKTOP).servers] == [False, True]
    put(empty_home, ".gemini/settings.json", GEMINI)
    assert not any(server.was_literal for server in taken(Client.GEMINI).servers)


def test_keys_that_mean_nothing_here_are_told(project: Path, empty_home: Path) -> None:
    put(empty_home, ".codex/config.toml", CODEX)
    assert taken(Client.CODEX).servers[0].left_out == ("tools.approval_mode",)


def test_a_bad_entry_harms_nobody_else(project: Path, empty_home: Path) -> None:
    entries = {
        "both": {"command": "a", "url": "https://x"},
        "none": {"args": []},
        "odd": 3,
        "good": {"command": "g"},
    }
    entries |= {"ext": {"source": "extension", "enabled": True, "settings": {}}}
    put(empty_home, ".config/zed/settings.json", json.dumps({"context_servers": entries}, indent=1))
    found = taken(Client.ZED)
    bad = {server.name: server.spec for server in found.servers if isinstance(server.spec, BadServer)}
    assert bad.keys() == {"both", "none", "odd", "ext"}
    assert all(error.spot and error.spot.line for spec in bad.values() for error in spec.errors)
    assert [server.name for server in found.servers if server.name not in bad] == ["good"]


@pytest.mark.parametrize(
    ("text", "line"), [('\n{"mcpServers": {', 2), ("[]", 1), ('{"mcpServers": []}', None), ("\0", 1)]
)
def test_a_broken_file_is_a_problem_of_its_client_alone(
    project: Path, empty_home: Path, text: str, line: int | None
) -> None:
    put(empty_home, ".cursor/mcp.json", text)
    found = taken(Client.CURSOR)
    (problem,) = found.problems
    assert isinstance(problem, ForeignUnreadable)
    assert found.servers == ()
    if line is not None:
        assert problem.spot is not None
        assert problem.spot.line == line


@pytest.mark.parametrize("text", ["", " \n", "{}", '{"other": 1}', '{"mcpServers": null}'])
def test_a_file_without_servers_is_no_problem(project: Path, empty_home: Path, text: str) -> None:
    put(empty_home, ".cursor/mcp.json", text)
    assert (taken(Client.CURSOR).servers, taken(Client.CURSOR).problems) == ((), ())
