"""`mooring debug` over HTTP, interrupted, and read only in part."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.process.stdio import gone
from tests.process.terminal import MOORING, terminal
from tests.servers.kit import FAULTY
from tests.servers.scripted_http import Request, http_server, raw

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="terminals and signals of POSIX"),
]


@pytest.fixture
def write(empty_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """`write(url="…")` makes that the one server that is configured."""
    file = empty_home / "servers.json"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MOORING_CONFIG", str(file))

    def entry(**it: Any) -> None:
        file.write_text(json.dumps({"mcp": {"it": it}}))

    return entry


async def debugged(*words: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *MOORING, "debug", "it", *words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    async with asyncio.timeout(50):
        out, _ = await process.communicate()
    return process.returncode or 0, out.decode()


async def test_every_exchange_is_shown_with_its_address_status_and_headers(write) -> None:
    async with http_server() as server:
        write(
            url=f"{server.url}?api_key=hunter22", headers={"Authorization": "Bearer hunter33", "X-A": "tiger"}
        )
        code, said = await debugged("--json")
        shown = json.loads(said)
        assert (code, shown["works"], shown["transport"]) == (0, True, "http")
        asked = [note for note in shown["wire"] if note["kind"] == "request"]
        answers = [note for note in shown["wire"] if note["kind"] == "answer"]
        assert {note["url"] for note in asked} == {f"{server.url}?api_key=***"}
        assert ["authorization", "Bearer ***"] in asked[0]["headers"]
        assert {note["status"] for note in answers} <= {200, 202, 405}
        assert shown["auth"] == {"authorization": "Bearer ***", "headers": ["x-a"], "challenge": None}
        for words in ((), ("--full",), ("--json",)):
            _, said = await debugged(*words)
            assert not {"hunter22", "hunter33", "tiger"} & set(said.replace('"', " ").split())
            assert "hunter" not in said


async def test_a_server_that_wants_a_login_shows_what_it_asks_for(write) -> None:
    async def refuse(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(raw(401, www_authenticate='Bearer resource_metadata="https://h.example/.well-known/x"'))

    async with http_server(on={"server/discover": refuse, "initialize": refuse}) as server:
        write(url=server.url)
        code, said = await debugged()
    assert code == 3
    assert "401 to POST" in said
    assert 'asked for     Bearer resource_metadata="https://h.example/.well-known/x"' in said
    assert "MOOR-AUTH-001" in said


async def test_what_was_heard_before_an_interrupt_stands_there_and_nothing_is_left_behind(
    write, tmp_path: Path
) -> None:
    note = tmp_path / "pids"
    words = ["--note", str(note), "--fault", "hang-list"]
    write(command=[sys.executable, "-S", "-E", str(FAULTY), *words], timeout={"list": 60_000})
    with terminal("debug", "it") as shown:
        shown.until("tools/list")
        shown.child.send_signal(signal.SIGINT)
        assert shown.end() == 130
    assert "Traceback" not in shown.text
    lines = re.sub(r"\x1b\[[0-9;]*[mK]", "", shown.text).splitlines()
    assert max(map(len, lines)) == 80
    await gone(*(int(number) for number in note.read_text().split()))


@pytest.mark.parametrize("lines", [1, 5])
def test_whoever_has_seen_enough_ends_it_in_silence(write, lines: int) -> None:
    write(command=[sys.executable, "-S", "-E", str(FAULTY)])
    line = f"{sys.executable} -m mooring debug it | head -{lines}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False)
    assert (len(done.stdout.splitlines()), done.stderr) == (lines, "")
