"""Servers of other clients taken in: one meaning for every name, one edit, and secrets told."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from mooring.config.adopt import Outcome, literal_secrets, plan, write
from mooring.config.foreign import Found
from mooring.config.load import load
from mooring.config.targets import file_place
from mooring.core.spec import Config, LocalSpec, RemoteSpec
from mooring.system.dirs import Dirs


@pytest.fixture
def project(empty_home: Path) -> Path:
    folder = empty_home / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


def loaded(target: Path) -> Config:
    return load(target.parent, Dirs.of(os.environ), {"MOORING_CONFIG": str(target)}).config


def remote(url: str, **more: Any) -> RemoteSpec:
    return RemoteSpec(name="", url=url, **more)


def local(command: str, *args: str, **more: Any) -> LocalSpec:
    return LocalSpec(name="", command=command, args=args, **more)


def found(name: str, command: str, file: str = "/f") -> Found:
    return Found(LocalSpec(name=name, command=command), file, {"type": "local", "command": [command]})


def test_the_plan_gives_every_name_one_meaning() -> None:
    there = {"same": LocalSpec(name="same", command="s"), "other": LocalSpec(name="other", command="o")}
    several = [
        found("new", "n"),
        found("same", "s"),
        found("other", "x"),
        found("new", "z", "/g"),
        found("new", "n"),
    ]
    assert [step.outcome for step in plan(several, there, replace=False)] == [
        Outcome.NEW,
        Outcome.SAME,
        Outcome.TAKEN,
        Outcome.TAKEN,
        Outcome.SAME,
    ]
    assert [step.outcome for step in plan(several, there, replace=True)][2:4] == [
        Outcome.REPLACE,
        Outcome.TAKEN,
    ]


@pytest.mark.parametrize(
    "command",
    [
        ["/usr/bin/mooring", "gateway"],
        ["mooring", "gateway", "-v"],
        ["/x/python3", "-m", "mooring", "gateway"],
    ],
)
def test_mooring_never_takes_itself_in(command: list[str]) -> None:
    ours = Found(LocalSpec(name="m", command=command[0], args=(*command[1:],)), "/f", {"command": command})
    assert [step.outcome for step in plan([ours], {}, replace=True)] == [Outcome.OURS]


def test_a_new_file_is_private_and_an_old_one_keeps_its_comments(project: Path) -> None:
    place = file_place(project / "mooring.jsonc")
    write(place, list(plan([found("a", "a")], {}, replace=False)), {})
    assert Path(place.name).stat().st_mode & 0o777 == 0o600
    Path(place.name).write_text('{\n  // keep me\n  "mcp": {"b": {"enabled": false}}\n}\n')
    write(place, list(plan([found("b", "b"), found("c", "c")], {}, replace=False)), {})
    text = Path(place.name).read_text()
    assert "// keep me" in text
    config = loaded(Path(place.name))
    assert config.servers.keys() == {"b", "c"}
    assert config.servers["b"].enabled is False  # type: ignore[union-attr]


def test_only_what_looks_like_a_secret_is_called_one() -> None:
    spec = LocalSpec(
        name="s",
        command="c",
        args=("--port", "80"),
        environment={
            "API_KEY": "abc12345",
            "SAFE_KEY": "{env:X}",
            "DATA_DIR": "/var/data",
            "DATABASE_URL": "postgres://u:pw@h/db",
        },
    )
    assert literal_secrets(spec) == ("environment.API_KEY", "environment.DATABASE_URL")
    web = remote("https://u:pw@h.example.com/", headers={"Authorization": "Bearer abc", "X": "{env:X}"})
    assert literal_secrets(web) == ("headers.Authorization", "url")
    assert literal_secrets(local("c", "--api-key", "abc12345")) == ("command",)
