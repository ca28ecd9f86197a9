"""Folders by the XDG rules, for whoever's environment it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mooring.system.dirs import Dirs

HOME = {"HOME": "/h"}
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="other platforms have their own customs")


@on_linux
def test_without_any_variable_everything_is_below_home():
    dirs = Dirs.of(HOME)
    assert dirs == Dirs(
        home=Path("/h"),
        config=Path("/h/.config/mooring"),
        data=Path("/h/.local/share/mooring"),
        state=Path("/h/.local/state/mooring"),
        cache=Path("/h/.cache/mooring"),
        opencode_config=Path("/h/.config/opencode"),
        opencode_data=Path("/h/.local/share/opencode"),
        managed=(Path("/etc/opencode"), Path("/etc/mooring")),
    )


@pytest.mark.parametrize(
    ("variable", "fields"),
    [
        ("XDG_CONFIG_HOME", ("config", "opencode_config")),
        ("XDG_DATA_HOME", ("data", "opencode_data")),
        ("XDG_STATE_HOME", ("state",)),
        ("XDG_CACHE_HOME", ("cache",)),
    ],
)
def test_a_variable_moves_its_own_folders_and_no_others(variable: str, fields: tuple[str, ...]):
    plain, moved = Dirs.of(HOME), Dirs.of({**HOME, variable: "/x"})
    for field in ("config", "data", "state", "cache", "opencode_config", "opencode_data", "home"):
        if field in fields:
            assert getattr(moved, field).parent == Path("/x")
        else:
            assert getattr(moved, field) == getattr(plain, field)


@pytest.mark.parametrize("value", ["", "relative", "./x", "~/x"])
def test_a_path_that_is_not_absolute_does_not_count(value: str):
    assert Dirs.of({**HOME, "XDG_CONFIG_HOME": value, "XDG_DATA_HOME": value}) == Dirs.of(HOME)


def test_without_a_home_it_is_what_the_system_knows():
    assert Dirs.of({}).home.is_absolute()
    assert Dirs.of({"USERPROFILE": "/u"}).home == Path("/u")


@pytest.mark.skipif(sys.platform == "win32", reason="accounts of POSIX")
@pytest.mark.parametrize("env", [{}, {"HOME": ""}, {"HOME": "~"}, {"HOME": "here"}], ids=str)
def test_home_is_never_a_folder_below_the_one_one_stands_in(env: dict[str, str], monkeypatch):
    import os
    import pwd

    monkeypatch.setenv("HOME", env.get("HOME", ""))
    assert Dirs.of(env).home == Path(pwd.getpwuid(os.getuid()).pw_dir)

    def nobody(_: int) -> None:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert Dirs.of(env).home == Path("/")
