"""`mooring serve` in the background: found by its socket, looked at, ended, replaced when it was killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mooring.system.peer import process_of
from mooring.system.rendezvous import socket_path

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        os.name != "posix", reason="Windows has no socket that a command could find `serve` by"
    ),
]

SERVER = Path(__file__).parents[1] / "servers" / "notes.py"
WITHIN = 50


class Project:
    """A folder to stand in; whatever serves it is gone at the end. A call of `count` waits for the gate."""

    def __init__(self, folder: Path, gate: Path) -> None:
        self.folder = folder
        self.gate = gate

    def mooring(self, *words: str) -> tuple[int, str, str]:
        ended = subprocess.run(
            [sys.executable, "-m", "mooring", *words],
            check=False,
            cwd=self.folder,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=WITHIN,
        )
        return ended.returncode, ended.stdout, ended.stderr

    def json(self, *words: str) -> Any:
        return json.loads(self.mooring(*words, "--json")[1])

    def serve(self) -> int:
        return self.json("serve", "--background", "--port", "0")["process"]

    @property
    def socket(self) -> Path:
        path = socket_path(str(self.folder), os.environ)
        assert path is not None
        return Path(path)

    def end(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
            try:
                end.connect(str(self.socket))
            except OSError:
                return
            process = process_of(end)
        if process is not None:
            os.kill(process, signal.SIGCONT)
            os.kill(process, signal.SIGKILL)
        self.socket.unlink()


@pytest.fixture
def project(tmp_path: Path, empty_home: Path) -> Generator[Project]:
    own = empty_home / ".config" / "mooring" / "mooring.json"
    own.parent.mkdir(parents=True)
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    notes = {"command": [sys.executable, str(SERVER)], "environment": {"NOTES_GATE": str(gate)}}
    own.write_text(json.dumps({"mcp": {"notes": notes}}))
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    found = Project(folder, gate)
    yield found
    found.end()


def test_it_is_started_looked_at_and_ended_and_nothing_is_left(project: Project) -> None:
    assert project.mooring("serve", "--status")[0] == 1
    told = project.json("serve", "--background", "--port", "0")
    about = project.json("serve", "--status")
    assert (about["process"], about["url"]) == (told["process"], told["url"])
    assert (about["answers"], about["calls"], about["project"]) == (True, 0, str(project.folder))
    code, out, _ = project.mooring("serve", "--status")
    assert (code, told["url"] in out) == (0, True)
    assert project.json("serve", "--stop") == {
        "running": False,
        "stopped": True,
        "process": told["process"],
        "calls": {"finished": 0, "cut": 0},
    }
    assert not project.socket.exists()
    assert project.json("serve", "--status") == {"running": False}
    assert project.json("serve", "--stop")["stopped"] is False


def test_the_socket_is_the_users_alone_and_needs_no_token(project: Project) -> None:
    project.serve()
    assert stat.S_IMODE(project.socket.stat().st_mode) == 0o600
    assert stat.S_IMODE(project.socket.parent.stat().st_mode) == 0o700
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
        end.settimeout(WITHIN)
        end.connect(str(project.socket))
        end.sendall(b"GET /mcp HTTP/1.1\r\nHost: whatever\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: end.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 200")
    assert json.loads(answer.partition(b"\r\n\r\n")[2]) == {"notes": {"status": "connected"}}


def test_a_second_one_says_who_is_there(project: Project) -> None:
    process = project.serve()
    for words in (["--port", "0"], ["--port", "0", "--background"]):
        code, out, _ = project.mooring("serve", *words, "--json")
        error = json.loads(out)["error"]
        assert (code, error["code"]) == (1, "MOOR-SERVE-001")
        assert f"process {process}" in error["message"]
    assert project.json("serve", "--status")["process"] == process


def test_what_was_killed_is_replaced_by_the_next(project: Project) -> None:
    process = project.serve()
    os.kill(process, signal.SIGKILL)
    assert project.socket.exists()
    other = project.serve()
    assert other != process
    assert project.json("serve", "--status")["process"] == other


def test_one_that_hangs_is_known_to(project: Project) -> None:
    process = project.serve()
    os.kill(process, signal.SIGSTOP)
    code, out, _ = project.mooring("serve", "--status", "--json")
    assert (code, json.loads(out)) == (1, {"running": True, "process": process, "answers": False})


def test_why_it_did_not_start_is_said_by_whoever_started_it(project: Project) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, _ = project.mooring("serve", "--background", "--port", str(port), "--json")
    error = json.loads(out)["error"]
    assert (code, error["code"], error["hint"]) == (1, "MOOR-HTTP-015", "mooring serve --port 0")
    if sys.platform == "linux":
        assert f"process {os.getpid()}" in error["message"]
    assert project.mooring("serve", "--status")[0] == 1


def test_calls_may_finish_before_it_ends(project: Project, manager: socket.socket) -> None:
    project.serve()
    assert manager.recv(100) == b"READY=1"
    body = b'{"name": "notes_count"}'
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
        end.settimeout(WITHIN)
        end.connect(str(project.socket))
        kinds = "Accept: text/event-stream\r\nContent-Type: application/json"
        head = f"POST /api/v1/call HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n{kinds}\r\n\r\n"
        end.sendall(head.encode() + body)
        heard = b""
        while b"page 2" not in heard:
            heard += end.recv(65_536)
        assert project.json("serve", "--status")["calls"] == 1
        with ThreadPoolExecutor(1) as beside:
            stopping = beside.submit(project.json, "serve", "--stop")
            assert manager.recv(100) == b"STOPPING=1"
            project.gate.write_text("on\n")
            assert stopping.result()["calls"] == {"finished": 1, "cut": 0}
        heard += b"".join(iter(lambda: end.recv(65_536), b""))
    assert b"done" in heard


def test_its_page_is_opened_by_a_link_of_its_own_and_without_one_it_is_started(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/opened\n')
    browser.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(browser))
    first = project.json("serve", "--open", "--port", "0")
    second = project.json("serve", "--open", "--port", "0")
    assert (first["url"], first["opened"], second["opened"]) == (second["url"], True, True)
    assert first["link"] != second["link"]
    assert (tmp_path / "opened").read_text().splitlines() == [first["link"], second["link"]]
    assert project.json("serve", "--status")["url"] == first["url"]
    assert project.mooring("serve", "--open", "--stop")[0] == 2


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system's own browser would come up")
def test_without_a_browser_the_link_is_there_to_be_followed_by_hand(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    code, out, said = project.mooring("serve", "--open", "--port", "0")
    assert (code, "No browser" in said) == (0, True)
    assert "/link/" in out
