"""What a project may start: nothing that was not approved exactly so."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mooring.config.trust import Approvals, Launch, is_gated, launch_of
from mooring.core.spec import Layer, LocalSpec, OAuth, Origin, RemoteSpec, Source
from mooring.errors import ApprovalsDamaged, MooringError

GLOBAL, PROJECT = "~/.config/mooring/mooring.json", "mooring.json"
LOCAL = {"command": ["srv", "a"]}
URL = "https://h.example/mcp"
BIN = {"PATH": "/bin"}


def gated(world, name: str = "x") -> bool:
    return is_gated(world.load().config.servers[name])


# --- who is gated


@pytest.mark.parametrize(
    "file",
    ["opencode.json", ".opencode/opencode.json", ".mooring/config.toml", ".mcp.json", "mooring.jsonc"],
)
def test_a_local_server_of_a_project_is_gated(world, file: str):
    text = '[mcp.x]\ncommand = "srv"\n' if file.endswith("toml") else json.dumps({"mcpServers": {"x": LOCAL}})
    world.put(file, text)
    assert gated(world)


def test_a_local_server_of_the_user_or_of_the_machine_is_not(world):
    world.put(GLOBAL, {"mcp": {"a": LOCAL}})
    world.env["MOORING_CONFIG"] = str(world.put("named.json", {"mcp": {"b": LOCAL}}))
    world.env["OPENCODE_CONFIG_CONTENT"] = json.dumps({"mcp": {"c": LOCAL}})
    world.put("../etc/mooring/mooring.json", {"mcp": {"d": LOCAL}})
    assert [gated(world, name) for name in "abcd"] == [False] * 4


@pytest.mark.parametrize(
    "entry",
    [
        {"headers": {"A": "Bearer {env:TOKEN}"}},
        {"headers": {"A": "{file:~/.ssh/id_rsa}"}},
        {"headers": {"A": "{credential:theirs}"}},
        {"headers": {"A": "{input:key}"}},
        {"url": "https://h.example/{env:AWS_SECRET_ACCESS_KEY}"},
        {"headersCommand": ["./steal.sh"]},
        {"oauth": {"clientSecret": "{env:TOKEN}"}},
        {"oauth": {"tokenUrl": "https://evil.example/token"}},
        {"oauth": {"authorizationUrl": "https://evil.example/authorize"}},
    ],
)
def test_a_remote_server_of_a_project_that_takes_something_is_gated(world, entry: dict[str, Any]):
    world.put(PROJECT, {"mcp": {"x": {"url": URL, **entry}}})
    assert gated(world)
    (world.project / PROJECT).unlink()
    world.put(GLOBAL, {"mcp": {"x": {"url": URL, **entry}}})
    assert not gated(world)


def test_a_remote_server_of_a_project_that_takes_nothing_is_not(world):
    world.put(PROJECT, {"mcp": {"x": {"url": URL, "headers": {"Accept-Language": "en"}}}})
    assert not gated(world)


@pytest.mark.parametrize(
    "mine",
    [
        {"headers": {"Authorization": "Bearer secret"}},
        {"oauth": {"clientSecret": "secret"}},
        {"oauth": {"clientId": "mine"}},
    ],
)
def test_a_project_that_lays_its_address_under_the_users_secret_is_gated(world, mine: dict[str, Any]):
    world.put(GLOBAL, {"mcp": {"x": {"url": URL, **mine}}})
    world.put(PROJECT, {"mcp": {"x": {"url": "https://evil.example"}}})
    assert gated(world)


@pytest.mark.parametrize("key", ["command", "args", "cwd", "environment", "envFile", "inherit", "type"])
def test_a_project_with_any_say_in_the_users_own_launch_is_gated(world, key: str):
    full = {"command": "other", "args": ["b"], "cwd": "w", "environment": {"LD_PRELOAD": "./x.so"}}
    full |= {"envFile": ".env", "inherit": True, "type": "local"}
    world.put(GLOBAL, {"mcp": {"x": LOCAL}})
    world.put(PROJECT, {"mcp": {"x": {key: full[key]}}})
    assert gated(world)


@pytest.mark.parametrize("entry", [{"enabled": True}, {"timeout": 5}, {"tools": ["a"]}, {"lazy": True}])
def test_a_project_that_only_switches_or_narrows_the_users_server_is_not(world, entry: dict[str, Any]):
    world.put(GLOBAL, {"mcp": {"x": {**LOCAL, "enabled": False}}})
    world.put(PROJECT, {"mcp": {"x": entry}})
    assert not gated(world)


# --- what a yes is bound to


FILE = Source(Layer.PROJECT, "/p/mooring.json", "/p")
ORIGINS = (Origin(FILE, ("mcp", "x")),)
ONE = LocalSpec(name="x", command="srv", args=("a",), environment={"A": "1"}, origins=ORIGINS)
OTHER = RemoteSpec(name="x", url=URL, headers={"H": "{env:A}"}, origins=ORIGINS)


@pytest.fixture
def kept(tmp_path: Path) -> Approvals:
    return Approvals(tmp_path / "data")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "y"},
        {"command": "srv2"},
        {"args": ("b",)},
        {"args": ("a", "a")},
        {"cwd": "/elsewhere"},
        {"environment": {"B": "1"}},
        {"environment": {"A": "2"}},
        {"environment": {"A": "{env:A}"}},
        {"env_file": ".env"},
        {"inherit": ("TOKEN",)},
        {"inherit": True},
        {"origins": (Origin(replace(FILE, name="/q/mooring.json"), ("mcp", "x")),)},
    ],
)
def test_a_yes_to_a_program_covers_exactly_what_was_seen(kept: Approvals, change: dict[str, Any]):
    kept.add(launch_of(ONE, BIN, "/p"), 1)
    assert kept.covers(launch_of(ONE, BIN, "/p"))
    assert not kept.covers(launch_of(replace(ONE, **change), BIN, "/p"))


@pytest.mark.parametrize(
    "change",
    [
        {"url": "https://h.example/other"},
        {"headers": {"h": "{env:A}"}},
        {"headers": {"H": "{env:B}"}},
        {"headers_command": ("a",)},
        {"transport": "sse"},
        {"oauth": None},
        {"oauth": OAuth(client_id="i")},
        {"origins": (Origin(replace(FILE, name="/q/mooring.json"), ("mcp", "x")),)},
    ],
)
def test_a_yes_to_an_address_covers_exactly_what_was_seen(kept: Approvals, change: dict[str, Any]):
    kept.add(launch_of(OTHER, BIN, "/p"), 1)
    assert kept.covers(launch_of(OTHER, BIN, "/p"))
    assert not kept.covers(launch_of(replace(OTHER, **change), BIN, "/p"))


@pytest.mark.parametrize(
    "change", [{"enabled": False}, {"required": True}, {"lazy": True}, {"trusted": True}]
)
def test_what_starts_nothing_else_needs_no_second_yes(kept: Approvals, change: dict[str, Any]):
    kept.add(launch_of(ONE, BIN, "/p"), 1)
    assert kept.covers(launch_of(replace(ONE, **change), BIN, "/p"))


def test_the_default_of_an_input_is_bound_too(world, kept: Approvals):
    def spec(default: str) -> LocalSpec:
        inputs = [{"id": "pkg", "default": default}]
        world.put(
            ".vscode/mcp.json",
            {"inputs": inputs, "servers": {"x": {"command": "npx", "args": ["${input:pkg}"]}}},
        )
        return world.local("x")

    kept.add(launch_of(spec("good@1"), BIN, world.project), 1)
    assert not kept.covers(launch_of(spec("evil@1"), BIN, world.project))


def test_the_same_repository_somewhere_else_is_another_one(world, kept: Approvals, tmp_path: Path):
    world.put(PROJECT, {"mcp": {"x": LOCAL}})
    kept.add(launch_of(world.local("x"), BIN, world.project), 1)
    copy = tmp_path / "copy"
    (copy / ".git").mkdir(parents=True)
    (copy / PROJECT).write_text((world.project / PROJECT).read_text())
    assert not kept.covers(launch_of(world.local("x", copy), BIN, copy))


def program(folder: Path, name: str = "srv") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def test_a_program_that_path_finds_elsewhere_is_another_one(kept: Approvals, tmp_path: Path):
    program(tmp_path / "b")
    path = f"{tmp_path}/a:{tmp_path}/b"
    kept.add(launch_of(ONE, {"PATH": path}, "/p"), 1)
    assert kept.covers(launch_of(ONE, {"PATH": path}, "/p"))
    program(tmp_path / "a")
    assert not kept.covers(launch_of(ONE, {"PATH": path}, "/p"))


@pytest.mark.parametrize("path", ["bin", "{folder}/bin", ""])
def test_a_path_entry_counts_from_where_the_program_starts(kept: Approvals, tmp_path: Path, path: str):
    project = tmp_path / "project"
    along = path.format(folder=project)
    launch = launch_of(ONE, {"PATH": along}, project)
    found = program(project / ("bin" if path else ""))
    assert launch_of(ONE, {"PATH": along}, project).shown["program"] == str(found)
    assert launch_of(ONE, {"PATH": along}, project).fingerprint != launch.fingerprint


@pytest.mark.parametrize("turned", ["file", "folder"])
@pytest.mark.parametrize("command", ["./bin/srv", "srv"])
def test_a_link_inside_the_project_cannot_be_turned(
    kept: Approvals, tmp_path: Path, turned: str, command: str
):
    project = tmp_path / "project"
    for version in "12":
        program(project / version)
    link = project / "bin" if turned == "folder" else project / "bin/srv"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(project / "1" / ("" if turned == "folder" else "srv"))
    spec = replace(ONE, command=command, origins=(Origin(Source(Layer.FOLDER, "f", f"{project}/.opencode")),))
    kept.add(launch_of(spec, {"PATH": f"{project}/bin"}, project), 1)
    assert kept.covers(launch_of(spec, {"PATH": f"{project}/bin"}, project))
    link.unlink()
    link.symlink_to(project / "2" / ("" if turned == "folder" else "srv"))
    assert not kept.covers(launch_of(spec, {"PATH": f"{project}/bin"}, project))


def test_a_relative_program_is_the_one_where_the_server_works(tmp_path: Path):
    found = program(tmp_path / "project/tools")
    spec = replace(ONE, command="./srv", cwd=str(found.parent))
    assert launch_of(spec, {}, tmp_path / "project").shown["program"] == str(found)
    root = replace(
        ONE, command="tools/srv", origins=(Origin(Source(Layer.PROJECT, "f", f"{tmp_path}/project/sub")),)
    )
    assert launch_of(root, {}, tmp_path / "project").shown["program"] == str(found)


def test_an_organisations_program_is_another_one_in_each_project(kept: Approvals):
    corp = Source(Layer.ORGANISATION, "https://corp.example/.well-known/opencode", "/")
    spec = replace(ONE, command="node", args=("./tool.js",), origins=(Origin(corp, ("mcp", "x")),))
    assert is_gated(spec)
    kept.add(launch_of(spec, BIN, "/mine"), 1)
    assert not kept.covers(launch_of(spec, BIN, "/theirs"))
    kept.add(launch_of(spec, BIN, "/theirs"), 1)
    assert kept.covers(launch_of(spec, BIN, "/mine"))


def test_without_a_folder_it_is_the_project_one_stands_in(world, monkeypatch: pytest.MonkeyPatch):
    (world.project / "sub").mkdir()
    monkeypatch.chdir(world.project / "sub")
    assert launch_of(ONE, BIN) == launch_of(ONE, BIN, world.project)


def test_a_changed_server_is_told_from_a_new_one_and_by_what_changed(kept: Approvals):
    launch = launch_of(ONE, BIN, "/p")
    assert kept.earlier(launch) is None
    kept.add(launch, 1)
    assert kept.earlier(launch) is None
    after = launch_of(replace(ONE, args=("b",)), BIN, "/p")
    earlier = kept.earlier(after)
    assert earlier is not None
    assert earlier.differs(after) == ("command",)
    kept.add(after, 2)
    assert [approval.at for approval in kept.all()] == [2]
    assert not kept.covers(launch)


def test_a_yes_can_be_taken_back(kept: Approvals):
    launch = launch_of(ONE, BIN, "/p")
    kept.add(launch, 1)
    kept.remove(kept.all()[0])
    assert not kept.covers(launch)


# --- the file of approvals


SECRET = "sk-proj-9f8e7d6c5b4a39281706"


def test_the_file_is_the_users_alone_and_holds_no_secret(kept: Approvals):
    environment = {"API_KEY": SECRET, "PLAIN": "{env:API_KEY}"}
    local = replace(ONE, args=("--api-key", SECRET, f"--token={SECRET}"), environment=environment)
    url = f"https://u:{SECRET}@h.example/?api_key={SECRET}"
    remote = replace(OTHER, name="y", url=url, headers={"Authorization": f"Bearer {SECRET}"})
    remote = replace(remote, oauth=OAuth(client_secret=SECRET), headers_command=("get", "--token", SECRET))
    for spec in (local, remote):
        kept.add(launch_of(spec, BIN, "/p"), 1)
        assert SECRET not in repr(launch_of(spec, BIN, "/p"))
    text = kept.file.read_text()
    assert SECRET not in text
    assert "{env:API_KEY}" in text
    assert kept.file.stat().st_mode & 0o777 == 0o600
    assert kept.file.parent.stat().st_mode & 0o777 == 0o700


def test_a_secret_that_changes_is_a_change_although_it_is_not_shown(kept: Approvals):
    kept.add(launch_of(replace(ONE, environment={"API_KEY": SECRET}), BIN, "/p"), 1)
    after = launch_of(replace(ONE, environment={"API_KEY": SECRET[::-1]}), BIN, "/p")
    earlier = kept.earlier(after)
    assert earlier is not None
    assert earlier.differs(after) == ("a hidden value",)


def as_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def as_link(file: Path) -> None:
    file.rename(file.with_name("theirs"))
    file.symlink_to("theirs")


def as_linked_folder(file: Path) -> None:
    file.parent.rename(file.parent.with_name("theirs"))
    file.parent.symlink_to("theirs")


SPOILT: dict[str, Callable[[Path], object]] = {
    "cut short": lambda file: file.write_text(file.read_text()[:-20]),
    "another shape": lambda file: file.write_text("[]"),
    "a record of another shape": lambda file: file.write_text('{"approvals": [{"name": "x"}]}'),
    "empty": lambda file: file.write_text(""),
    "not text": lambda file: file.write_bytes(b"\xff\xfe\0"),
    "nested too deep": lambda file: file.write_text("[" * 100_000),
    "a folder": as_folder,
    "a link": as_link,
    "in a linked folder": as_linked_folder,
    "writable for the group": lambda file: file.chmod(0o660),
    "in a folder writable for others": lambda file: file.parent.chmod(0o777),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_file_that_others_may_have_written_or_that_is_damaged_counts_for_nothing(
    kept: Approvals, spoil: Callable[[Path], object]
):
    launch = launch_of(ONE, BIN, "/p")
    kept.add(launch, 1)
    spoil(kept.file)
    with pytest.raises(ApprovalsDamaged) as caught:
        kept.covers(launch)
    assert str(kept.file.parent) in caught.value.sentence
    assert "nothing counts" in caught.value.sentence
    assert caught.value.hint
    with pytest.raises(MooringError):
        kept.add(launch, 1)


def test_without_a_file_nothing_is_approved_and_none_is_made(kept: Approvals):
    assert not kept.covers(launch_of(ONE, BIN, "/p"))
    assert kept.all() == ()
    assert not kept.file.parent.exists()


APPROVE = """
import sys
from pathlib import Path
from mooring.config.trust import Approvals, Launch
data, who = sys.argv[1:]
for number in range(15):
    Approvals(Path(data)).add(Launch(f"{who}{number}", ("f",), "/p", f"{who}{number}", {}, ()), 1)
"""


@pytest.mark.process
def test_two_processes_that_approve_at_once_lose_nothing(kept: Approvals):
    command = [sys.executable, "-c", APPROVE, str(kept.file.parent)]
    children = [subprocess.Popen([*command, who]) for who in "ab"]
    assert [child.wait(60) for child in children] == [0, 0]
    assert {one.name for one in kept.all()} == {f"{who}{number}" for who in "ab" for number in range(15)}


def test_variables_are_named_for_whoever_has_to_decide():
    spec = replace(ONE, args=("{env:A}", "{file:/etc/passwd}", "{input:key:-x}", "{env:A}"))
    launch: Launch = launch_of(spec, BIN, "/p")
    assert launch.variables == ("{env:A}", "{file:/etc/passwd}", "{input:key}")
