"""Changes made in the file that owns a value, in its own words; what is read afterwards is what was meant."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mooring.config import jsonc
from mooring.config.edit import add, remove, set_value, sources_of
from mooring.config.places import Place
from mooring.config.targets import file_place, global_place, project_place
from mooring.core.merge import find, plain
from mooring.core.spec import Layer, LocalSpec
from mooring.errors import BadKey, BadValue, NotEditable, ServerExists, UnknownServer

LOCAL = {"type": "local", "command": ["npx", "-y", "p"], "environment": {"A": "1"}, "timeout": 5000}
REMOTE = {"type": "remote", "url": "https://h.example/mcp", "headers": {"K": "{env:K}"}, "oauth": False}

FILES = {
    "opencode.json": '{"mcp": {"x": {"type": "local", "command": ["a", "b"]}}}',
    "opencode.jsonc": '{\n  // mine\n  "mcp": {\n    "x": {"command": ["a", "b"]}, // why\n  },\n}\n',
    "mooring.json": '{"mcp": {"servers": {"x": {"type": "local", "command": ["a", "b"]}}}}',
    "mooring.jsonc": '{"mcpServers": {"x": {"command": "a", "args": ["b"]}}}',
    "mooring.toml": '# mine\n[mcp.x]\ncommand = "a" # why\nargs = ["b"]\n',
    ".mcp.json": '{"mcpServers": {"x": {"command": "a", "args": ["b"], "env": {}}}}',
    ".cursor/mcp.json": '{"mcpServers": {"x": {"command": "a", "args": ["b"]}}}',
    ".vscode/mcp.json": '{\n  // mine\n  "servers": {"x": {"command": "a", "args": ["b"]}}\n}\n',
    ".codex/config.toml": '# mine\nmodel = "m"\n\n[mcp_servers.x] # why\ncommand = "a"\nargs = ["b"]\n',
}
EVERY_FILE = pytest.mark.parametrize("name", FILES)


def tree_of(file: Path) -> dict[str, Any]:
    text = file.read_text()
    return tomllib.loads(text) if file.suffix == ".toml" else jsonc.parse(text, "f").tree


def get(world, *path: str) -> Any:
    node = find(world.load().tree, path)
    return None if node is None else plain(node)


# --- every format and dialect


@EVERY_FILE
@pytest.mark.parametrize(("kind", "entry"), [("local", LOCAL), ("remote", REMOTE)])
def test_an_added_server_is_read_as_it_was_given(world, name: str, kind: str, entry: dict[str, Any]):
    file = world.put(name, FILES[name])
    change = add(file_place(file), "new.name", entry)
    assert change.file == str(file)
    if kind == "local":
        spec = world.local("new.name")
        assert (spec.command, spec.args, spec.environment) == ("npx", ("-y", "p"), {"A": "1"})
        assert (spec.timeouts.start, spec.timeouts.call) == (5, 5)
    else:
        spec = world.remote("new.name")
        assert (spec.url, spec.headers) == ("https://h.example/mcp", {"K": "{env:K}"})
        assert spec.oauth is None
    assert world.local("x").command == "a"
    assert world.load().config.problems == ()


@EVERY_FILE
def test_a_server_removed_leaves_everything_else(world, name: str):
    file = world.put(name, FILES[name])
    add(file_place(file), "new", LOCAL)
    remove(world.load(), "x")
    assert [*world.load().config.servers] == ["new"]
    remove(world.load(), "new")
    text = file.read_text()
    assert world.load().config.servers == {}
    for comment in ("// mine", "# mine"):
        assert (comment in FILES[name]) == (comment in text)


SETTINGS = [
    (("enabled",), False),
    (("enabled",), True),
    (("disabled",), True),
    (("command",), ["c", "d", "e"]),
    (("command",), ["c"]),
    (("command",), "c"),
    (("args",), ["d", "e"]),
    (("args",), []),
    (("environment", "A.B"), "1"),
    (("env",), {"A": "1"}),
    (("cwd",), "/w"),
    (("timeout",), 5000),
    (("timeout",), 1500),
    (("timeout", "start"), 7000),
    (("timeout", "execution"), 8000),
    (("tools",), ["a", "b"]),
    (("tools", "exclude"), ["c"]),
    (("inherit",), ["TOKEN"]),
    (("required",), True),
]


def budgets_that_all_have(spec: LocalSpec) -> LocalSpec:
    """Codex knows no budget for listings."""
    return replace(spec, timeouts=replace(spec.timeouts, list=30.0))


@EVERY_FILE
@pytest.mark.parametrize(("key", "value"), SETTINGS)
def test_a_value_that_is_set_is_the_value_that_is_read(world, name: str, key: tuple[str, ...], value: object):
    file = world.put(name, FILES[name])
    raw: Any = value
    for part in reversed(key):
        raw = {part: raw}
    set_value(world.load(), ("mcp", "x", *key), value)
    found = budgets_that_all_have(world.local("x"))
    if key[0] not in ("command", "args"):
        for comment in ("// mine", "// why", "# mine", "# why"):
            assert (comment in FILES[name]) == (comment in file.read_text())
    file.unlink()
    # A command that was one list with its arguments loses them; one beside its arguments keeps them.
    args = [] if value == "c" and not found.args else ["b"]
    world.put("~/.config/mooring/mooring.json", {"mcp": {"x": {"command": "a", "args": args, **raw}}})
    expected = budgets_that_all_have(world.local("x"))
    assert found == (
        replace(expected, args=tuple(value[1:]))
        if isinstance(value, list) and key == ("command",)
        else expected
    )


@EVERY_FILE
def test_setting_one_thing_twice_leaves_one_of_it(world, name: str):
    file = world.put(name, FILES[name])
    for seconds in (3, 4):
        set_value(world.load(), ("mcp", "x", "timeout", "start"), seconds * 1000)
        set_value(world.load(), ("mcp", "x", "timeout"), seconds * 1000)
        set_value(world.load(), ("mcp", "x", "timeout", "call"), 9000)
        assert world.local("x").timeouts.start == seconds
        assert world.local("x").timeouts.call == 9
    assert file.read_text().count("9") == 1


def test_a_name_with_dots_and_quotes_is_one_name(world):
    for name in ("mooring.toml", "mooring.jsonc"):
        file = world.put(name, "")
        add(file_place(file), 'a.b "c" d/e', LOCAL)
        set_value(world.load(), ("mcp", 'a.b "c" d/e', "enabled"), False)
        assert not world.local('a.b "c" d/e').enabled
        file.unlink()


# --- a file's own words


def test_the_words_that_are_there_are_used(world):
    entry = {
        "url": "https://h.example",
        "disabled": False,
        "http_headers": {"A": "1"},
        "startup_timeout_sec": 10,
    }
    file = world.put("mooring.json", {"mcpServers": {"x": {**entry, "oauth": {"client_id": "i"}}}})
    for path, value in (
        (("enabled",), False),
        (("headers", "B"), "2"),
        (("timeout", "start"), 2500),
        (("oauth", "clientId"), "j"),
    ):
        set_value(world.load(), ("mcp", "x", *path), value)
    expected = {"url": "https://h.example", "disabled": True, "http_headers": {"A": "1", "B": "2"}}
    expected |= {"startup_timeout_sec": 2.5, "oauth": {"client_id": "j"}}
    assert tree_of(file) == {"mcpServers": {"x": expected}}


def test_a_client_is_written_to_in_its_own_words(world):
    for name, entry in (
        (
            ".mcp.json",
            {"type": "http", "url": "https://h.example/mcp", "headers": {"K": "${K}"}, "oauth": False},
        ),
        (
            ".codex/config.toml",
            {"url": "https://h.example/mcp", "http_headers": {"K": "{env:K}"}, "oauth": False},
        ),
        (
            ".vscode/mcp.json",
            {"type": "http", "url": "https://h.example/mcp", "headers": {"K": "${env:K}"}, "oauth": False},
        ),
    ):
        file = world.project / name
        file.parent.mkdir(exist_ok=True)
        add(file_place(file), "x", REMOTE)
        (container,) = tree_of(file).values()
        assert container == {"x": entry}
        file.unlink()


def test_codex_counts_seconds_and_has_no_word_for_some_budgets(world):
    file = world.put(".codex/config.toml", FILES[".codex/config.toml"])
    set_value(world.load(), ("mcp", "x", "timeout"), 5000)
    entry = tree_of(file)["mcp_servers"]["x"]
    assert (entry["startup_timeout_sec"], entry["tool_timeout_sec"]) == (5, 5)
    with pytest.raises(BadKey, match="Codex"):
        set_value(world.load(), ("mcp", "x", "timeout", "list"), 1000)
    set_value(world.load(), ("mcp", "x", "tools", "exclude"), ["t"])
    assert tree_of(file)["mcp_servers"]["x"]["disabled_tools"] == ["t"]


def test_a_header_that_codex_reads_from_a_variable_can_be_set(world):
    text = '[mcp_servers.x]\nurl = "https://h"\nbearer_token_env_var = "T"\nenv_http_headers = {K = "V"}\n'
    world.put(".codex/config.toml", text)
    set_value(world.load(), ("mcp", "x", "headers", "Authorization"), "Basic abc")
    set_value(world.load(), ("mcp", "x", "headers", "K"), "v")
    assert world.remote("x").headers == {"Authorization": "Basic abc", "K": "v"}


@pytest.mark.parametrize("dialect", ["mooring.json", ".mcp.json"])
def test_one_number_becomes_a_map_when_one_budget_changes(world, dialect: str):
    world.put(dialect, {"mcpServers": {"x": {"command": "a", "timeout": 5000}}})
    set_value(world.load(), ("mcp", "x", "timeout", "list"), 6000)
    budgets = world.local("x").timeouts
    assert (budgets.start, budgets.list, budgets.call) == (5, 6, 5)


def test_a_server_called_servers_is_no_container(world):
    file = world.put("opencode.json", {"mcp": {"servers": {"type": "local", "command": ["a"]}}})
    add(file_place(file), "x", LOCAL)
    set_value(world.load(), ("mcp", "servers", "enabled"), False)
    assert tree_of(file)["mcp"]["x"] == LOCAL
    assert not world.local("servers").enabled


@pytest.mark.parametrize("text", ['"disabled": true, "enabled": true', '"enabled": true, "disabled": true'])
def test_a_switch_written_in_both_ways_is_written_in_one_afterwards(world, text: str):
    file = world.put("mooring.json", f'{{"mcp": {{"x": {{"command": ["a"], {text}}}}}}}')
    set_value(world.load(), ("mcp", "x", "enabled"), True)
    assert tree_of(file)["mcp"]["x"] == {"command": ["a"], "disabled": False}
    assert world.local("x").enabled


def test_an_entry_that_says_one_thing_in_two_ways_is_left_alone(world):
    text = '{"mcp": {"x": {"cwd": "/a", "workingDirectory": "/b", "command": ["a"]}}}'
    file = world.put("mooring.json", text)
    with pytest.raises(BadKey, match="two ways"):
        set_value(world.load(), ("mcp", "x", "cwd"), "/c")
    assert file.read_text() == text


# --- where a change goes


def test_a_change_goes_to_the_strongest_file_that_says_something_of_the_key_or_the_server(world):
    lower = world.put("~/.config/mooring/mooring.json", {"mcp": {"x": {"command": ["a"], "cwd": "/a"}}})
    upper = world.put("mooring.json", {"mcp": {"x": {"enabled": False}}})
    assert set_value(world.load(), ("mcp", "x", "cwd"), "/b").file == str(lower)
    assert set_value(world.load(), ("mcp", "x", "timeout"), 5).file == str(upper)
    assert set_value(world.load(), ("mcp", "x", "timeout"), 6, file_place(lower)).file == str(lower)
    assert [Path(source.name) for source in sources_of(world.load(), "x")] == [lower, upper]
    assert remove(world.load(), "x").file == str(upper)
    assert world.local("x").command == "a"


def test_settings_that_are_no_server_are_set_too(world):
    file = world.put("mooring.toml", 'model = "a/b"\n[permission]\n"x_*" = "ask"\n')
    set_value(world.load(), ("model",), "c/d")
    set_value(world.load(), ("permission", "x_*"), "deny")
    assert tree_of(file) == {"model": "c/d", "permission": {"x_*": "deny"}}
    with pytest.raises(NotEditable, match="no file yet"):
        set_value(world.load(), ("tools", "a"), False)


@pytest.mark.parametrize("layer", ["organisation", "inline", "managed"])
def test_what_stands_in_no_file_of_the_users_cannot_be_changed(world, layer: str):
    text = json.dumps({"mcp": {"x": LOCAL}})
    organisation = None
    match layer:
        case "organisation":
            place = Place(Layer.ORGANISATION, "https://corp.example/.well-known/opencode", "/", text=text)
            organisation = lambda _: [place]  # noqa: E731
        case "inline":
            world.env["MOORING_CONFIG_CONTENT"] = text
        case _:
            world.put("../etc/mooring/mooring.json", text)
    loaded = world.load(organisation=organisation)
    for change in (
        lambda: set_value(loaded, ("mcp", "x", "enabled"), False),
        lambda: remove(loaded, "x"),
    ):
        with pytest.raises(NotEditable) as caught:
            change()
        assert caught.value.hint


def test_the_users_own_word_is_edited_also_when_the_organisation_has_one(world):
    text = json.dumps({"mcp": {"x": LOCAL}})
    place = Place(Layer.ORGANISATION, "https://corp.example/.well-known/opencode", "/", text=text)
    own = world.put("~/.config/mooring/mooring.json", {"mcp": {"x": {"enabled": False}}})
    loaded = world.load(organisation=lambda _: [place])
    assert [source.layer for source in loaded.sources] == [Layer.ORGANISATION, Layer.GLOBAL]
    assert set_value(loaded, ("mcp", "x", "enabled"), True).file == str(own)


def test_a_missing_file_is_made(world):
    place = global_place(world.dirs)
    assert place.name == str(world.home / ".config/mooring/mooring.jsonc")
    add(place, "x", LOCAL)
    assert world.local("x").sources[0].layer is Layer.GLOBAL
    assert project_place(world.project / "sub").name == str(world.project / "mooring.jsonc")


def test_the_strongest_file_that_is_there_is_the_users(world):
    for name in ("mooring.toml", "mooring.json"):
        world.put(f"~/.config/mooring/{name}", "")
        assert global_place(world.dirs).name.endswith(name)
    (world.project / "sub").mkdir()
    world.put("opencode.jsonc", "{}")
    assert project_place(world.project / "sub").name == str(world.project / "opencode.jsonc")


def test_a_file_behind_a_link_is_changed_and_the_link_stays(world):
    real = world.put("dotfiles/real.jsonc", '{"mcp": {"x": {"command": ["a"]}}}')
    (world.project / "mooring.jsonc").symlink_to(real)
    set_value(world.load(), ("mcp", "x", "enabled"), False)
    assert (world.project / "mooring.jsonc").is_symlink()
    assert tree_of(real)["mcp"]["x"]["enabled"] is False


# --- what is refused


def test_a_name_that_is_taken_is_refused_unless_it_is_to_be_replaced(world):
    file = world.put("mooring.json", FILES["mooring.json"])
    with pytest.raises(ServerExists):
        add(file_place(file), "x", LOCAL)
    add(file_place(file), "x", LOCAL, replace=True)
    assert world.local("x").command == "npx"


def test_a_name_that_nobody_has_gets_the_nearest(world):
    file = world.put("mooring.json", {"mcp": {"notes": {"command": "a"}}})
    with pytest.raises(UnknownServer) as caught:
        set_value(world.load(), ("mcp", "nots", "enabled"), True)
    assert "`notes`" in caught.value.hint
    with pytest.raises(UnknownServer):
        remove(world.load(), "notes", file_place(world.project / "opencode.json"))
    assert not (world.project / "opencode.json").exists()
    remove(world.load(), "notes", file_place(file))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("mcp", "x"), 5),
        (("mcp", "x", "command"), 5),
        (("mcp", "x", "command"), []),
        (("mcp", "x", "command"), ["a", 5]),
        (("mcp", "x", "args"), "b"),
        (("mcp", "x", "enabled"), "yes"),
        (("mcp", "x", "disabled"), 1),
        (("mcp", "x", "timeout"), "30s"),
        (("mcp", "x", "timeout"), -1),
        (("mcp", "x", "timeout", "start"), "5"),
        (("mcp", "x", "timeout", "startup"), 0),
        (("mcp", "x", "env"), ["A=1"]),
        (("mcp", "x", "environment", "A"), {"b": 1}),
        (("mcp", "x", "oauth", "client_id"), 5),
        (("mcp", "x", "oauth", "callbackPort"), 70_000),
        (("mcp", "x", "tools", "include"), "a"),
        (("mcp",), 5),
        (("permission",), "dney"),
        (("permission", "bash"), "no"),
        (("tools", "x_*"), "off"),
        (("agent", "plan", "permission"), "no"),
        (("experimental", "mcp_timeout"), "60s"),
        (("model",), 5),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_before_anything_is_written(
    world, path: tuple[str, ...], value: object
):
    text = '{"mcp": {"x": {"command": ["a"]}}, "permission": {}, "tools": {}, "model": "a/b"}'
    file = world.put("mooring.json", text)
    with pytest.raises(BadValue) as caught:
        set_value(world.load(), path, value, file_place(file))
    assert caught.value.hint
    assert file.read_text() == text


def test_other_clients_files_hold_servers_only(world):
    file = world.put(".mcp.json", FILES[".mcp.json"])
    with pytest.raises(BadKey, match="servers only"):
        set_value(world.load(), ("model",), "a/b", file_place(file))
