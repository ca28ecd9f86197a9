"""Nothing of a local server outlives its session, or its host, however that ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.process.stdio import alive, connected, gone, pids
from tests.servers.kit import faulty

from mooring.errors import ServerExited

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found again through /proc"),
]

STUBBORN = ["", "ignore-eof", "ignore-term", "ignore-eof,ignore-term", "grandchild", "setsid-grandchild",
            "ignore-eof,ignore-term,grandchild,setsid-grandchild", "slow-exit=0.3"]  # fmt: skip


def faults(words: str) -> list[str]:
    return [word for word in words.split(",") if word]


@pytest.mark.parametrize("words", STUBBORN)
async def test_the_end_of_a_session_is_the_end_of_all_it_started(words: str) -> None:
    async with connected(faulty(*faults(words))) as session:
        theirs = await pids(session)
        begun = time.monotonic()
    assert time.monotonic() - begun < 5
    await gone(*theirs)


async def test_many_stubborn_servers_end_together() -> None:
    async def one() -> list[int]:
        async with connected(faulty("ignore-eof", "ignore-term")) as session:
            return await pids(session)

    begun = time.monotonic()
    theirs = await asyncio.gather(*(one() for _ in range(5)))
    assert time.monotonic() - begun < 12
    await gone(*(pid for each in theirs for pid in each))


async def test_a_caller_in_a_hurry_leaves_nothing_behind() -> None:
    theirs: list[int] = []
    ready = asyncio.Event()

    async def hold() -> None:
        async with connected(faulty("ignore-eof", "grandchild")) as session:
            theirs.extend(await pids(session))
            ready.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(hold())
    await ready.wait()
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    await gone(*theirs)


async def test_a_caller_in_a_great_hurry_leaves_nothing_behind_either() -> None:
    theirs: list[int] = []
    ready = asyncio.Event()

    async def hold() -> None:
        async with connected(faulty("ignore-eof", "ignore-term", "grandchild")) as session:
            theirs.extend(await pids(session))
            ready.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(hold())
    await ready.wait()
    begun = time.monotonic()
    for _ in range(3):
        task.cancel()
        await asyncio.wait([task], timeout=0.1)
    await asyncio.wait([task])
    assert time.monotonic() - begun < 2, "it takes 2.5 s when nobody is in a hurry"
    await gone(*theirs)
    with pytest.raises(ProcessLookupError):
        os.kill(theirs[0], 0)


def zombies() -> set[int]:
    """Children of ours that have ended, and that nobody has taken note of."""
    found: set[int] = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
                if state == "Z" and int(parent) == os.getpid():
                    found.add(int(folder.name))
    return found


@pytest.mark.parametrize("leave", [False, True])
async def test_who_opens_servers_again_and_again_collects_no_zombies(leave: bool) -> None:
    before = zombies()
    theirs: list[int] = []
    for _ in range(3):
        async with connected(faulty("ignore-eof") if leave else faulty(), leave=leave) as session:
            theirs += await pids(session)
    await gone(*theirs)
    async with asyncio.timeout(10):
        # The reaper needs a moment to see that nothing is left for it to do.
        while reapers() or zombies() - before:  # noqa: ASYNC110 - the kernel tells only who waits
            await asyncio.sleep(0.01)


def reapers() -> list[str]:
    mine = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    lines = [Path(f"/proc/{number}/cmdline") for number in mine]
    return [str(line) for line in lines if line.exists() and b"reap.py" in line.read_bytes()]


async def test_what_does_not_end_at_once_is_ended_by_the_reaper() -> None:
    begun = time.monotonic()
    async with connected(faulty("ignore-eof", "ignore-term", "setsid-grandchild"), leave=True) as session:
        theirs = await pids(session)
        begun = time.monotonic()
    assert time.monotonic() - begun < 1
    await gone(*theirs)


async def test_the_number_of_a_server_that_has_crashed_is_not_given_away_before_its_children_are_ended() -> (
    None
):
    async with connected(faulty("crash-idle=0.1", "grandchild")) as session:
        theirs = await pids(session)
        async with asyncio.timeout(10):
            await session.wire.ended
        os.kill(theirs[0], 0)
        assert alive(theirs[1])
    await gone(*theirs)
    with pytest.raises(ProcessLookupError):
        os.kill(theirs[0], 0)


async def test_a_greeting_that_is_cut_short_leaves_nothing_behind(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    spec = faulty("hang-start", "ignore-eof", "grandchild", args=("--note", str(note)))

    async def never() -> None:
        async with connected(spec):
            pass

    task = asyncio.create_task(never())
    async with asyncio.timeout(20):
        while not (note.exists() and note.read_text().count("\n") == 2):  # noqa: ASYNC110 - a file
            await asyncio.sleep(0.01)
    theirs = [int(line) for line in note.read_text().split()]
    assert all(map(alive, theirs))
    task.cancel()
    await asyncio.wait([task])
    await gone(*theirs)


async def test_a_host_that_wants_to_hear_nothing_of_children_hears_of_its_servers() -> None:
    """The kernel then takes note of every end by itself, and nobody can ask for an exit code."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        async with connected(faulty("crash-call=2", "grandchild")) as session:
            theirs = await pids(session)
            with pytest.raises(ServerExited):
                await session.call("echo")
            begun = time.monotonic()
        assert time.monotonic() - begun < 1
        await gone(*theirs)
    finally:
        signal.signal(signal.SIGCHLD, before)


async def test_a_kernel_without_descriptors_of_processes_is_no_obstacle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unknown(_pid: int) -> int:
        raise OSError

    with monkeypatch.context() as patched:
        patched.setattr(os, "pidfd_open", unknown)
        async with connected(faulty("crash-call", "grandchild")) as session:
            with pytest.raises(ServerExited, match="exit code 1"):
                await session.call("echo")
        async with connected(faulty("ignore-eof")) as session:
            theirs = await pids(session)
    await gone(*theirs)


HOST = """
import asyncio, sys
from mooring import open_host

async def main():
    async with open_host({"mcp": {"it": {"command": [sys.executable, *sys.argv[1:]]}}}) as host:
        print((await host.call(None, "it_pids")).text, flush=True)
        await host.call(None, "it_quiet", {"seconds": 60})

try:
    asyncio.run(main())
except KeyboardInterrupt:
    sys.exit(130)
"""


@contextmanager
def host(*words: str) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    command = [sys.executable, "-c", HOST, *faulty(*words).args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("words", STUBBORN[:7])
async def test_the_death_of_the_host_is_the_end_of_all_it_started(number: int, words: str) -> None:
    with host(*faults(words)) as (process, theirs):
        assert all(map(alive, theirs))
        process.send_signal(number)
        begun = time.monotonic()
        code = await asyncio.to_thread(process.wait, 20)
        assert code in (130, -number)
        await gone(*theirs)
        assert time.monotonic() - begun < 8


def test_the_reaper_costs_little_and_needs_nothing(tmp_path: Path) -> None:
    reap = Path(__file__).parents[2] / "src/mooring/upstream/stdio/reap.py"
    found = subprocess.run(
        [sys.executable, "-S", "-E", str(reap), "no-such-tag"],
        input=b"+ x\nnonsense\n- 1\n",
        env={},
        timeout=20,
        check=False,
    )
    assert found.returncode == 0
