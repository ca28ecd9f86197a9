"""`mooring test` on real servers that hang, that crash, and that are given up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.process.stdio import gone
from tests.process.terminal import MOORING, terminal
from tests.servers.kit import FAULTY

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="terminals and signals of POSIX"),
]


@pytest.fixture
def faulty(own_file: Path, tmp_path: Path):
    """`faulty(it="hang-list")` writes servers with that fault; `pids.NAME` has the numbers of each."""

    def write(**faults: str) -> None:
        own_file.write_text(
            json.dumps({"mcp": {name: _entry(tmp_path, name, fault) for name, fault in faults.items()}})
        )

    return write


@pytest.fixture
def own_file(empty_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MOORING_CONFIG", str(empty_home / "servers.json"))
    return empty_home / "servers.json"


def _entry(folder: Path, name: str, fault: str) -> dict[str, Any]:
    words = ["--note", str(folder / f"pids.{name}"), *(["--fault", fault] if fault else [])]
    return {"command": [sys.executable, "-S", "-E", str(FAULTY), *words], "timeout": {"start": 60_000}}


def trial(*names: str) -> tuple[int, list[dict[str, Any]]]:
    done = subprocess.run([*MOORING, "test", *names, "--json"], capture_output=True, timeout=60, check=False)
    return done.returncode, json.loads(done.stdout)


def numbers(folder: Path, name: str) -> list[int]:
    return [int(number) for number in (folder / f"pids.{name}").read_text().split()]


def test_a_server_that_hangs_is_told_with_its_key_ended_and_in_nobodys_way(faulty, own_file: Path):
    faulty(hangs="hang-start", works="")
    own_file.write_text(own_file.read_text().replace("60000", "1500"))
    code, (hangs, works) = trial()
    assert code == 1
    assert hangs["error"]["code"] == "MOOR-SERVER-004"
    assert "mcp.hangs.timeout.start" in hangs["error"]["hint"]
    steps = {step["step"]: step for step in hangs["steps"]}
    assert steps["handshake"]["verdict"] == "failed"
    assert steps["end"]["verdict"] == "note"
    assert "SIG" in steps["end"]["says"]
    assert works["works"]
    assert works["ms"] < hangs["ms"]


@pytest.mark.parametrize(
    ("fault", "where", "code"),
    [("crash-start=7", "handshake", 7), ("crash-list", "tools", 1), ("exit-on-probe", "", 0)],
)
def test_a_server_that_crashes_is_told_with_its_step_and_exit_code(faulty, fault: str, where: str, code: int):
    faulty(it=fault)
    ended, (it,) = trial("it")
    failed = [step["step"] for step in it["steps"] if step["verdict"] == "failed"]
    assert (ended, failed, it["exitCode"]) == (1 if where else 0, [where] if where else [], code)
    if fault == "exit-on-probe":
        assert "started again" in str(it["steps"])


@pytest.mark.parametrize(
    ("fault", "phase"), [("hang-start", "… handshake"), ("hang-list", "… tools")], ids=["handshake", "list"]
)
async def test_an_interrupt_in_any_phase_leaves_nothing_behind(
    faulty, tmp_path: Path, fault: str, phase: str
):
    faulty(it=fault)
    with terminal("test", "it") as shown:
        shown.until(phase)
        shown.child.send_signal(signal.SIGINT)
        assert shown.end() == 130
    assert "Traceback" not in shown.text
    await gone(*numbers(tmp_path, "it"))


def test_whoever_has_seen_enough_ends_it_in_silence(faulty):
    faulty(it="")
    line = f"{sys.executable} -m mooring test it | head -1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False)
    assert (len(done.stdout.splitlines()), done.stderr) == (1, "")
