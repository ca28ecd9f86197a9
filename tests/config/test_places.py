"""Where files may be, and whose they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from mooring.config.places import Dialect, Place, dialect_of, project_root, user_places
from mooring.core.spec import Layer


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("/p/.vscode/mcp.json", Dialect.VSCODE),
        ("/p/.cursor/mcp.json", Dialect.CURSOR),
        ("/p/.codex/config.toml", Dialect.CODEX),
        ("/p/.mcp.json", Dialect.CLAUDE),
        ("/p/mcp.json", Dialect.NATIVE),
        ("/p/x.mcp.json", Dialect.NATIVE),
        ("/p/.opencode/config.toml", Dialect.NATIVE),
        ("/p/opencode.json", Dialect.NATIVE),
        ("mcp.json", Dialect.NATIVE),
    ],
)
def test_a_file_is_whose_name_it_has(path: str, dialect: Dialect):
    assert dialect_of(Path(path)) is dialect


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.toml", None, True),
        ("/home/.config/opencode/config", None, True),
        ("a.json", None, False),
        ("my-config", None, False),
        ("a.toml", "{}", False),
    ],
)
def test_a_name_says_the_format_and_a_variable_holds_json(name: str, text: str | None, expected: bool):
    assert Place(Layer.FILE, name, "/", text=text).is_toml is expected


@pytest.mark.parametrize("git", ["folder", "file"])
def test_a_project_is_the_work_tree_around(tmp_path: Path, git: str):
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    mark = tmp_path / "a/.git"
    if git == "folder":
        mark.mkdir()
    else:
        mark.write_text("gitdir: /elsewhere")
    assert project_root(inner) == tmp_path / "a"
    assert project_root(tmp_path / "a") == tmp_path / "a"


def test_without_one_it_is_where_one_stands(tmp_path: Path):
    assert project_root(tmp_path) in (tmp_path, *tmp_path.parents)
    assert project_root(Path("/")) == Path("/")


def test_an_inner_work_tree_is_a_project_of_its_own(world):
    (world.project / "vendor/inner/.git").mkdir(parents=True)
    cwd = world.project / "vendor/inner"
    found = [place for place in user_places(cwd, world.dirs, world.env) if place.layer is Layer.PROJECT]
    assert {place.folder for place in found} == {str(cwd)}


def test_no_place_is_named_twice(world):
    cwd = world.project / "a/b"
    cwd.mkdir(parents=True)
    names = [place.name for place in user_places(cwd, world.dirs, world.env)]
    assert len(names) == len(set(names))


def test_a_folder_may_be_named_by_a_variable_as_in_opencode(world):
    world.put("opencode.json", {"mcp": {"x": {"command": ["project"]}}})
    world.put(".opencode/opencode.json", {"mcp": {"x": {"command": ["folder"]}}})
    world.put("~/mine/opencode.json", {"mcp": {"x": {"command": ["mine"]}}})
    world.env["OPENCODE_CONFIG_DIR"] = "~/mine"
    assert world.local("x").command == "mine"
    assert world.local("x").sources[-1].layer.is_the_users
