"""What is wrong with a file or a value stays its own problem, is said with its line, never opens anything."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mooring.core.merge import find
from mooring.core.spec import LocalSpec
from mooring.errors import (
    BadEntry,
    BadValue,
    BrokenSyntax,
    DuplicateKey,
    MooringError,
    TooLarge,
    UnknownKey,
    UnreadableFile,
)

GLOBAL, PROJECT = "~/.config/mooring/mooring.json", "mooring.json"


BROKEN = '{"mcp": {\n  "x": {"command": ["a"],\n    "enabled" true}\n}}'


def test_a_broken_file_is_said_with_its_line_and_the_others_load(world):
    world.put(GLOBAL, {"mcp": {"fine": {"command": ["a"]}}})
    file = world.put(PROJECT, BROKEN)
    loaded = world.load()
    assert [*loaded.config.servers] == ["fine"]
    (problem,) = loaded.config.problems
    assert isinstance(problem, BrokenSyntax)
    assert problem.spot is not None
    assert (problem.spot.file, problem.spot.line) == (str(file), 3)
    assert problem.spot.column
    assert '"enabled"' in (problem.spot.text or "")
    assert problem.hint


def test_a_broken_managed_file_stops_everything(world):
    world.put(GLOBAL, {"mcp": {"fine": {"command": ["a"]}}})
    world.put("../etc/opencode/opencode.json", BROKEN)
    with pytest.raises(BrokenSyntax):
        world.load()


def test_a_bad_entry_fails_alone_with_its_line_and_the_accepted_shape(world):
    file = world.put(PROJECT, {"mcp": {"fine": {"command": ["a"]}, "bad": {"type": "local", "command": []}}})
    bad = world.bad("bad")
    assert isinstance(bad.errors[0], BadEntry)
    assert str(bad.errors[0].spot).startswith(f"{file}:10")
    assert "For example" in bad.errors[0].hint or "Local:" in bad.errors[0].hint
    assert isinstance(world.load().config.servers["fine"], LocalSpec)


@pytest.mark.parametrize(
    "entry",
    [
        5,
        "npx",
        [],
        {"enabled": True, "command": {}},
        {"command": ""},
        {"command": [1]},
        {"command": "a", "args": "b"},
        {"command": "a", "args": [1]},
        {"command": "a", "timeout": -1},
        {"command": "a", "timeout": "30s"},
        {"command": "a", "timeout": 0},
        {"command": "a", "timeout": 10**400},
        {"command": "a", "startup_timeout_sec": 1e308},
        {"command": "a", "timeout": {"start": 1.5}},
        {"command": "a", "enabled": "yes"},
        {"command": "a", "environment": ["A=1"]},
        {"command": "a", "environment": {"A": {"b": 1}}},
        {"command": "a", "tools": 5},
        {"command": "a\0b"},
        {"command": "a", "url": "https://h.example", "type": None},
        {"type": "remote"},
        {"type": "websocket", "url": "https://h.example"},
        {"url": "ftp://h.example"},
        {"url": "https://"},
        {"url": "https://h.example:99999"},
        {"url": "https://h.example", "headers": {"A": "b\r\nC: d"}},
        {"url": "https://h.example", "oauth": "yes"},
        {"url": "https://h.example", "oauth": {"callbackPort": 0}},
    ],
)
def test_an_entry_that_makes_no_sense_is_one_bad_server(world, entry: object):
    world.put(PROJECT, {"mcp": {"x": entry, "fine": {"command": "a"}}})
    assert world.bad("x").errors[0].hint
    assert isinstance(world.load().config.servers["fine"], LocalSpec)


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 129, "no\u3164tes"])
def test_a_name_that_no_server_can_have_is_one_bad_server(world, name: str):
    world.put(PROJECT, {"mcp": {name: {"command": "a"}}})
    assert "name" in world.bad(name).errors[0].sentence


def test_unknown_keys_are_kept_and_said_with_the_nearest(world):
    world.put(
        PROJECT, {"mcp": {"x": {"comand": ["a"], "command": ["a"], "timeout": {"strat": 5}}}, "permision": {}}
    )
    loaded = world.load()
    problems = [problem for problem in loaded.config.problems if isinstance(problem, UnknownKey)]
    assert [(p.sentence.split("`")[1], p.hint) for p in problems] == [
        ("mcp.x.comand", "Did you mean `command`?"),
        ("mcp.x.timeout.strat", "Did you mean `start`?"),
        ("permision", "Did you mean `permission`?"),
    ]
    assert [p.spot.line for p in problems if p.spot] == [4, 11, 15]
    assert find(loaded.tree, ("mcp", "x", "comand")) is not None
    assert loaded.config.settings == {"permision": {}}


def test_a_key_written_twice_is_said(world):
    world.put(PROJECT, '{"mcp": {"x": {"command": ["a"]},\n "x": {"command": ["b"]}}}')
    (problem,) = world.load().config.problems
    assert isinstance(problem, DuplicateKey)
    assert problem.spot is not None
    assert problem.spot.line == 2
    assert world.local("x").command == "b"


# --- a setting that cannot be understood never opens anything


@pytest.mark.parametrize("value", ["dney", 5, [], True, ["deny"]])
def test_a_permission_that_is_none_is_deny(world, value: object):
    world.put(GLOBAL, {"permission": {"bash": "ask"}})
    world.put(PROJECT, {"permission": value})
    loaded = world.load()
    assert loaded.config.settings["permission"] == "deny"
    (problem,) = loaded.config.problems
    assert isinstance(problem, BadValue)
    assert problem.severity == "error"
    assert "`deny`" in problem.sentence
    assert problem.spot is not None
    assert problem.spot.line == 2


def test_one_bad_effect_denies_only_what_it_is_about(world):
    rules = {"a": "allow", "b": "dney", "c": {"x": "allow", "y": 1}}
    world.put(
        PROJECT, {"permission": rules, "agent": {"plan": {"permission": {"d": "no"}, "tools": {"e": "off"}}}}
    )
    settings = world.load().config.settings
    assert settings["permission"] == {"a": "allow", "b": "deny", "c": {"x": "allow", "y": "deny"}}
    assert settings["agent"] == {"plan": {"permission": {"d": "deny"}, "tools": {"e": False}}}
    assert len(world.load().config.problems) == 4


@pytest.mark.parametrize(("key", "value"), [("tools", 5), ("tools", []), ("agent", []), ("agent", "build")])
def test_a_wrong_type_does_not_hide_what_weaker_layers_say(world, key: str, value: object):
    said = {"tools": {"x_*": False}, "agent": {"build": {"tools": {"y_*": False}}}}
    world.put(GLOBAL, said)
    world.put(PROJECT, {key: value})
    loaded = world.load()
    assert loaded.config.settings == said
    assert [type(problem) for problem in loaded.config.problems] == [BadValue]


@pytest.mark.parametrize(
    "key", ["mcp", "mcpServers", "inputs", "model", "instructions", "experimental", "mooring"]
)
def test_every_other_wrong_type_at_the_top_is_an_error_too(world, key: str):
    world.put(PROJECT, {key: 5})
    (problem,) = world.load().config.problems
    assert isinstance(problem, BadValue)
    assert f"`{key}`" in problem.sentence


# --- files that are no files


def loop(file: Path) -> None:
    file.symlink_to(file)


def undecodable(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")


def null(file: Path) -> None:
    file.write_bytes(b'{"mcp": {}}\n\0')


def large(file: Path) -> None:
    file.write_text("{" + " " * 10_000_000 + "}")


def deep(file: Path) -> None:
    file.write_text('{"a":' * 200 + "1" + "}" * 200)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (Path.mkdir, UnreadableFile),
        (os.mkfifo, UnreadableFile),
        (loop, UnreadableFile),
        (undecodable, UnreadableFile),
        (null, UnreadableFile),
        (large, TooLarge),
        (deep, TooLarge),
    ],
)
def test_what_is_no_configuration_file_is_a_clear_error(
    world, make: Callable[[Path], None], kind: type[MooringError]
):
    world.put(GLOBAL, {"mcp": {"fine": {"command": ["a"]}}})
    make(world.project / "mooring.json")
    loaded = world.load()
    assert [*loaded.config.servers] == ["fine"]
    (problem,) = loaded.config.problems
    assert type(problem) is kind
    assert str(world.project / "mooring.json") in problem.sentence
    assert problem.hint


@pytest.mark.parametrize("text", ["", "{}", "\ufeff{}", "// nothing\r\n{\r\n}\r\n"])
def test_an_empty_file_says_nothing_and_is_no_error_beyond_its_own(world, text: str):
    world.put("mooring.jsonc", text)
    config = world.load().config
    assert config.servers == {}
    assert len(config.problems) <= (0 if text else 1)


def test_a_byte_order_mark_and_windows_newlines_change_nothing(world):
    (world.project / "mooring.json").write_bytes(b'\xef\xbb\xbf{"mcp":\r\n {"x": {"command": 5}}}\r\n')
    assert world.bad("x").errors[0].spot.line == 2


def test_a_link_to_a_file_is_read_like_the_file(world):
    world.put("real.json", {"mcp": {"x": {"command": ["a"], "cwd": "here"}}})
    (world.project / "mooring.json").symlink_to("real.json")
    assert world.local("x").cwd == str(world.project / "here")
