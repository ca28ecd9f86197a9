"""Commands that use a running `mooring serve`: the same output, warm servers, no harm where things differ."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from tests.process.terminal import terminal

from mooring.cli.attach import ATTACHED
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
# What no two runs have in common, attached or not.
FIGURES = re.compile(r'("(?:latencyMs|since|lastOk|nextTry)": )[0-9.]+|\b\d+ms\b')
ALONE = "This runs by itself"


Env: TypeAlias = dict[str, str]


class Said(NamedTuple):
    code: int
    out: bytes
    err: bytes

    @property
    def plain(self) -> Said:
        return Said(self.code, FIGURES.sub(r"\1#", self.out.decode()).encode(), self.err)


class Project:
    """A folder whose server writes down each of its starts, and whatever serves it, gone at the end."""

    def __init__(self, folder: Path, own: Path) -> None:
        self.folder = folder
        self.own = own
        self.starts = folder / "starts"
        self.gate = folder / "gate"
        os.mkfifo(self.gate)
        command = ["sh", "-c", f'echo >> "$0"; exec {sys.executable} "$1"', str(self.starts), str(SERVER)]
        environment = {"NOTES_GATE": str(self.gate), "SEEN": "{env:TEST_SEEN:-}"}
        self.notes = {"command": command, "environment": environment}
        self.configure(notes=self.notes)

    def configure(self, **servers: object) -> None:
        self.own.write_text(json.dumps({"mcp": servers}))

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "mooring", *words]

    def run(
        self, *words: str, cwd: Path | None = None, stdin: bytes = b"", env: dict[str, str] | None = None
    ) -> Said:
        ended = subprocess.run(
            self.command(*words),
            check=False,
            cwd=cwd or self.folder,
            capture_output=True,
            input=stdin,
            timeout=WITHIN,
            env={**os.environ, **(env or {})},
        )
        return Said(ended.returncode, ended.stdout, ended.stderr)

    def serve(self) -> int:
        return json.loads(self.run("serve", "--background", "--port", "0", "--json").out)["process"]

    @property
    def started(self) -> int:
        return len(self.starts.read_text()) if self.starts.exists() else 0

    def end(self) -> None:
        path = socket_path(str(self.folder), os.environ)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
            try:
                end.connect(path or "")
            except OSError:
                return
            process = process_of(end)
        if process is not None:
            os.kill(process, signal.SIGCONT)
            os.kill(process, signal.SIGKILL)


@pytest.fixture
def project(tmp_path: Path, empty_home: Path) -> Generator[Project]:
    own = empty_home / ".config" / "mooring" / "mooring.json"
    own.parent.mkdir(parents=True)
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    found = Project(folder, own)
    yield found
    found.end()


COMMANDS = {
    "list": ["list", "list notes --json", "ls --check", "list nobody", "mcp list"],
    "tools": ["tools", "tools notes --full", "tools --json", "tools nothing"],
    "call": [
        "call notes_add title=Milk --json",
        "call notes_refuse",
        "call notes_add",
        "call nope --json",
        "call",
    ],
    "resources": ["resources", "resources --json"],
    "read": ["read notes://today", "read notes://today --json", "read nowhere://"],
    "prompts": ["prompts", "prompts --json"],
    "prompt": ["prompt notes:summary tone=kind", "prompt notes:summary"],
    "search": ["search keep a note", "search note --json --limit 1"],
    "reload": ["reload notes", "reload --json"],
    "auth": ["auth notes", "auth notes --json", "auth list", "auth nobody"],
    "logout": ["logout notes --json", "logout --all", "logout"],
    "pins diff": ["pins diff", "pins diff notes --json"],
    "pins approve": ["pins approve notes", "pins approve"],
}


def test_every_command_says_the_same_with_a_running_serve_and_without(project: Project) -> None:
    assert COMMANDS.keys() == ATTACHED
    lines = [line.split() for lines in COMMANDS.values() for line in lines]
    project.run("list")
    alone = {" ".join(line): project.run(*line).plain for line in lines}
    project.serve()
    project.run("list")
    before = project.started
    attached = {" ".join(line): project.run(*line).plain for line in lines}
    assert attached == alone
    # `reload` alone starts a server anew
    assert project.started == before + len(COMMANDS["reload"])
    project.run("list", "--no-attach")
    assert project.started == before + len(COMMANDS["reload"]) + 1


def test_what_is_piped_in_and_what_is_saved_reach_the_command(project: Project, tmp_path: Path) -> None:
    project.serve()
    project.run("list")
    before = project.started
    document = json.dumps({"title": "ä" * 100_000}).encode()
    said = project.run("call", "notes_add", "--json", "-", stdin=document)
    assert json.loads(json.loads(said.out)["content"][0]["text"]) == json.loads(document)
    (project.folder / "inner").mkdir()
    said = project.run("call", "notes_draw", "--save", "pictures", cwd=project.folder / "inner")
    assert (said.code, len(list((project.folder / "inner" / "pictures").iterdir()))) == (0, 1)
    assert project.started == before


def other_project(project: Project) -> tuple[Path, Env]:
    return project.folder, {"XDG_CACHE_HOME": str(project.folder / "cache")}


def other_file(project: Project) -> tuple[Path, Env]:
    inner = project.folder / "inner"
    inner.mkdir()
    (inner / "mooring.json").write_text("{}")
    return inner, {}


def other_switch(project: Project) -> tuple[Path, Env]:
    return project.folder, {"MOORING_TEST": "1"}


def other_opencode(project: Project) -> tuple[Path, Env]:
    return project.folder, {"OPENCODE_TEST": "1"}


def other_variable(project: Project) -> tuple[Path, Env]:
    return project.folder, {"TEST_SEEN": "1"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (other_project, b"other folders"),
        (other_file, b"mooring.json` does not count for both"),
        (other_switch, b"`MOORING_TEST` has another value"),
        (other_opencode, b"`OPENCODE_TEST` has another value"),
        (other_variable, b"`TEST_SEEN`, which the configuration refers to, has another value"),
    ],
    ids=["folders", "file", "mooring", "opencode", "variable"],
)
def test_what_differs_is_said_and_the_command_runs_by_itself(
    project: Project, change: Callable[[Project], tuple[Path, Env]], why: bytes
) -> None:
    project.serve()
    project.run("list")
    before = project.started
    cwd, env = change(project)
    said = project.run("list", "--json", cwd=cwd, env=env)
    assert (said.code, why in said.err, ALONE.encode() in said.err) == (0, True, True), said.err
    assert said.err.count(b"\n") == 1
    assert [each["name"] for each in json.loads(said.out)] == ["notes"]
    assert project.started == before + 1
    assert project.run("list", "--no-attach", cwd=cwd, env=env).err == b""


def test_a_file_that_has_just_changed_counts_at_once(project: Project) -> None:
    project.serve()
    assert project.run("list").out.count(b"\n") == 1
    project.configure(notes=project.notes, off={**project.notes, "enabled": False})
    said = project.run("list", "--json")
    assert [(each["name"], each["status"]) for each in json.loads(said.out)] == [
        ("notes", "connected"),
        ("off", "disabled"),
    ]
    (project.folder / "mooring.json").write_text(json.dumps({"mcp": {"notes": {"enabled": False}}}))
    assert json.loads(project.run("list", "--json").out)[0]["status"] == "disabled"
    assert project.started == 1


def test_a_server_that_was_down_is_tried_again(project: Project) -> None:
    program = project.folder / "later"
    project.configure(later={"command": [str(program)]})
    project.serve()
    assert json.loads(project.run("list", "--json").out)[0]["status"] == "failed"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {SERVER}\n")
    program.chmod(0o700)
    assert json.loads(project.run("list", "--json").out)[0]["status"] == "connected"


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["hangs", "dead"])
def test_one_that_hangs_or_has_died_stops_no_command(project: Project, how: signal.Signals) -> None:
    os.kill(project.serve(), how)
    said = project.run("call", "notes_add", "title=Milk")
    assert (said.code, said.out) == (0, b'{"title": "Milk"}\n')
    assert (b"does not answer" in said.err) == (how == signal.SIGSTOP)


def test_ctrl_c_cancels_at_the_server_and_the_serve_goes_on(project: Project) -> None:
    marks = project.folder / "marks"
    os.mkfifo(marks)
    project.notes["environment"]["NOTES_MARKS"] = str(marks)  # type: ignore[index]
    project.configure(notes=project.notes)
    process = project.serve()
    with os.fdopen(os.open(marks, os.O_RDWR)) as heard:
        child = subprocess.Popen(
            project.command("call", "notes_hang"),
            cwd=project.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            assert heard.readline() == "hanging\n"
            child.send_signal(signal.SIGINT)
            assert heard.readline() == "cancelled\n"
            out, err = child.communicate(timeout=WITHIN)
        finally:
            child.kill()
            child.wait()
        assert (child.returncode, out, err) == (130, b"", b"\n\n")
    assert json.loads(project.run("serve", "--status", "--json").out)["process"] == process
    assert project.started == 1


def test_whoever_reads_no_further_ends_the_command_and_nothing_else(project: Project) -> None:
    process = project.serve()
    child = subprocess.Popen(
        project.command("tools", "--json"), cwd=project.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    (child.stdout or sys.stdin).close()
    with child.stderr or sys.stdin as err:
        assert err.read() == b""
    assert child.wait(WITHIN) == 0
    assert json.loads(project.run("serve", "--status", "--json").out)["process"] == process


def test_a_serve_that_ends_lets_a_command_finish(project: Project, manager: socket.socket) -> None:
    project.serve()
    assert manager.recv(100) == b"READY=1"
    child = subprocess.Popen(
        project.command("call", "notes_count"),
        cwd=project.folder,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )
    try:
        # whoever opens the gate for writing waits until the tool has got as far
        gate = os.open(project.gate, os.O_WRONLY)
        stopping = subprocess.Popen(
            project.command("serve", "--stop", "--json"), cwd=project.folder, stdout=subprocess.PIPE
        )
        assert manager.recv(100) == b"STOPPING=1"
        os.write(gate, b"on\n")
        os.close(gate)
        out, _ = stopping.communicate(timeout=WITHIN)
        assert json.loads(out)["calls"] == {"finished": 1, "cut": 0}
        assert child.communicate(timeout=WITHIN)[0] == b"done\n"
        assert child.returncode == 0
    finally:
        child.kill()
        child.wait()


def test_a_serve_that_is_killed_meanwhile_is_an_error_and_not_a_second_call(project: Project) -> None:
    process = project.serve()
    child = subprocess.Popen(
        project.command("call", "notes_count", "--json"),
        cwd=project.folder,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )
    try:
        gate = os.open(project.gate, os.O_WRONLY)
        os.kill(process, signal.SIGKILL)
        out, _ = child.communicate(timeout=WITHIN)
        os.close(gate)
        assert (child.returncode, json.loads(out)["error"]["code"]) == (1, "MOOR-SERVE-004")
    finally:
        child.kill()
        child.wait()


def asked(*words: str) -> str:
    with terminal("call", "notes_ask", *words) as shown:
        shown.until("Answer it?")
        shown.type("n\n")
        assert shown.end() == 0
        return shown.text


def given_up(*words: str) -> str:
    with terminal("call", "notes_ask", *words) as shown:
        shown.until("Answer it?")
        shown.type("\x04")
        assert shown.end() == 0
        return shown.text


def followed(project: Project, *words: str) -> str:
    with terminal("call", "notes_count", *words) as shown:
        shown.until("page 2")
        assert not shown.echoes()
        project.gate.write_text("on\n")
        assert shown.end() == 0
        assert shown.echoes()
        return shown.text


def test_questions_and_progress_reach_the_terminal_of_the_command(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.folder)
    project.serve()
    project.run("list")
    before = project.started
    said = asked(), given_up(), followed(project)
    assert project.started == before
    assert said == (asked("--no-attach"), given_up("--no-attach"), followed(project, "--no-attach"))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("attach.__version__ = '99'", "it is version "),
        ("attach.user_of = lambda _: 4_000_000", "it is another user's"),
    ],
    ids=["version", "user"],
)
def test_a_serve_of_another_version_or_user_is_not_used(project: Project, change: str, why: str) -> None:
    project.serve()
    project.run("list")
    before = project.started
    program = f"from mooring.cli import attach; {change}; from mooring.__main__ import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", program, "tools", "--json"],
        check=True,
        cwd=project.folder,
        capture_output=True,
        text=True,
        timeout=WITHIN,
    )
    assert (ALONE in ended.stderr, why in ended.stderr, len(json.loads(ended.stdout))) == (True, True, 6)
    assert project.started == before + 1
