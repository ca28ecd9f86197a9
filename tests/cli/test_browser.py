"""Which programs may open an address, and with which words."""

from __future__ import annotations

import pytest

from mooring.cli.browser import programs

URL = "https://login.example/a?b=$(calc)&c=`id`;d=%27%s"
SCREEN = {"DISPLAY": ":0", "PATH": "/usr/bin"}


def nothing(program: str, path: str | None = None) -> None:
    return None


def everything(program: str, path: str | None = None) -> str:
    return f"{path}/{program}"


@pytest.mark.parametrize(
    ("browser", "words"),
    [
        ("firefox", ["firefox", URL]),
        ("firefox --new-window", ["firefox", "--new-window", URL]),
        ("'/opt/my browser' %s --quiet &", ["/opt/my browser", URL, "--quiet"]),
        ("open-it --url=%s", ["open-it", f"--url={URL}"]),
    ],
    ids=str,
)
def test_the_users_own_browser_comes_first_and_gets_the_address_as_one_word(
    browser: str, words: list[str]
) -> None:
    found = list(programs(URL, SCREEN | {"BROWSER": browser}, "linux", everything))
    assert found[0] == words
    assert found[1] == ["/usr/bin/xdg-open", URL]


def test_several_browsers_are_tried_in_turn_and_one_that_cannot_be_read_is_passed_over() -> None:
    found = list(programs(URL, {"BROWSER": "one:'broken:two"}, "linux", nothing))
    assert found == [["one", URL], ["two", URL]]


def test_without_a_screen_no_browser_opens_inside_the_terminal() -> None:
    assert list(programs(URL, {"PATH": "/usr/bin"}, "linux", everything)) == []


def test_a_program_that_is_not_there_is_not_tried() -> None:
    assert list(programs(URL, SCREEN, "linux", nothing)) == []


@pytest.mark.parametrize(
    ("platform", "env", "first"),
    [
        ("darwin", {}, ["open", URL]),
        ("win32", {}, ["rundll32", "url.dll,FileProtocolHandler", URL]),
        ("linux", {"WSL_DISTRO_NAME": "x", "PATH": "/b"}, ["/b/wslview", URL]),
    ],
)
def test_each_system_has_its_own_way(platform: str, env: dict[str, str], first: list[str]) -> None:
    assert next(programs(URL, env, platform, everything)) == first
