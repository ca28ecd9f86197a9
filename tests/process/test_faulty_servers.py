"""Every fault of a local server costs what it must, and nothing else."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace

import pytest
from tests.process.stdio import connected
from tests.servers.kit import faulty

from mooring.core.items import Kind
from mooring.core.spec import Timeouts
from mooring.errors import (
    BadMessage,
    CallTimeout,
    CommandNotFound,
    LineTooLong,
    ListTimeout,
    NotReading,
    ServerExited,
    StartTimeout,
)
from mooring.upstream.session import Asking
from mooring.upstream.stdio import carrier

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="signals and process groups of POSIX"),
]

HASTY = Timeouts(start=0.5, list=0.5, call=0.5, ceiling=2)


async def test_a_good_server_needs_no_patience() -> None:
    async with connected(faulty()) as session:
        assert session.agreed.protocol == "2026-07-28"
        assert (await session.call("echo", {"text": "hello"})).text == "hello"
        begun = time.monotonic()
    assert time.monotonic() - begun < 1


async def test_a_missing_command_is_named() -> None:
    with pytest.raises(CommandNotFound, match="`no-such-thing`"):
        async with connected(replace(faulty(), command="no-such-thing")):
            pass


async def test_a_crash_at_the_start_tells_its_code_and_its_last_words() -> None:
    with pytest.raises(ServerExited, match="exit code 3 before the handshake") as crash:
        async with connected(faulty("crash-start")):
            pass
    assert crash.value.exit_code == 3
    assert crash.value.stderr == ("FATAL: no API key",)
    assert "inherit" in crash.value.hint


@pytest.mark.parametrize("fault", ["hang-start", "silent-on-probe,hang-initialize"])
async def test_a_server_that_never_greets_is_given_up_in_time(fault: str) -> None:
    begun = time.monotonic()
    with pytest.raises(StartTimeout, match="within"):
        async with connected(faulty(*fault.split(","), timeouts=HASTY)):
            pass
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("fault", ["exit-on-probe", "silent-on-probe", "nonsense-on-probe", "hang-discover"])
async def test_a_server_that_breaks_on_the_first_question_is_asked_the_old_one(fault: str) -> None:
    async with connected(faulty(fault)) as session:
        assert session.agreed.protocol == "2025-11-25"
        assert (await session.call("echo", {"text": "hello"})).text == "hello"


async def test_a_server_that_is_started_twice_has_the_time_of_one_start() -> None:
    times = Timeouts(start=2, list=2, call=2, ceiling=2)
    with pytest.raises(StartTimeout, match="within 2 s") as late:
        async with connected(faulty("slow-start=1.2", "exit-on-probe", timeouts=times)):
            pass
    assert "`mcp.it.protocol` set to `legacy`" in late.value.hint


async def test_a_hanging_list_ends_in_time_and_leaves_the_rest_alone() -> None:
    async with connected(faulty("hang-list", timeouts=HASTY)) as session:
        with pytest.raises(ListTimeout, match="`tools/list` within"):
            await session.all(Kind.TOOL)
        assert (await session.call("echo", {"text": "still here"})).text == "still here"


async def test_a_hanging_call_ends_in_time_and_is_cancelled() -> None:
    async with connected(faulty(timeouts=HASTY)) as session:
        with pytest.raises(CallTimeout, match="`quiet` of `it`: neither result nor progress") as late:
            await session.call("quiet", {"seconds": 30})
        assert "mcp.it.timeout.call" in late.value.hint
        assert "notifications/cancelled" in (await session.call("heard")).text


async def test_progress_pushes_silence_back_but_not_the_ceiling() -> None:
    heard: list[tuple[float, float | None, str]] = []
    listener = Asking(progress=lambda *said: heard.append(said))
    async with connected(faulty(timeouts=HASTY)) as session:
        assert (await session.call("sleep", {"seconds": 1}, listener)).text == "slept 1 s"
        assert heard[0] == (1, 10, "at work")
        with pytest.raises(CallTimeout, match="no result within 2 s") as late:
            await session.call("sleep", {"seconds": 30})
        assert "mcp.it.timeout.ceiling" in late.value.hint


@pytest.mark.parametrize(("fault", "tool"), [("crash-call", "echo"), ("crash-list", None)])
async def test_a_crash_fails_what_was_asked_at_once(fault: str, tool: str | None) -> None:
    async with connected(faulty(fault)) as session:
        others = [
            asyncio.create_task(session.call("quiet", {"seconds": 30})) for _ in range(3 if not tool else 0)
        ]
        with pytest.raises(ServerExited, match=r"exit code 1$"):
            await (session.call(tool) if tool else session.all(Kind.TOOL))
        for other in others:
            with pytest.raises(ServerExited):
                await other
        with pytest.raises(ServerExited):
            await session.call("echo")


async def test_a_crash_in_between_is_heard_without_a_call() -> None:
    async with connected(faulty("crash-idle")) as session:
        async with asyncio.timeout(10):
            why = await session.wire.ended
        assert isinstance(why, ServerExited)
        assert why.exit_code == 1


NOISE = [
    *("garbage", "half-lines", "bytewise", "crlf", "batch", "text-ids", "bad-utf8", "duplicate-answers"),
    *(
        "wrong-id",
        "banner",
        "notices",
        "requests",
        "unknown-content",
        "flood-stderr=2",
        "storm=5000",
        "slow-read",
    ),
]


@pytest.mark.parametrize("fault", NOISE)
@pytest.mark.parametrize("protocol", ["auto", "legacy"])
async def test_noise_costs_nothing(fault: str, protocol: str) -> None:
    async with connected(faulty(fault), protocol) as session:
        tools = [tool["name"] for tool in (await session.all(Kind.TOOL)).items]
        assert "echo" in tools
        for word in ("one", "two"):
            assert word in (await session.call("echo", {"text": word})).text
        assert session.wire.pending == 0


async def test_a_huge_line_costs_its_call_alone() -> None:
    async with connected(faulty("huge=50")) as session:
        other = asyncio.create_task(session.call("sleep", {"seconds": 0.3}))
        with pytest.raises(LineTooLong, match="more than 16 MiB"):
            await session.call("echo")
        assert (await other).text == "slept 0.3 s"


async def test_a_large_line_arrives_whole() -> None:
    async with connected(faulty()) as session:
        assert len((await session.call("big", {"bytes": 8_000_000})).text) == 8_000_000


async def test_a_line_without_an_end_costs_the_connection() -> None:
    async with connected(faulty("endless-line=400")) as session:
        with pytest.raises(LineTooLong, match="more than 16 MiB"):
            await session.call("echo")
        async with asyncio.timeout(20):
            why = await session.wire.ended
        assert isinstance(why, LineTooLong)


async def test_a_result_nested_without_end_costs_its_call_alone() -> None:
    async with connected(faulty("deep")) as session:
        with pytest.raises(BadMessage):
            await session.call("echo")
        assert len((await session.all(Kind.TOOL)).items) == 12


async def test_a_call_that_cannot_be_written_keeps_its_own_time() -> None:
    async with connected(faulty("no-read", timeouts=Timeouts(start=5, call=0.5)), "legacy") as session:
        begun = time.monotonic()
        calls = [session.call("echo", {"text": "x" * 500_000}) for _ in range(20)]
        ends = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(end) for end in ends} == {CallTimeout}
        assert time.monotonic() - begun < 3


async def test_a_server_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrier, "WRITE_WITHIN", 0.5)
    async with connected(faulty("no-read"), "legacy") as session:
        calls = [session.call("echo", {"text": "x" * 500_000}) for _ in range(20)]
        ends = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(end) for end in ends} == {NotReading}
        assert isinstance(session.wire.ended.result(), NotReading)


@pytest.mark.parametrize("protocol", ["auto", "legacy"])
async def test_a_server_that_closes_its_input_is_lost_and_not_kept(protocol: str) -> None:
    async with connected(faulty("close-stdin"), protocol) as session:
        call = asyncio.create_task(session.call("echo", {"text": "x"}))
        async with asyncio.timeout(10):
            why = await session.wire.ended
            with pytest.raises(ServerExited, match="closed its input"):
                await call
        assert isinstance(why, ServerExited)


async def test_a_call_given_up_is_cancelled_although_the_server_reads_late() -> None:
    async with connected(faulty("late-read=1"), "legacy") as session:
        calls = [asyncio.create_task(session.call("quiet", {"seconds": 9, "x": "x" * 400_000}))
                 for _ in range(8)]  # fmt: skip
        await asyncio.wait(calls, timeout=0.3)
        for call in calls:
            call.cancel()
        await asyncio.wait(calls)
        cancelled = (await session.call("heard")).text.count("notifications/cancelled")
        assert cancelled == 3, "as many as were written"


async def test_whatever_ends_a_server_its_last_words_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrier, "WRITE_WITHIN", 0.3)
    async with connected(faulty("no-read", "say-first=I am stuck"), "legacy") as session:
        calls = [session.call("echo", {"text": "x" * 500_000}) for _ in range(20)]
        await asyncio.gather(*calls, return_exceptions=True)
        why = session.wire.ended.result()
        assert isinstance(why, NotReading)
        assert why.stderr == ("I am stuck",)
    with pytest.raises(ListTimeout) as late:
        async with connected(faulty("hang-list", "say-first=I am stuck", timeouts=HASTY)) as session:
            await session.all(Kind.TOOL)
    assert late.value.stderr == ("I am stuck",)


async def test_a_stopped_server_is_noticed_and_ended() -> None:
    async with connected(faulty("stop-call", timeouts=Timeouts(call=0.5))) as session:
        await session.call("echo")
        with pytest.raises(CallTimeout):
            await session.call("echo")
        begun = time.monotonic()
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("fault", "cut"),
    [("endless-pages", "more than 100 pages"), ("repeated-cursor", "repeats a cursor"), ("pages", "")],
)
async def test_a_list_comes_to_an_end(fault: str, cut: str) -> None:
    async with connected(faulty(fault)) as session:
        pages = await session.all(Kind.TOOL)
        assert cut in pages.cut
        assert len(pages.items) >= 13


async def test_one_bad_tool_hides_no_other() -> None:
    async with connected(faulty("bad-tools")) as session:
        names = [tool.get("name") for tool in (await session.all(Kind.TOOL)).items if isinstance(tool, dict)]
        assert {"echo", "ask", "no_schema", "odd"} <= set(names)
