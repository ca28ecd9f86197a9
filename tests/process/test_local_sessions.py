"""What a local server is given, what is kept of it, and how much it can do at once."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
from pathlib import Path

import pytest
from tests.process.stdio import connected
from tests.servers.kit import faulty

from mooring.core.items import Kind
from mooring.errors import CommandNotFound, MissingFile, ServerExited
from mooring.system.journal import Journal
from mooring.upstream.trace import Ended, Line, Traced

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="pipes and process groups of POSIX"),
]


async def test_a_server_knows_little_of_our_environment() -> None:
    ours = {
        "PATH": os.environ["PATH"],
        "HOME": "/h",
        "SECRET_TOKEN": "s",
        "MOORING_TOKEN": "m",
        "EDITOR": "vi",
    }
    spec = faulty(environment={"MINE": "1"}, inherit=("EDITOR",))
    async with connected(spec, env=ours) as session:
        names = set(json.loads((await session.call("env")).text))
    assert {"PATH", "HOME", "MINE", "EDITOR", "MOORING_TAG"} <= names
    assert not names & {"SECRET_TOKEN", "MOORING_TOKEN"}


async def test_no_secret_of_a_file_or_of_a_variable_that_is_passed_on_is_repeated(tmp_path: Path) -> None:
    (tmp_path / "secrets.env").write_text("FROM_FILE=hunter22\n")
    spec = faulty(env_file="secrets.env", inherit=("API_KEY", "EDITOR"))
    ours = {"PATH": os.environ["PATH"], "API_KEY": "hunter33", "EDITOR": "kakoune"}
    heard: list[Traced] = []
    async with connected(spec, env=ours, folder=tmp_path, trace=heard.append) as session:
        await session.call("stderr", {"text": "hunter22, hunter33 and kakoune\n"})
    assert Line("***, *** and kakoune") in heard


async def test_a_server_works_where_its_entry_says(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    async with connected(faulty(), folder=tmp_path) as session:
        assert (await session.call("cwd")).text == str(tmp_path)
    async with connected(faulty(cwd="inner"), folder=tmp_path) as session:
        assert (await session.call("cwd")).text == str(tmp_path / "inner")
    with pytest.raises(CommandNotFound, match="working folder"):
        async with connected(faulty(cwd="missing"), folder=tmp_path):
            pass


async def test_a_command_is_found_on_the_servers_own_path(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "my-server"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    program.chmod(0o755)
    for command, path in (("my-server", "bin"), ("bin/my-server", "/nowhere")):
        spec = faulty(environment={"PATH": path})
        spec = type(spec)(name="it", command=command, args=spec.args, environment=spec.environment)
        async with connected(spec, folder=tmp_path) as session:
            assert (await session.call("echo", {"text": "found"})).text == "found"
    program.chmod(0o644)
    with pytest.raises(CommandNotFound):
        async with connected(spec, folder=tmp_path):
            pass


async def test_a_file_of_variables_that_is_missing_is_said_before_anything_starts() -> None:
    with pytest.raises(MissingFile):
        async with connected(faulty(env_file="no.env")):
            pass


async def test_the_last_words_of_a_crash_are_kept_without_secrets(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "it.log", "run")
    async with connected(faulty("crash-call=2"), secrets=("hunter2-hunter2",), journal=journal) as session:
        await session.call("stderr", {"text": "hunter2-hunter2 is what I know"})
        with pytest.raises(ServerExited) as crash:
            await session.call("echo")
    assert crash.value.stderr == ("*** is what I know",)
    written = (tmp_path / "it.log").read_text()
    assert "hunter2" not in written
    assert json.loads(written.splitlines()[-1])["text"] == "*** is what I know"


async def test_a_flood_on_stderr_costs_no_memory(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "it.log", "run")
    async with connected(faulty("flood-stderr=30"), journal=journal) as session:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert (await session.call("echo", {"text": "x"})).text == "x"
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 11 * 1024 * 1024  # noqa: ASYNC240


async def test_a_thousand_calls_in_flight_come_back_each_to_its_own() -> None:
    async with connected(faulty()) as session:
        slow = asyncio.create_task(session.call("sleep", {"seconds": 0.5}))
        calls = [session.call("echo", {"text": str(number)}) for number in range(1000)]
        assert [each.text for each in await asyncio.gather(*calls)] == [str(number) for number in range(1000)]
        await slow
        assert session.wire.pending == 0


async def test_a_thousand_calls_given_up_leave_nothing() -> None:
    async with connected(faulty()) as session:
        calls = [asyncio.create_task(session.call("quiet", {"seconds": 0.2})) for _ in range(100)]
        await session.call("echo")
        for call in calls:
            call.cancel()
        await asyncio.wait(calls)
        assert session.wire.pending == 0
        assert (await session.call("echo", {"text": "here"})).text == "here"
        assert len(asyncio.all_tasks()) == 1


def memory() -> int:
    """Pages of ours that are in memory now, in KiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
async def test_ten_thousand_calls_need_no_more_memory_than_one_thousand() -> None:
    async with connected(faulty()) as session:

        async def calls(count: int) -> None:
            for _ in range(count // 100):
                await asyncio.gather(*(session.call("echo", {"text": "x" * 100}) for _ in range(100)))

        await calls(2000)
        before = memory()
        await calls(10_000)
        assert memory() - before < 2048


async def test_every_descriptor_is_given_back() -> None:
    def opened() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    async with connected(faulty()):
        pass
    before = opened()
    for fault in ("", "crash-start", "crash-call", "ignore-eof"):
        try:
            async with connected(faulty(*filter(None, [fault]))) as session:
                await session.all(Kind.TOOL)
                await session.call("echo")
        except ServerExited:
            pass
    assert opened() <= before


async def test_whoever_listens_hears_what_a_server_says_beside_its_messages_and_how_it_ended() -> None:
    heard: list[Traced] = []
    spec = faulty(environment={"PASSWORD": "hunter22"})
    async with connected(spec, trace=heard.append, secrets=("hunter22",)) as session:
        await session.call("stderr", {"text": "my password is hunter22\n"})
    assert Line("my password is ***") in heard
    assert heard[-1] == Ended(0)
