"""Whatever stands in a client's file: it is read, and what is good survives being written down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mooring.config.adopt import plan, write
from mooring.config.clients import Around, Client, own_shelf, shelves
from mooring.config.foreign import inventory
from mooring.config.load import load
from mooring.config.targets import file_place
from mooring.core.merge import EMPTY
from mooring.core.spec import BadServer, Config
from mooring.system.dirs import Dirs


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def loaded(target: Path) -> Config:
    dirs = Dirs.of({"HOME": str(target.parent)})
    return load(target.parent, dirs, {"MOORING_CONFIG": str(target)}).config


LOGIN_KEYS = ["auth", "oauth", "scopes", "CLIENT_ID", "id", "headers"]
KEYS = st.sampled_from(
    [
        *LOGIN_KEYS,
        "command",
        "args",
        "env",
        "url",
        "type",
        "timeout",
        "tools",
        "cwd",
        "envFile",
        "path",
        "name",
    ]
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
WORDS = st.text(st.sampled_from("ab $}{:-./~"), min_size=1, max_size=12)
ENTRIES = st.one_of(
    st.fixed_dictionaries(
        {"command": WORDS},
        optional={
            "args": st.lists(WORDS | TEXTS, max_size=3),
            "env": st.dictionaries(WORDS, WORDS | st.booleans() | st.integers(0, 9), max_size=2),
            "cwd": WORDS,
            "envFile": WORDS,
            "disabled": st.booleans(),
            "timeout": st.integers(1, 10**6),
        },
    ),
    st.fixed_dictionaries(
        {"url": WORDS.map(lambda word: f"https://x.example.com/{word}")},
        optional={
            "headers": st.dictionaries(WORDS, WORDS, max_size=2),
            "type": st.sampled_from(["http", "sse", "streamable-http"]),
            "oauth": st.booleans() | st.just({"client_id": "x"}),
            "tools": st.lists(WORDS, max_size=2),
        },
    ),
)


@settings(max_examples=60)
@given(
    servers=st.dictionaries(WORDS, ENTRIES, min_size=1, max_size=3),
    client=st.sampled_from([Client.CURSOR, Client.GEMINI, Client.WINDSURF, Client.CLAUDE_DESKTOP]),
)
@example(
    servers={":": {"command": ":", "args": [], "timeout": 1, "disabled": False, "envFile": ":"}},
    client=Client.CURSOR,
)
def test_any_entry_survives_being_written_down(
    servers: dict[str, Any], client: Client, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    here = Around(home, Dirs.of({"HOME": str(home)}), {})
    file = shelves(client, here)[0].file
    put(file, json.dumps({"mcpServers": servers}))
    found = inventory(client, here, EMPTY).servers
    assert {server.name for server in found} == servers.keys()
    good = tuple(server for server in found if not isinstance(server.spec, BadServer))
    target = home / "own/own.json"
    if good:
        write(file_place(target), list(plan(good, {}, replace=False)), {})
        assert loaded(target).servers == {server.name: server.spec for server in good}


JSONS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["", "./x", "${input:i}", "$X", "http", "a b"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=100)
@given(
    entries=st.dictionaries(st.text("ab", max_size=2), st.dictionaries(KEYS, JSONS, max_size=4), max_size=2),
    inputs=JSONS | st.lists(st.dictionaries(st.just("id"), JSONS)),
    client=st.sampled_from([one for one in Client if one not in (Client.CODEX, Client.OPENCODE)]),
)
def test_nothing_in_a_file_is_too_odd(
    entries: Any, inputs: Any, client: Client, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    here = Around(home, Dirs.of({"HOME": str(home)}), {})
    shelf = own_shelf(client, here)
    put(shelf.file, json.dumps({shelf.path[0]: entries, "inputs": inputs}))
    found = inventory(client, here, EMPTY)
    assert len(found.servers) == len(entries)
    steps = [step for step in plan(found.servers, {}, replace=False) if step.outcome.is_written]
    write(file_place(home / "own/own.json"), steps, {})
    assert loaded(home / "own/own.json").servers == {step.found.name: step.found.spec for step in steps}
