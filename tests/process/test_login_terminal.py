"""A login at a real terminal: waited for, pasted, and given up with Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from tests.process.terminal import MOORING, terminal
from tests.servers.oauth import Guarded, guarded_beside

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="terminals and signals of POSIX"),
]

ASKED = "paste the address that it shows: "


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guarded]:
    monkeypatch.chdir(tmp_path)
    # no screen, and no browser: nothing of the machine's own may open
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    with guarded_beside() as found:
        settings = {"mcp": {"notes": {"url": found.url}}}
        monkeypatch.setenv("MOORING_CONFIG_CONTENT", json.dumps(settings))
        yield found


def address_in(text: str, server: Guarded) -> str:
    return re.findall(rf"^  ({re.escape(server.origin)}/authorize\S+)", text, re.MULTILINE)[-1]


def end_of(address: str) -> str:
    """Where a browser is sent that opens it."""
    return httpx2.get(address, timeout=20).headers["location"]


def kept(home: Path) -> list[Path]:
    return list((home / ".local" / "share" / "mooring").rglob("*.json"))


def test_the_browser_may_be_anywhere_on_this_machine(server: Guarded, empty_home: Path) -> None:
    with terminal("auth", "notes") as waiting:
        waiting.until(ASKED)
        assert "No browser was found here" in waiting.text
        page = httpx2.get(end_of(address_in(waiting.text, server)), timeout=20)
        assert "<h1>Logged in</h1>" in page.text
        assert waiting.end() == 0
    assert "It is connected, and offers 1 tool" in waiting.text
    assert len(kept(empty_home)) == 1


def test_the_address_may_be_pasted_while_the_page_waits(server: Guarded, empty_home: Path) -> None:
    with terminal("auth", "notes", "--no-browser") as waiting:
        waiting.until(ASKED)
        assert "No browser" not in waiting.text
        waiting.type("\nhttp://127.0.0.1:1/nonsense?x=1\n")
        waiting.until("This address belongs to another login")
        waiting.type(end_of(address_in(waiting.text, server)) + "\n")
        assert waiting.end() == 0
    assert len(kept(empty_home)) == 1


def test_without_a_name_one_is_asked_which(
    server: Guarded, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = {"more": {"url": "http://127.0.0.1:9/mcp"}, "notes": {"url": server.url}}
    monkeypatch.setenv("MOORING_CONFIG_CONTENT", json.dumps({"mcp": servers}))
    with terminal("auth", "--no-browser") as waiting:
        waiting.until("Log in to (more, notes) [more]: ")
        waiting.type("notes\n")
        waiting.until(ASKED)
        waiting.type(end_of(address_in(waiting.text, server)) + "\n")
        assert waiting.end() == 0
    assert len(kept(empty_home)) == 1


def test_by_hand_no_page_waits(server: Guarded, empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # at the usual port, the page of somebody else's login may wait
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        entry = {"url": server.url, "oauth": {"callbackPort": free.getsockname()[1]}}
    monkeypatch.setenv("MOORING_CONFIG_CONTENT", json.dumps({"mcp": {"notes": entry}}))
    with terminal("auth", "notes", "--paste") as waiting:
        waiting.until("The address that the browser shows at the end: ")
        end = end_of(address_in(waiting.text, server))
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(f"http://127.0.0.1:{urlsplit(end).port}/", timeout=20)
        waiting.type(f"{end}\n")
        assert waiting.end() == 0
    assert len(kept(empty_home)) == 1


@pytest.mark.parametrize("way", ["interrupt", "end"])
def test_giving_up_leaves_nothing(way: str, server: Guarded, empty_home: Path) -> None:
    with terminal("auth", "notes") as waiting:
        waiting.until(ASKED)
        if way == "interrupt":
            waiting.child.send_signal(signal.SIGINT)
        else:
            waiting.type("\x04")
        assert waiting.end() == 130
    assert "nothing was kept" in waiting.text
    assert "Traceback" not in waiting.text
    assert kept(empty_home) == []


def test_an_interrupt_without_a_terminal_leaves_nothing(server: Guarded, empty_home: Path) -> None:
    program = [*MOORING, "auth", "notes", "--no-browser"]
    with subprocess.Popen(
        program, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as waiting:
        assert waiting.stderr is not None
        assert any("Waiting for the browser" in line for line in waiting.stderr)
        waiting.send_signal(signal.SIGINT)
        out, err = waiting.communicate(timeout=30)
    assert (waiting.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert kept(empty_home) == []


def test_a_program_may_bring_the_address_back(server: Guarded, empty_home: Path) -> None:
    """What it needs stands on stderr, and what comes of it on stdout."""
    program = [*MOORING, "auth", "notes", "--paste", "--json"]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as waiting:
        assert waiting.stderr is not None
        address = next(line.strip() for line in waiting.stderr if "/authorize?" in line)
        out, _ = waiting.communicate(end_of(address) + "\n", timeout=30)
    assert (waiting.returncode, json.loads(out)["status"]) == (0, "authenticated")


def test_the_users_own_browser_gets_the_address(server: Guarded, tmp_path: Path) -> None:
    """It is one of a few lines, which goes where it is sent."""
    browser = tmp_path / "browser"
    browser.write_text(
        f"#!{sys.executable}\nimport sys, urllib.request\nurllib.request.urlopen(sys.argv[1]).read()\n"
    )
    browser.chmod(0o755)
    env = os.environ | {"BROWSER": str(browser)}
    program = [*MOORING, "auth", "notes", "--json"]
    said = subprocess.run(program, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (said.returncode, json.loads(said.stdout)["status"]) == (0, "authenticated"), said.stderr
