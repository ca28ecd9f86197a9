"""All layers together: who wins, what a broken file does, and what a layer may take away."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from mooring.config.places import Place
from mooring.core.spec import BadServer, Layer, RemoteSpec
from mooring.errors import (
    BadValue,
    BrokenSyntax,
    IgnoredEntry,
    IgnoredValue,
    UnreadableFile,
)


def in_json(key: str) -> Callable[[str], str]:
    return lambda word: json.dumps({key: {"x": {"command": word}}})


def in_toml(key: str) -> Callable[[str], str]:
    return lambda word: f"[{key}.x]\ncommand = '{word}'\n"


OWN = ("mooring.toml", "mooring.json", "mooring.jsonc")
OPENCODE = ("opencode.json", "opencode.jsonc")
CONFIG = ("config.toml", "config.json")
CLIENTS = (".vscode/mcp.json", ".cursor/mcp.json", ".codex/config.toml", ".mcp.json")

# Every place there is, the weakest first: `/` is the project, `~/` the home folder, `etc/` the machine.
ORDER = (
    "organisation",
    *(f"~/.config/opencode/{name}" for name in ("config", *CONFIG, *OPENCODE)),
    *(f"~/.opencode/{name}" for name in (*CONFIG, *OPENCODE)),
    *(f"~/.config/mooring/{name}" for name in (*CONFIG, *OWN)),
    "$OPENCODE_CONFIG",
    "$MOORING_CONFIG",
    *(f"/{name}" for name in (*CLIENTS, *OPENCODE, *OWN)),
    *(f"/sub/{name}" for name in (*CLIENTS, *OPENCODE, *OWN)),
    *(f"/.opencode/{name}" for name in (*CONFIG, *OPENCODE)),
    *(f"/.mooring/{name}" for name in (*CONFIG, *OWN)),
    *(f"/sub/.opencode/{name}" for name in (*CONFIG, *OPENCODE)),
    *(f"/sub/.mooring/{name}" for name in (*CONFIG, *OWN)),
    "$OPENCODE_CONFIG_CONTENT",
    "$MOORING_CONFIG_CONTENT",
    *(f"etc/opencode/{name}" for name in (*CONFIG, *OPENCODE)),
    *(f"etc/mooring/{name}" for name in (*CONFIG, *OWN)),
)


def text_for(place: str, word: str) -> str:
    key = {".vscode/mcp.json": "servers", ".cursor/mcp.json": "mcpServers", ".mcp.json": "mcpServers"}
    found = next((key[name] for name in key if place.endswith(f"/{name}")), "mcp")
    if place.endswith(".codex/config.toml"):
        found = "mcp_servers"
    return (in_toml if place.endswith((".toml", "/config")) else in_json)(found)(word)


def write(world, place: str, word: str) -> None:
    """One server, called `x`, whose command is `word`."""
    text = text_for(place, word)
    match place[0], place[1:]:
        case "$", name if name.endswith("_CONTENT"):
            world.env[name] = text
        case "$", name:
            world.env[name] = str(world.put(f"../named/{name}.json", text))
        case "~", _:
            world.put(place, text)
        case "/", name:
            world.put(name, text)
        case "e", _:
            world.put(f"../{place}", text)
        case _:
            pass


def asked(place: str, word: str) -> Callable[..., list[Place]]:
    answer = Place(Layer.ORGANISATION, "https://corp.example", "/", text=in_json("mcp")(word))
    return lambda _: [answer] if place == "organisation" else []


def test_every_place_beats_every_weaker_one(world, tmp_path: Path):
    (world.project / "sub").mkdir()
    for weaker, stronger in combinations(range(len(ORDER)), 2):
        if stronger not in (weaker + 1, weaker + 7, len(ORDER) - 1):
            continue
        world.env = {"HOME": str(world.home)}
        write(world, ORDER[weaker], "weak")
        write(world, ORDER[stronger], "strong")
        loaded = world.load(world.project / "sub", asked(ORDER[weaker], "weak"))
        assert loaded.config.problems == (), ORDER[weaker]
        assert loaded.config.servers["x"].command == "strong", (ORDER[weaker], ORDER[stronger])
        for file in tmp_path.rglob("*"):
            if file.is_file() and file.suffix in (".json", ".jsonc", ".toml", ""):
                file.unlink()


def test_all_places_at_once_are_named_from_the_weakest_to_the_strongest(world):
    for place in ORDER:
        write(world, place, place)
    loaded = world.load(world.project / "sub", asked("organisation", "organisation"))
    assert len(loaded.sources) == len(ORDER)
    assert loaded.config.servers["x"].command == ORDER[-1]
    spec = loaded.config.servers["x"]
    assert spec.sources == (loaded.sources[-1],)
    layers = [source.layer for source in loaded.sources]
    assert layers == sorted(layers, key=list(Layer).index)


def test_the_sources_of_a_server_end_with_the_strongest_also_within_one_layer(world):
    world.put(
        "~/.config/opencode/opencode.json", {"mcp": {"x": {"environment": {"A": "1"}, "command": ["a"]}}}
    )
    world.put("~/.config/mooring/mooring.json", {"mcp": {"x": {"command": ["b"]}}})
    assert [Path(source.name).name for source in world.local("x").sources] == [
        "opencode.json",
        "mooring.json",
    ]


@pytest.mark.parametrize("name", CONFIG)
def test_a_config_file_of_the_project_itself_belongs_to_somebody_else(world, name: str):
    world.put(name, text_for(name, "theirs"))
    assert world.load().config.servers == {}


@pytest.mark.parametrize("is_repository", [False, True])
def test_what_stands_in_the_home_folder_is_never_a_project(world, is_repository: bool):
    if is_repository:
        (world.home / ".git").mkdir()
    for name in (*CLIENTS, ".mooring/mooring.json"):
        world.put(f"~/{name}", text_for(f"/{name}", "client"))
    world.put("~/.opencode/opencode.json", {"mcp": {"mine": {"command": ["a"]}}})
    (world.home / "work").mkdir()
    for cwd in (world.home, world.home / "work"):
        servers = world.load(cwd).config.servers
        assert [*servers] == ["mine"]
        assert servers["mine"].sources[0].layer is Layer.GLOBAL


def test_a_home_folder_reached_through_a_link_is_still_the_home_folder(world, tmp_path: Path):
    (tmp_path / "linked").symlink_to(world.home)
    world.put("~/.cursor/mcp.json", text_for("/.cursor/mcp.json", "client"))
    assert world.load(tmp_path / "linked").config.servers == {}


def test_the_users_own_folder_is_no_project_when_he_stands_in_it(world):
    world.put("~/.config/opencode/opencode.json", {"mcp": {"x": {"command": ["a"]}}})
    sources = world.local("x", world.home / ".config/opencode").sources
    assert [source.layer for source in sources] == [Layer.GLOBAL]


def test_without_a_repository_only_the_current_folder_is_the_project(world):
    (world.project / ".git").rmdir()
    (world.project / "sub").mkdir()
    world.put("opencode.json", {"mcp": {"x": {"command": ["a"]}}})
    assert world.load(world.project / "sub").config.servers == {}


@pytest.mark.parametrize("variable", ["OPENCODE_DISABLE_PROJECT_CONFIG", "MOORING_DISABLE_PROJECT_CONFIG"])
def test_project_files_can_be_switched_off(world, variable: str):
    world.put("opencode.json", {"mcp": {"x": {"command": ["a"]}}})
    world.put(".mooring/mooring.json", {"mcp": {"y": {"command": ["a"]}}})
    world.env[variable] = "1"
    assert world.load().config.servers == {}


def test_a_named_file_may_be_relative_in_the_home_folder_or_another_clients(world):
    world.put("conf/a.json", {"mcp": {"x": {"command": ["a"], "cwd": "here"}}})
    world.env["OPENCODE_CONFIG"] = "conf/a.json"
    assert world.local("x").cwd == str(world.project / "conf/here")
    world.put("~/b/.mcp.json", {"mcpServers": {"y": {"command": "${PROGRAM}"}}})
    world.env["MOORING_CONFIG"] = "~/b/.mcp.json"
    assert world.local("y").command == "{env:PROGRAM}"


def test_a_named_file_that_is_not_there_is_an_error_with_its_variable(world):
    world.env["MOORING_CONFIG"] = "/nowhere/mooring.json"
    (problem,) = world.load().config.problems
    assert isinstance(problem, UnreadableFile)
    assert "`/nowhere/mooring.json`" in problem.sentence
    assert "MOORING_CONFIG" in problem.hint


# --- partial overrides


GLOBAL, PROJECT = "~/.config/mooring/mooring.json", "mooring.json"


def test_enabled_alone_switches_a_server_of_another_layer(world):
    world.put(GLOBAL, {"mcp": {"x": {"command": ["a", "b"]}}})
    world.put(PROJECT, {"mcp": {"x": {"enabled": False}}})
    spec = world.local("x")
    assert (spec.enabled, spec.command, spec.args) == (False, "a", ("b",))


def test_enabled_alone_and_nowhere_defined_is_a_notice(world):
    world.put(PROJECT, {"mcp": {"x": {"enabled": True}}})
    loaded = world.load()
    assert loaded.config.servers == {}
    (problem,) = loaded.config.problems
    assert isinstance(problem, IgnoredEntry)
    assert problem.spot is not None
    assert problem.spot.line == 3


def test_a_higher_command_takes_the_lower_arguments_away(world):
    world.put(GLOBAL, {"mcp": {"x": {"command": ["a", "--token", "t"], "environment": {"A": "1"}}}})
    world.put(PROJECT, {"mcp": {"x": {"command": "b"}}})
    spec = world.local("x")
    assert (spec.command, spec.args, spec.environment) == ("b", (), {"A": "1"})


def test_higher_arguments_keep_the_lower_command(world):
    world.put(GLOBAL, {"mcp": {"x": {"command": ["a", "one"]}}})
    world.put(PROJECT, {"mcp": {"x": {"args": ["two"]}}})
    assert (world.local("x").command, world.local("x").args) == ("a", ("two",))


def test_a_url_over_a_command_makes_it_remote_and_back(world):
    world.put(GLOBAL, {"mcp": {"x": {"type": "local", "command": ["a"]}}})
    world.put(PROJECT, {"mcp": {"x": {"url": "https://h.example/mcp"}}})
    assert world.remote("x").url == "https://h.example/mcp"
    world.put(".mooring/mooring.json", {"mcp": {"x": {"command": ["c"]}}})
    assert world.local("x").command == "c"


def test_maps_merge_and_null_unsets(world):
    world.put(GLOBAL, {"mcp": {"x": {"command": ["a"], "cwd": "/w", "environment": {"A": "1", "B": "2"}}}})
    world.put(PROJECT, {"mcp": {"x": {"cwd": None, "environment": {"A": None, "C": True}}}})
    spec = world.local("x")
    assert spec.cwd is None
    assert spec.environment == {"B": "2", "C": "true"}


@pytest.mark.parametrize(
    "key", ["type", "cwd", "environment", "envFile", "inherit", "timeout", "tools", "enabled", "args"]
)
def test_every_key_can_be_unset_by_null(world, key: str):
    full = {"type": "local", "command": "a", "args": ["b"], "cwd": "/w", "environment": {"A": "1"}}
    full |= {"envFile": "/e", "inherit": ["Z"], "timeout": 1, "tools": ["t"], "enabled": False}
    world.put(GLOBAL, {"mcp": {"x": full}})
    world.env["MOORING_CONFIG_CONTENT"] = json.dumps({"mcp": {"x": {key: None}}})
    world.put("~/.config/opencode/opencode.json", {"mcp": {"y": {k: v for k, v in full.items() if k != key}}})
    one, other = world.local("x"), world.local("y")
    for name in ("cwd", "environment", "env_file", "inherit", "timeouts", "tools", "enabled", "args"):
        assert getattr(one, name) == getattr(other, name), name


def test_a_command_unset_by_null_is_a_server_without_a_command(world):
    world.put(GLOBAL, {"mcp": {"x": {"type": "local", "command": ["a"]}}})
    world.put(PROJECT, {"mcp": {"x": {"command": None}}})
    assert "no `command`" in world.bad("x").errors[0].sentence


def test_settings_unset_by_null_leave_nothing_behind(world):
    world.put(
        GLOBAL, {"experimental": {"mcp_timeout": 5000}, "tools": {"a_*": False}, "mooring": {"timeout": 1}}
    )
    world.put(
        PROJECT,
        {"experimental": None, "tools": {"a_*": None}, "mooring": None, "mcp": {"x": {"command": "a"}}},
    )
    assert world.local("x").timeouts.call == 30
    assert world.load().config.settings == {"tools": {}, "mooring": {}}


def test_a_project_cannot_say_that_a_server_is_to_be_believed(world):
    world.put(GLOBAL, {"mcp": {"x": {"command": ["a"]}, "y": {"command": ["a"], "trusted": True}}})
    world.put(PROJECT, {"mcp": {"x": {"trusted": True}}})
    servers = world.load().config.servers
    assert (servers["x"].trusted, servers["y"].trusted) == (False, True)
    assert [type(problem) for problem in world.load().config.problems] == [IgnoredValue]


@pytest.mark.parametrize("theirs", [{"pins": "off"}, {"pins": "warn"}, {"pins": None}, None])
def test_a_project_cannot_loosen_what_happens_to_changed_tools(world, theirs: object):
    world.put(GLOBAL, {"mooring": {"pins": "block", "timeout": 5}})
    world.put(PROJECT, {"mooring": theirs})
    loaded = world.load()
    assert loaded.config.settings["mooring"]["pins"] == "block"
    said = [IgnoredValue] if theirs else []
    assert [type(problem) for problem in loaded.config.problems] == said
    assert ("timeout" in loaded.config.settings["mooring"]) is (theirs is not None)


def test_a_project_can_tighten_it(world):
    world.put(GLOBAL, {"mooring": {"pins": "off"}})
    world.put(PROJECT, {"mooring": {"pins": "block"}})
    assert world.load().config.settings["mooring"]["pins"] == "block"
    assert world.load().config.problems == ()


def test_a_word_for_pins_that_is_none_counts_as_the_strictest(world):
    world.put(GLOBAL, {"mooring": {"pins": "wran"}})
    loaded = world.load()
    assert loaded.config.settings["mooring"]["pins"] == "block"
    assert [type(problem) for problem in loaded.config.problems] == [BadValue]


@pytest.mark.parametrize("theirs", ["file", None])
def test_a_project_cannot_take_logins_out_of_the_keyring(world, theirs: object):
    world.put(GLOBAL, {"mooring": {"credentials": "keyring"}})
    world.put(PROJECT, {"mooring": {"credentials": theirs}})
    loaded = world.load()
    assert loaded.config.settings["mooring"]["credentials"] == "keyring"
    assert [type(problem) for problem in loaded.config.problems] == [IgnoredValue]


def test_a_mistyped_place_for_logins_is_never_the_open_one(world):
    world.put(GLOBAL, {"mooring": {"credentials": "keyrng"}})
    loaded = world.load()
    assert loaded.config.settings["mooring"]["credentials"] == "keyring"
    assert [type(problem) for problem in loaded.config.problems] == [BadValue]


# --- timeouts


def test_a_number_sets_all_budgets_and_raises_a_low_ceiling(world):
    world.put(PROJECT, {"mcp": {"x": {"command": "a", "timeout": 900_000}, "y": {"command": "a"}}})
    one, other = world.local("x").timeouts, world.local("y").timeouts
    assert (one.start, one.list, one.call, one.ceiling) == (900, 900, 900, 900)
    assert (other.start, other.list, other.call, other.ceiling) == (30, 30, 30, 600)


def test_budgets_for_everybody_come_from_three_places_and_an_entry_beats_them(world):
    world.put(GLOBAL, {"experimental": {"mcp_timeout": 1000}})
    world.put(
        PROJECT,
        {
            "mcp": {
                "timeout": {"catalog": 2000},
                "servers": {"x": {"command": "a", "timeout": {"call": 4000}}},
            }
        },
    )
    assert (world.local("x").timeouts.start, world.local("x").timeouts.list) == (1, 2)
    assert world.local("x").timeouts.call == 4
    world.put(".mooring/mooring.json", {"mooring": {"timeout": 9000}})
    assert world.local("x").timeouts.list == 9


@pytest.mark.parametrize("value", [0, -5, "30s", True, 10**400, 1.5, {}, []])
def test_a_budget_for_everybody_that_is_no_budget_is_said_and_left_out(world, value: object):
    server = {"x": {"command": "a"}}
    for tree in (
        {"mcp": server, "experimental": {"mcp_timeout": value}},
        {"mcp": server, "mooring": {"timeout": {"call": value}}},
        {"mcp": {"servers": server, "timeout": {"execution": value}}},
    ):
        world.put(PROJECT, tree)
        loaded = world.load()
        assert loaded.config.servers["x"].timeouts.call == 30
        assert [type(problem) for problem in loaded.config.problems] == [BadValue]


def test_a_remote_server_needs_no_more_than_its_url(world):
    world.put(PROJECT, {"mcp": {"x": {"url": "https://h.example"}}})
    spec = world.remote("x")
    assert isinstance(spec, RemoteSpec)
    assert (spec.transport, spec.enabled, spec.required, spec.lazy) == ("auto", True, False, False)
    assert spec.oauth is not None
    assert not isinstance(spec, BadServer)


def test_mooring_written_into_a_file_for_others_is_never_a_server_of_its_own(world):
    world.put(
        "~/.config/opencode/opencode.json", {"mcp": {"hub": {"command": ["/opt/bin/mooring", "gateway"]}}}
    )
    world.put(
        ".mcp.json", {"mcpServers": {"hub2": {"command": "python", "args": ["-m", "mooring", "gateway"]}}}
    )
    loaded = world.load()
    assert loaded.config.servers == {}
    assert [type(problem) for problem in loaded.config.problems] == [IgnoredEntry, IgnoredEntry]


def test_a_variable_may_hold_the_permission_rules_alone(world):
    world.put(PROJECT, {"permission": {"a_*": "allow", "b_*": "ask"}})
    world.env["OPENCODE_PERMISSION"] = '{"a_*": "deny"}'
    assert world.load().config.settings["permission"] == {"a_*": "deny", "b_*": "ask"}
    world.env["OPENCODE_PERMISSION"] = "deny please"
    assert [type(problem) for problem in world.load().config.problems] == [BrokenSyntax]
