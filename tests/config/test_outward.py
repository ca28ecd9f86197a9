"""Mooring written into other clients' files: one entry, and not a character more."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mooring.config.clients import Around, Client, own_shelf
from mooring.config.jsonc import parse
from mooring.config.ourselves import is_ours
from mooring.config.outward import Export, entry_for
from mooring.errors import ForeignUnreadable
from mooring.system.dirs import Dirs

COMMAND = ["/opt/bin/mooring", "gateway"]
PLAIN = {"command": "/opt/bin/mooring", "args": ["gateway"]}
STDIO = {"type": "stdio", **PLAIN}

SHAPES: dict[Client, tuple[str, dict[str, Any]]] = {
    Client.CLAUDE_DESKTOP: (".config/Claude/claude_desktop_config.json", {"mcpServers": {"mooring": PLAIN}}),
    Client.CLAUDE_CODE: (".claude.json", {"mcpServers": {"mooring": STDIO}}),
    Client.CURSOR: (".cursor/mcp.json", {"mcpServers": {"mooring": STDIO}}),
    Client.VSCODE: (".config/Code/User/mcp.json", {"servers": {"mooring": STDIO}}),
    Client.WINDSURF: (".codeium/windsurf/mcp_config.json", {"mcpServers": {"mooring": PLAIN}}),
    Client.CODEX: (".codex/config.toml", {"mcp_servers": {"mooring": PLAIN}}),
    Client.GEMINI: (".gemini/settings.json", {"mcpServers": {"mooring": PLAIN}}),
    Client.ZED: (
        ".config/zed/settings.json",
        {"context_servers": {"mooring": {"source": "custom", **PLAIN, "env": {}}}},
    ),
    Client.OPENCODE: (
        ".config/opencode/opencode.json",
        {"mcp": {"mooring": {"type": "local", "command": COMMAND, "enabled": True}}},
    ),
}


def export(client: Client, *, is_there: bool = True, name: str = "mooring") -> Export:
    around = Around(Path.cwd(), Dirs.of(os.environ), os.environ, "linux")
    return Export(own_shelf(client, around), name, entry_for(client, COMMAND) if is_there else None)


def tree(client: Client, text: str) -> Any:
    return tomllib.loads(text) if client is Client.CODEX else parse(text, "").tree


@pytest.mark.parametrize("client", Client)
def test_every_client_gets_its_own_shape_in_its_own_file(client: Client, empty_home: Path) -> None:
    file, shape = SHAPES[client]
    wanted = export(client)
    assert wanted.shelf.file == empty_home / file
    text = wanted.apply(None)
    assert tree(client, text) == shape
    assert wanted.apply(text) == text
    assert is_ours(next(iter(next(iter(shape.values())).values())))


@pytest.mark.parametrize("client", Client)
def test_taking_it_out_leaves_what_was_there(client: Client) -> None:
    before = '# mine\nmodel = "x"  # so\n' if client is Client.CODEX else '{\n\t// mine\n\t"x": [1,2],\n}\n'
    text = export(client).apply(before)
    after = export(client, is_there=False).apply(text)
    assert "mine" in after
    assert tree(client, after).get("x" if client is not Client.CODEX else "model") in ([1, 2], "x")
    assert "mooring" not in after
    assert export(client, is_there=False).apply(after) == after
    assert export(client, is_there=False).apply(None) == ""


def test_comments_order_and_everybody_else_stay() -> None:
    before = """{
  // my servers
  "theme": "dark", /* nice */
  "mcpServers": {
    "notes": { "command": "n", "env": {"K": "v"} }, // last
  },
}
"""
    text = export(Client.CURSOR).apply(before)
    added = '\n    "mooring": {\n'
    start = text.index(added)
    end = text.index("}", start) + 1
    assert text[:start] + text[end:].removeprefix(",") == before


def test_what_the_user_added_to_our_entry_stays() -> None:
    mine = {"mcpServers": {"mooring": {"command": "mooring", "args": ["gateway"], "env": {"A": "b"}}}}
    text = export(Client.CURSOR).apply(json.dumps(mine))
    assert tree(Client.CURSOR, text)["mcpServers"]["mooring"] == {**STDIO, "env": {"A": "b"}}
    off = {"mcp": {"mooring": {"type": "local", "command": COMMAND, "enabled": False}}}
    assert export(Client.OPENCODE).apply(json.dumps(off)) == json.dumps(off)


@pytest.mark.parametrize(
    ("entry", "is_own"),
    [
        ({"command": "/a/mooring", "args": ["gateway"]}, True),
        ({"command": "C:\\bin\\mooring.exe", "args": ["gateway"]}, True),
        ({"command": ["/usr/bin/python3", "-m", "mooring", "gateway"]}, True),
        ({"command": {"path": "mooring", "args": ["gateway", "--quiet"]}}, True),
        ({"command": "mooring", "args": ["list"]}, False),
        ({"command": "mooring"}, False),
        ({"command": "npx", "args": ["mooring", "gateway"]}, False),
        ({"url": "https://mooring"}, False),
        ("mooring", False),
        (None, False),
    ],
)
def test_our_entry_is_told_from_others(entry: Any, is_own: bool) -> None:
    assert is_ours(entry) is is_own
    text = json.dumps({"mcpServers": {"mooring": entry}})
    assert (export(Client.CURSOR).conflict(text) is None) is (is_own or entry is None)


def test_a_broken_file_is_said_with_its_line() -> None:
    with pytest.raises(ForeignUnreadable) as caught:
        export(Client.GEMINI).apply('{"a": 1,\n "mcpServers": {{}}')
    assert caught.value.spot is not None
    assert caught.value.spot.line == 2


def test_vscode_is_whichever_is_installed(empty_home: Path) -> None:
    (empty_home / ".config/VSCodium/User").mkdir(parents=True)
    assert export(Client.VSCODE).shelf.file == empty_home / ".config/VSCodium/User/mcp.json"
    (empty_home / ".config/Code/User").mkdir(parents=True)
    assert export(Client.VSCODE).shelf.file == empty_home / ".config/Code/User/mcp.json"


KEYS = st.sampled_from(["mcpServers", "mooring", "a", "x y", ""])
TREES = st.dictionaries(
    KEYS,
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
        max_leaves=6,
    ),
    max_size=3,
)


@pytest.mark.parametrize("name", ["a.b", "with space", 'quo"te', "ü", "[x]"])
def test_any_name_has_a_place_in_toml(name: str) -> None:
    before = "[mcp_servers.a]\ncommand = 'x'\n\n[other]\nb = 1\n"
    text = export(Client.CODEX, name=name).apply(before)
    assert tomllib.loads(text)["mcp_servers"] == {"a": {"command": "x"}, name: PLAIN}
    assert export(Client.CODEX, name=name, is_there=False).apply(text).strip() == before.strip()


@settings(max_examples=60)
@given(tree=TREES, indent=st.sampled_from([None, 2]), name=KEYS)
def test_nothing_but_the_entry_changes(tree: dict[str, Any], indent: int | None, name: str) -> None:
    servers = tree.setdefault("mcpServers", {})
    if not isinstance(servers, dict):
        servers = tree["mcpServers"] = {}
    before = json.dumps(tree, indent=indent)
    text = export(Client.CURSOR, name=name).apply(before)
    after = parse(text, "").tree
    entry = after["mcpServers"].pop(name)
    assert entry.items() >= STDIO.items()
    servers.pop(name, None)
    assert after == tree
