"""What a yes is bound to beyond the words of an entry: the files and programs that these lead to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mooring.config.places import Place
from mooring.config.trust import Approvals, Launch, is_gated, launch_of
from mooring.core.spec import Layer, LocalSpec, Origin, RemoteSpec, Source

URL = "https://h.example/mcp"


@pytest.fixture
def kept(tmp_path: Path) -> Approvals:
    return Approvals(tmp_path / "data")


def entry(world, **said: Any) -> LocalSpec | RemoteSpec:
    world.put("mooring.json", {"mcp": {"x": said}})
    return world.load().config.servers["x"]


def launch(world, spec: LocalSpec | RemoteSpec) -> Launch:
    return launch_of(spec, world.env, world.project)


def program(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


# --- files of the project that an entry names


@pytest.mark.parametrize(
    "said",
    [
        {"command": "{file:./said}"},
        {"command": "sh", "args": ["-c", "{file:./said}"]},
        {"command": "srv", "environment": {"LD_PRELOAD": "{file:./said}"}},
        {"command": "srv", "envFile": "said"},
        {"command": "srv", "envFile": "{env:HERE}/said"},
        {"url": "{file:./said}", "headers": {"A": "{env:TOKEN}"}},
    ],
    ids=str,
)
def test_a_file_of_the_project_that_an_entry_names_is_part_of_what_was_seen(
    world, kept: Approvals, said: dict[str, Any]
):
    world.env["HERE"] = str(world.project)
    file = world.put("said", "NAME=good")
    spec = entry(world, **said)
    kept.add(launch(world, spec), 1)
    assert kept.covers(launch(world, spec))
    file.write_text("NAME=evil")
    assert not kept.covers(launch(world, spec))
    file.unlink()
    assert not kept.covers(launch(world, spec))


def test_a_secret_of_the_users_own_may_change_without_a_question(world, kept: Approvals):
    secret = world.put("~/token", "one")
    spec = entry(world, url=URL, headers={"A": "{file:~/token}"})
    kept.add(launch(world, spec), 1)
    secret.write_text("two")
    assert kept.covers(launch(world, spec))


def test_an_env_file_names_its_variables_and_keeps_their_values(world, kept: Approvals):
    world.put(".env", "# mine\nexport TOKEN='hunter2hunter2'\nDEBUG=1\nno line\n")
    found = launch(world, entry(world, command="srv", envFile=".env"))
    kept.add(found, 1)
    assert found.shown["envFileSets"] == ["TOKEN", "DEBUG"]
    assert "hunter2" not in repr(found)
    assert "hunter2" not in kept.file.read_text()


# --- the program that would run


def test_an_env_file_that_moves_path_shows_the_program_that_would_run(world):
    good, evil = program(world.home / "bin/srv"), program(world.project / "evil/srv")
    world.env["PATH"] = str(good.parent)
    world.put(".env", "PATH=./evil")
    assert launch(world, entry(world, command="srv")).shown["program"] == str(good)
    assert launch(world, entry(world, command="srv", envFile=".env")).shown["program"] == str(evil)


@pytest.mark.parametrize(
    "said",
    [
        {"command": "{env:WHERE}/srv"},
        {"command": "srv", "environment": {"PATH": "{env:WHERE}:{env:PATH}"}},
        {"command": "./srv", "cwd": "{env:WHERE}"},
    ],
    ids=str,
)
def test_a_program_that_a_reference_leads_to_is_the_one_that_would_run(
    world, kept: Approvals, said: dict[str, Any]
):
    one, two = program(world.home / "one/srv"), program(world.home / "two/srv")
    world.env |= {"WHERE": str(one.parent), "PATH": "/bin"}
    spec = entry(world, **said)
    found = launch(world, spec)
    assert found.shown["program"] == str(one)
    kept.add(found, 1)
    world.env["WHERE"] = str(two.parent)
    assert not kept.covers(launch(world, spec))


@pytest.mark.parametrize(
    "said",
    [{"command": "/{env:SECRET}"}, {"command": "{env:SECRET}"}, {"command": "./srv", "cwd": "/{env:SECRET}"}],
    ids=str,
)
def test_a_reference_that_leads_to_no_program_shows_no_value(world, kept: Approvals, said: dict[str, Any]):
    world.env |= {"SECRET": "hunter2hunter2", "PATH": "/bin"}
    found = launch(world, entry(world, **said))
    kept.add(found, 1)
    assert "hunter2" not in repr(found) + kept.file.read_text()
    assert found.shown["program"] == said["command"]


def test_a_command_for_headers_is_a_program_as_any_other(world, kept: Approvals):
    world.env["PATH"] = "tools"
    spec = entry(world, url=URL, headersCommand=["get", "token"])
    kept.add(launch(world, spec), 1)
    found = program(world.project / "tools/get")
    assert launch(world, spec).shown["program"] == str(found)
    assert not kept.covers(launch(world, spec))


def test_an_organisations_command_for_headers_is_another_one_in_each_project(kept: Approvals):
    corp = Source(Layer.ORGANISATION, "https://corp.example/.well-known/opencode", "/")
    origins = (Origin(corp, ("mcp", "x")),)
    spec = RemoteSpec(name="x", url=URL, headers_command=("./token.sh",), origins=origins)
    kept.add(launch_of(spec, {}, "/mine"), 1)
    assert kept.covers(launch_of(spec, {}, "/mine"))
    assert not kept.covers(launch_of(spec, {}, "/theirs"))
    plain = replace(spec, headers_command=(), headers={"A": "{env:A}"})
    kept.add(launch_of(plain, {}, "/mine"), 1)
    assert kept.covers(launch_of(plain, {}, "/theirs"))


# --- who is gated


def test_a_project_that_lays_its_address_under_a_trusted_name_is_gated(world):
    world.put("~/.config/mooring/mooring.json", {"mcp": {"x": {"url": URL, "trusted": True}}})
    assert not is_gated(world.remote("x"))
    world.put("mooring.json", {"mcp": {"x": {"url": "https://evil.example/mcp"}}})
    assert is_gated(world.remote("x"))


@pytest.mark.parametrize("oauth", [True, {}])
def test_a_project_that_takes_back_how_the_user_logs_in_has_a_say(world, oauth: Any):
    mine = {"url": URL, "oauth": False, "headers": {"A": "mine"}}
    world.put("~/.config/mooring/mooring.json", {"mcp": {"x": mine}})
    world.put("mooring.json", {"mcp": {"x": {"oauth": oauth}}})
    assert is_gated(world.remote("x"))


@pytest.mark.parametrize("mine", [{"url": URL}, {"command": "notes"}, {"url": URL, "oauth": False}], ids=str)
def test_a_project_that_takes_the_name_of_a_server_of_the_users_is_gated(world, mine: dict[str, Any]):
    world.put("~/.config/mooring/mooring.json", {"mcp": {"x": mine}})
    theirs = world.put("mooring.json", {"mcp": {"x": {"type": "remote", "url": "https://evil.example/mcp"}}})
    assert is_gated(world.remote("x"))
    world.put("~/.config/mooring/mooring.json", {"mcp": {"y": mine}})
    assert not is_gated(world.remote("x"))
    theirs.unlink()
    assert not is_gated(world.load().config.servers["y"])


def test_a_project_that_says_the_same_as_the_user_is_not(world):
    world.put("~/.config/mooring/mooring.json", {"mcp": {"x": {"url": URL}}})
    world.put("mooring.json", {"mcp": {"x": {"url": URL, "timeout": 5}}})
    assert not is_gated(world.remote("x"))


def test_whoever_names_a_server_of_an_organisation_anew_needs_no_yes(world):
    corp = Place(Layer.ORGANISATION, "corp", "/", text='{"mcp": {"x": {"url": "https://corp.example/mcp"}}}')
    world.put("~/.config/mooring/mooring.json", {"mcp": {"x": {"url": URL}}})
    found = world.load(organisation=lambda _: [corp]).config.servers["x"]
    assert (found.url, is_gated(found)) == (URL, False)


# --- the limits that the user has set


@pytest.mark.parametrize(
    ("theirs", "include", "exclude"),
    [
        ([], ("a*",), ("delete",)),
        (None, ("a*",), ("delete",)),
        (["*"], ("a*",), ("delete",)),
        ({"exclude": []}, ("a*",), ("delete",)),
        ({"exclude": ["add", "delete"]}, ("a*",), ("delete", "add")),
        ({"include": ["b*"], "exclude": None}, ("a*",), ("delete",)),
    ],
    ids=str,
)
def test_a_project_narrows_what_tools_the_users_server_has_and_never_widens_it(
    world, theirs: Any, include: tuple[str, ...], exclude: tuple[str, ...]
):
    mine = {"url": URL, "tools": {"include": ["a*"], "exclude": ["delete"]}}
    world.put("~/.config/mooring/mooring.json", {"mcp": {"x": mine}})
    world.put("mooring.json", {"mcp": {"x": {"tools": theirs}}})
    found = world.remote("x").tools
    assert (found.include, found.exclude) == (include, exclude)


def test_where_the_user_sets_no_limit_a_project_may(world):
    world.put("~/.config/mooring/mooring.json", {"mcp": {"x": {"url": URL}}})
    world.put("mooring.json", {"mcp": {"x": {"tools": ["a"]}}})
    assert world.remote("x").tools.include == ("a",)


def test_a_limit_that_is_none_is_the_mistake_of_whoever_set_it(world):
    world.put("~/.config/mooring/mooring.json", {"mcp": {"x": {"url": URL, "tools": {"exclude": 5}}}})
    world.put("mooring.json", {"mcp": {"x": {"tools": {"exclude": ["a"]}}}})
    assert "mcp.x.tools.exclude" in world.bad("x").errors[0].sentence
