"""Of one server everything is told: what it said, what it was before, and what goes on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.host.scripted import Scripted
from tests.web.client import BEARER, HOST, Answer
from tests.web.conftest import Serves, World

from mooring.system.journal import Journal, journal_file
from mooring.web.api import log as logs

STREAM = (b"accept", b"text/event-stream")


async def get(world: World, path: str, query: str = "") -> Answer:
    return await world.client.ask("GET", f"/api/v1{path}", query=query.encode())


def journal(world: World, server: str, run: str) -> Journal:
    return Journal(journal_file(world.served.parts.place.dirs.state / "logs", server), run)


async def test_what_a_server_was_is_kept_with_times_and_reasons(serves: Serves) -> None:
    async def ends(_lines: Any, _say: Any) -> None:
        pass

    async with serves({"clock": Scripted(), "gone": ends}) as world:
        await world.host.settled()
        history = (await get(world, "/servers/clock")).json["history"]
        assert [each["status"] for each in history] == ["connecting", "connected"]
        assert history[0]["at"] <= history[1]["at"]
        gone = (await get(world, "/servers/gone")).json["history"]
        failed = next(each for each in gone if each["status"] == "failed")
        assert failed["code"].startswith("MOOR-SERVER-")
        assert failed["reason"]
        await world.host.disconnect("clock")
        assert (await get(world, "/servers/clock")).json["history"][-1]["status"] == "disabled"


async def test_its_last_words_are_those_of_its_last_run(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world:
        await world.host.settled()
        assert (await get(world, "/servers/clock")).json["stderr"] == []
        journal(world, "clock", "first").write("stderr", ["of an earlier run"])
        latest = journal(world, "clock", "second")
        latest.write("stderr", [f"line {number}" for number in range(30)])
        latest.write("log", ["through the protocol"], level="info", logger="db")
        told = (await get(world, "/servers/clock")).json["stderr"]
        assert told == [f"line {number}" for number in range(10, 30)]


async def test_its_log_is_told_and_followed(serves: Serves) -> None:
    async with serves({"clock": Scripted()}) as world, asyncio.timeout(30):
        await world.host.settled()
        said = journal(world, "clock", "first")
        said.write("stderr", ["one", "two"])
        records = (await get(world, "/servers/clock/log", "lines=2")).json
        assert [(each["from"], each["text"]) for each in records] == [("stderr", "one"), ("stderr", "two")]
        async with world.client.open("/api/v1/servers/clock/log", STREAM) as heard:
            body = await heard.until(b"event: line", 3)
            assert json.loads(body.partition(b"data: ")[2].partition(b"\n")[0])["text"] == "connecting"
            said.write("log", ["three"], level="error", logger="db")
            body = await heard.until(b"event: line", 4)
            assert json.loads(body.rpartition(b"data: ")[2])["level"] == "error"
        async with world.client.open("/api/v1/servers/clock/log", STREAM) as heard:
            await heard.until(b": connected")
            world.served.close()
        assert (await get(world, "/servers/nobody/log")).status == 404


async def test_there_is_an_end_to_how_many_may_follow(
    serves: Serves, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "MOST", 1)
    path = "/api/v1/servers/clock/log"
    async with serves({"clock": Scripted()}) as world, asyncio.timeout(30):
        await world.host.settled()
        for _ in range(2):
            async with world.client.open(path, STREAM) as heard:
                await heard.until(b": connected")
                answer = await world.client.ask("GET", path, [HOST, BEARER, STREAM])
                assert (answer.status, answer.json["code"]) == (429, "MOOR-HTTP-012")
                assert (await world.client.ask("GET", path)).status == 200


@pytest.mark.parametrize("query", ["lines=-1", "lines=x", "lines=100000"])
async def test_a_number_of_lines_has_to_be_one(serves: Serves, query: str) -> None:
    async with serves({"clock": Scripted()}) as world:
        assert (await get(world, "/servers/clock/log", query)).status == 400
