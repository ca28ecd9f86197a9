"""What a call needs to know is asked of whoever is there, and answered by whoever may."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.host.scripted import Scripted
from tests.host.test_answers import ASK_FORM, ASK_URL, FORM, Shop
from tests.web.client import BEARER, HOST, Answer, Open
from tests.web.conftest import Serves, World

from mooring.store import Asked
from mooring.web.audience import Audience

JSON = (b"content-type", b"application/json")
STREAM = (b"accept", b"text/event-stream")
ASK = {"permission": {"clock_*": "ask"}}
ANSWER = {"content": [{"type": "text", "text": "tock"}], "isError": False}
CALL = {"name": "clock_tick", "arguments": {"at": "noon", "password": "hidden-from-all"}}


async def post(world: World, path: str, body: Any, bearer: tuple[bytes, bytes] = BEARER) -> Answer:
    return await world.client.ask(
        "POST", f"/api/v1{path}", [HOST, bearer, JSON], body=json.dumps(body).encode()
    )


async def questions(world: World, bearer: tuple[bytes, bytes] = BEARER) -> list[dict[str, Any]]:
    return (await world.client.ask("GET", "/api/v1/questions", [HOST, bearer])).json["questions"]


def told(body: bytes, kind: str) -> Any:
    """The data of the first event of this kind."""
    block = body.decode().partition(f"event: {kind}\n")[2]
    return json.loads(block.partition("data: ")[2].partition("\n")[0])


@asynccontextmanager
async def calling(world: World, *headers: tuple[bytes, bytes]) -> AsyncGenerator[Open]:
    """A call under way, with somebody at the events; until its question is asked."""
    async with asyncio.timeout(20), world.client.open("/api/v1/events") as heard:
        await heard.until(b": connected")
        body = json.dumps(CALL).encode()
        async with world.client.open("/api/v1/call", JSON, *headers, method="POST", body=body) as call:
            await heard.until(b"event: question.asked")
            yield call


async def test_a_call_that_the_rules_want_asked_waits_for_a_yes(serves: Serves) -> None:
    async with serves({"clock": Scripted(tools_call=ANSWER)}, settings=ASK) as world:
        async with calling(world) as call:
            (waiting,) = await questions(world)
            assert (waiting["kind"], waiting["server"], waiting["tool"]) == ("approve", "clock", "clock_tick")
            assert waiting["arguments"] == {"at": "noon", "password": "***"}
            assert waiting["call"].startswith("call-")
            assert waiting["asked"].endswith("+00:00")
            answer = await post(world, f"/questions/{waiting['id']}", {"action": "accept"})
            assert (answer.status, answer.json) == (200, {})
            await call.until(b"tock")
            again = await post(world, f"/questions/{waiting['id']}", {"action": "accept"})
            assert (again.status, again.json["code"]) == (409, "MOOR-CALL-011")
        assert await questions(world) == []
        unknown = await post(world, "/questions/nobody", {"action": "accept"})
        assert (unknown.status, unknown.json["code"]) == (404, "MOOR-CALL-010")


async def test_a_no_says_why_and_nothing_is_sent(serves: Serves) -> None:
    server = Scripted(tools_call=ANSWER)
    async with serves({"clock": server}, settings=ASK) as world, calling(world) as call:
        (waiting,) = await questions(world)
        await post(world, f"/questions/{waiting['id']}", {"action": "decline", "reason": "not at noon"})
        await call.until(b"not at noon")
        assert (call.answer.status, call.answer.json["code"]) == (403, "MOOR-CALL-005")
        assert server.asked["tools/call"] == 0


async def test_always_is_kept(serves: Serves) -> None:
    async with serves({"clock": Scripted(tools_call=ANSWER)}, settings=ASK) as world:
        async with calling(world) as call:
            (waiting,) = await questions(world)
            yes = {"action": "accept", "remember": "always"}
            assert (await post(world, f"/questions/{waiting['id']}", yes)).status == 200
            await call.until(b"tock")
        assert (await post(world, "/call", CALL)).status == 200
        kept = (await world.client.ask("GET", "/api/v1/pins")).json
        assert [each["tool"] for entry in kept for each in entry["allowed"]] == ["tick"]


async def test_without_anybody_there_nobody_waits(serves: Serves) -> None:
    async with serves({"clock": Scripted(tools_call=ANSWER)}, settings=ASK) as world:
        answer = await post(world, "/call", CALL)
        assert (answer.status, answer.json["code"]) == (403, "MOOR-CALL-005")
        assert "nobody can be asked" in answer.json["detail"]


def test_whoever_has_just_looked_is_there() -> None:
    now = 1000.0
    audience = Audience(lambda: now)
    assert not audience.is_there
    audience.looked()
    assert audience.is_there
    now += 61
    assert not audience.is_there


async def test_a_stream_asks_whoever_reads_it(serves: Serves) -> None:
    async with serves({"clock": Scripted(tools_call=ANSWER)}, settings=ASK) as world, asyncio.timeout(20):
        body = json.dumps(CALL).encode()
        async with world.client.open("/api/v1/call", JSON, STREAM, method="POST", body=body) as call:
            heard = await call.until(b"event: question\n")
            waiting = told(heard, "question")
            assert told(heard, "call") == {"call": waiting["call"]}
            await post(world, f"/questions/{waiting['id']}", {"action": "accept"})
            await call.until(b"event: result\n")


@pytest.mark.parametrize("headers", [(), (STREAM,)], ids=["plain", "stream"])
async def test_whoever_leaves_takes_the_question_along(serves: Serves, headers: Any) -> None:
    async with serves({"clock": Scripted(tools_call=ANSWER)}, settings=ASK) as world:
        async with world.client.open("/api/v1/events") as heard:
            async with calling(world, *headers):
                pass
            async with asyncio.timeout(20):
                await heard.until(b"event: question.withdrawn")
        assert await questions(world) == []
        assert [each.outcome for each in await world.host.store.calls(Asked())] == ["cancelled"]


async def test_only_the_one_who_was_asked_or_who_administrates_may_answer(serves: Serves) -> None:
    agent = (b"authorization", b"Bearer the-token-of-an-agent")
    async with serves({"clock": Scripted(tools_call=ANSWER)}, settings=ASK) as world:
        world.keys.add_token("the-token-of-an-agent", "agent", ["call"])  # type: ignore[list-item]
        async with calling(world) as call:
            (waiting,) = await questions(world, agent)
            assert waiting["mayAnswer"] is False
            assert "arguments" not in waiting
            path = f"/questions/{waiting['id']}"
            answer = await post(world, path, {"action": "accept"}, agent)
            assert (answer.status, answer.json["code"]) == (403, "MOOR-HTTP-003")
            await post(world, path, {"action": "accept"})
            await call.until(b"tock")


async def test_one_who_may_only_call_allows_one_call_at_a_time(serves: Serves) -> None:
    agent = (b"authorization", b"Bearer the-token-of-an-agent")
    async with serves({"clock": Scripted(tools_call=ANSWER)}, settings=ASK) as world, asyncio.timeout(20):
        world.keys.add_token("the-token-of-an-agent", "agent", ["call"])  # type: ignore[list-item]
        await questions(world, agent)
        asking = asyncio.create_task(post(world, "/call", CALL, agent))
        async with world.client.open("/api/v1/events") as heard:
            while not (waiting := await questions(world, agent)):
                await heard.until(b"question.asked")
        path = f"/questions/{waiting[0]['id']}"
        answer = await post(world, path, {"action": "accept", "remember": "always"}, agent)
        assert (answer.status, answer.json["code"]) == (403, "MOOR-HTTP-003")
        assert (await post(world, path, {"action": "accept"}, agent)).status == 200
        assert (await asking).status == 200


async def test_a_form_is_filled_in_as_it_was_asked_for(serves: Serves, protocol: str) -> None:
    async with serves({"clock": Shop(ASK_FORM)}, protocol=protocol) as world, calling(world) as call:
        (waiting,) = await questions(world)
        assert (waiting["kind"], waiting["message"], waiting["schema"]) == ("elicit", "Which size?", FORM)
        path = f"/questions/{waiting['id']}"
        answer = await post(world, path, {"action": "accept", "content": {"number": "big"}})
        assert (answer.status, answer.json["code"]) == (400, "MOOR-HTTP-007")
        assert (await post(world, path, {"action": "accept", "content": {"number": 44}})).status == 200
        told_to_server = json.loads(json.loads(await call.until(b"content"))["content"][0]["text"])
        assert told_to_server == {"action": "accept", "content": {"number": 44}}


@pytest.mark.parametrize("action", ["accept", "decline", "cancel"])
async def test_an_address_is_visited_or_not(serves: Serves, action: str) -> None:
    async with serves({"clock": Shop(ASK_URL)}) as world, calling(world) as call:
        (waiting,) = await questions(world)
        assert (waiting["kind"], waiting["url"]) == ("visit", "https://shop.example/pay")
        await post(world, f"/questions/{waiting['id']}", {"action": action})
        assert json.loads(json.loads(await call.until(b"content"))["content"][0]["text"]) == {
            "action": action
        }
