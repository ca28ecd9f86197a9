"""What a server does to its host is told in words and in time; the server beside it feels nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.process.stdio import has_ended
from tests.servers.kit import FAULTY

from mooring import open_host

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="descriptors and processes are looked up in /proc"),
]

SCRIPT = Path(__file__).with_name("one_host.py")
PATIENT = {"start": 30_000, "list": 30_000, "call": 30_000, "ceiling": 40_000}
HASTY = {"start": 4000, "list": 2000, "call": 2000, "ceiling": 4000}
WORKS = ("connected", None)

ENDED, LONG = "MOOR-SERVER-003", "MOOR-SERVER-006"
LATE, LATE_START, LATE_LIST = "MOOR-CALL-004", "MOOR-SERVER-004", "MOOR-SERVER-005"
# The faults, the status and code when it has settled, and how three calls end.
FAULTS: list[tuple[str, tuple[str, str | None], list[str]]] = [
    ("", WORKS, [""] * 3),
    ("crash-start", ("failed", ENDED), [ENDED] * 3),
    ("hang-start", ("failed", LATE_START), [LATE_START]),
    ("silent-on-probe,hang-initialize", ("failed", LATE_START), [LATE_START]),
    ("hang-list", ("failed", LATE_LIST), [LATE_LIST]),
    ("crash-list", ("failed", ENDED), [ENDED] * 3),
    ("slow-start=3", WORKS, [""] * 3),
    ("exit-on-probe", WORKS, [""] * 3),
    ("hang-call", WORKS, [LATE] * 3),
    ("crash-call", WORKS, [ENDED] * 3),
    ("crash-call=2", WORKS, ["", ENDED, ""]),
    ("close-stdin", ("failed", ENDED), [ENDED]),
    ("huge=50", WORKS, [LONG] * 3),
    ("endless-line=300", WORKS, [LONG]),
    ("deep", WORKS, ["MOOR-SERVER-008"] * 3),
    *((fault, WORKS, [""] * 3) for fault in (
        "banner", "garbage", "half-lines", "bytewise", "crlf", "batch", "text-ids", "bad-utf8", "wrong-id",
        "duplicate-answers", "unknown-content", "notices", "requests", "pages", "endless-pages",
        "repeated-cursor", "bad-tools", "many-tools=5000", "big-list=5", "changes-for-ever",
        "slow-read", "flood-stderr=50", "storm=100000", "logs=50000", "steps=100000", "batch-bomb",
    )),
]  # fmt: skip


def entry(*faults: str, hasty: bool = False) -> dict[str, Any]:
    words = [word for fault in faults if fault for word in ("--fault", fault)]
    return {
        "command": [sys.executable, "-S", "-E", str(FAULTY), *words],
        "timeout": HASTY if hasty else PATIENT,
    }


def outcome(bad: dict[str, Any], *, calls: int = 3, words: int = 5, tmp_path: Path) -> dict[str, Any]:
    """What came of it; a host that hangs is ended from outside, and that is a failure."""
    note = tmp_path / "pids"
    good = entry()
    for each in (bad, good):
        if each.get("command", [""])[0] == sys.executable:
            each["command"] += ["--note", str(note)]
    asked = json.dumps({"bad": bad, "good": good, "calls": calls, "words": words})
    ended = subprocess.run(
        [sys.executable, str(SCRIPT), asked],
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "always"},
    )
    assert ended.stderr == ""
    assert [pid for pid in map(int, note.read_text().split()) if not has_ended(pid, within=2)] == []
    found = json.loads(ended.stdout)
    assert (found["tasks"], found["descriptors"]) == (0, 0)
    assert found["closed"] < 5
    assert found["slowest"] < 1
    assert found["busy"] < 0.25
    return found


def code(view: dict[str, Any]) -> str | None:
    return view["error"]["code"] if view["error"] else None


@pytest.mark.parametrize(("faults", "settled", "calls"), FAULTS, ids=[row[0] or "none" for row in FAULTS])
def test_a_fault_is_told_in_time_and_felt_by_nobody_else(
    faults: str, settled: tuple[str, str | None], calls: list[str], tmp_path: Path
) -> None:
    hasty = calls[0] in (LATE, LATE_START, LATE_LIST)
    found = outcome(entry(*faults.split(","), hasty=hasty), calls=len(calls), tmp_path=tmp_path)
    first = found["first"]
    assert (first["status"], code(first)) == settled
    assert [call["code"] for call in found["calls"]] == calls
    if hasty:
        assert found["settled"] < 10
        assert all(call["seconds"] < 10 for call in found["calls"])
    assert all(call["hint"] for call in found["calls"] if call["code"])
    if settled != WORKS:
        assert first["reason"]
        assert first["hint"]
        assert first["nextTry"]


@pytest.mark.parametrize("faults", ["many-tools=100000", "big-list=5,endless-pages"])
def test_a_list_beyond_all_bounds_is_cut(faults: str, tmp_path: Path) -> None:
    found = outcome(entry(*faults.split(",")), calls=2, tmp_path=tmp_path)
    assert found["first"]["status"] == "connected"
    assert found["first"]["counts"]["tools"] <= 512
    assert [call["code"] for call in found["calls"]] == ["", ""]
    assert found["settled"] < 15
    assert found["memory"] < 250


def test_a_server_may_take_twenty_seconds_to_start(tmp_path: Path) -> None:
    bad = entry("slow-start=20")
    del bad["timeout"]
    found = outcome(bad, calls=1, tmp_path=tmp_path)
    assert found["settled"] > 20
    assert found["first"]["status"] == "connected"
    assert found["calls"][0]["code"] == ""


def test_a_missing_command_is_told_and_not_tried_again(tmp_path: Path) -> None:
    found = outcome({"command": ["no-such-thing"]}, calls=2, tmp_path=tmp_path)
    assert (found["last"]["status"], code(found["last"])) == ("failed", "MOOR-SERVER-002")
    assert found["last"]["nextTry"] is None
    assert [call["code"] for call in found["calls"]] == ["MOOR-SERVER-002"] * 2


@pytest.mark.parametrize("fault", ["crash-start=7", "crash-list", "hang-list", "hang-start"])
def test_what_a_server_said_last_is_told_with_its_exit_code(fault: str, tmp_path: Path) -> None:
    found = outcome(
        entry("say-first=I need a key", fault, hasty=fault.startswith("hang")), calls=0, tmp_path=tmp_path
    )
    assert "I need a key" in found["first"]["stderr"]
    assert found["first"]["exitCode"] == {"crash-start=7": 7, "crash-list": 1}.get(fault)


async def test_a_call_that_a_dead_server_cannot_have_heard_of_is_made_at_the_next_one(tmp_path: Path) -> None:
    note = tmp_path / "pids"
    bad = entry()
    bad["command"] += ["--note", str(note)]
    async with open_host({"mcp": {"bad": bad}}, cwd=tmp_path) as host:
        await host.ready()
        [pid] = map(int, note.read_text().split())
        os.kill(pid, signal.SIGKILL)
        # The loop stands still meanwhile, so that the host cannot know yet.
        assert has_ended(pid)
        assert (await host.call(None, "bad_echo", {"text": "hello"})).text == "hello"
        assert len(note.read_text().split()) == 2


@pytest.mark.parametrize("fault", ["no-read", "stop-call"])
def test_a_server_that_takes_nothing_is_given_up_and_started_again(fault: str, tmp_path: Path) -> None:
    found = outcome(entry(fault, "silent-on-probe", hasty=True), calls=4, words=1_500_000, tmp_path=tmp_path)
    assert code(found["first"]) == (None if fault == "stop-call" else LATE_LIST)
    assert found["calls"][-1]["code"]
    assert all(call["seconds"] < 10 for call in found["calls"])
