"""Requests that come from the server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from tests.turns import turns
from tests.upstream.wire.test_engine import Hand

from mooring.errors import BadArguments, ConnectionLost, ServerError
from mooring.upstream.wire import Inbound, Terms, decode, serving


async def sent(hand: Hand, count: int) -> list[dict[str, Any]]:
    async with asyncio.timeout(5):
        while len(hand.sent) < count:  # noqa: ASYNC110 - the next turn of the loop
            await asyncio.sleep(0)
    return hand.sent


async def test_a_request_is_answered_under_the_id_it_came_with() -> None:
    hand = Hand()

    async def answer(inbound: Inbound) -> Mapping[str, Any]:
        return {"method": inbound.method, **inbound.params}

    hand.wire.on_request = answer
    for identity in (0, "x-1", 2.5):
        hand.say(id=identity, method="roots/list", params={"a": 1})
    answers = await sent(hand, 3)
    assert [each["id"] for each in answers] == [0, "x-1", 2.5]
    assert answers[0]["result"] == {"method": "roots/list", "a": 1}


async def test_an_id_equal_to_ours_is_no_answer() -> None:
    hand = Hand()
    [task] = await hand.asked(Terms())
    hand.say(id=1, method="ping")
    assert (await sent(hand, 2))[1]["error"]["code"] == -32601
    hand.say(id=1, result={})
    assert decode(await task) == {}


@pytest.mark.parametrize(
    ("error", "code"),
    [(ServerError("no", number=-32042, data=[1]), -32042), (BadArguments("what?"), -32603)],
)
async def test_an_error_of_ours_reaches_the_server(error: Exception, code: int) -> None:
    hand = Hand()

    async def answer(inbound: Inbound) -> Mapping[str, Any]:
        raise error

    hand.wire.on_request = answer
    hand.say(id=5, method="x")
    assert (await sent(hand, 1))[0]["error"]["code"] == code


async def test_a_fault_of_ours_does_not_leave_the_server_waiting() -> None:
    hand, problems = Hand(), []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, about: problems.append(about["exception"]))

    async def answer(inbound: Inbound) -> Mapping[str, Any]:
        raise ZeroDivisionError

    hand.wire.on_request = answer
    hand.say(id=5, method="x")
    assert (await sent(hand, 1))[0]["error"] == {"code": -32603, "message": "an error inside the client"}
    assert [type(each) for each in problems] == [ZeroDivisionError]


async def test_a_request_that_is_withdrawn_is_not_answered() -> None:
    hand, gone = Hand(), asyncio.Event()

    async def answer(inbound: Inbound) -> Mapping[str, Any]:
        try:
            await asyncio.Event().wait()
        finally:
            gone.set()
        return {}

    hand.wire.on_request = answer
    hand.say(id="a", method="x")
    await turns()
    hand.say(method="notifications/cancelled", params={"requestId": "a"})
    async with asyncio.timeout(5):
        await gone.wait()
    assert hand.sent == []


async def test_a_flood_of_requests_is_refused_and_then_ignored() -> None:
    hand, free = Hand(), asyncio.Event()

    async def answer(inbound: Inbound) -> Mapping[str, Any]:
        await free.wait()
        return {}

    hand.wire.on_request = answer
    for number in range(1000):
        hand.say(id=number, method="elicitation/create")
    refused = await sent(hand, serving.MOST)
    assert {each["error"]["message"] for each in refused} == {"too many requests at once"}
    free.set()
    assert len(await sent(hand, 2 * serving.MOST)) == 2 * serving.MOST


async def test_while_somebody_is_asked_the_servers_time_stands_still() -> None:
    hand = Hand()

    async def answer(inbound: Inbound) -> Mapping[str, Any]:
        assert inbound.cause == "me"
        await asyncio.wait([task], timeout=0.2)
        return {}

    hand.wire.on_request = answer
    [task] = await hand.asked(Terms(quiet=0.1, ceiling=0.15, cause="me"))
    hand.say(id=9, method="elicitation/create")
    await sent(hand, 2)
    hand.say(id=1, result={"n": 1})
    assert decode(await task) == {"n": 1}


async def test_with_two_who_may_be_the_reason_nobody_is() -> None:
    hand, causes = Hand(), []

    async def answer(inbound: Inbound) -> Mapping[str, Any]:
        causes.append(inbound.cause)
        return {}

    hand.wire.on_request = answer
    tasks = await hand.asked(Terms(cause=object()), Terms(cause=object()))
    hand.say(id=9, method="elicitation/create")
    await sent(hand, 3)
    assert causes == [None]
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def test_a_flood_under_one_id_is_a_flood_too() -> None:
    hand, asked = Hand(), []

    async def answer(inbound: Inbound) -> Mapping[str, Any]:
        asked.append(inbound.identity)
        await asyncio.Event().wait()
        return {}

    hand.wire.on_request = answer
    for _ in range(1000):
        hand.say(id="same", method="elicitation/create")
    await sent(hand, serving.MOST)
    await turns()
    assert len(asked) == 1
    hand.wire.end(ConnectionLost("gone"))
    async with asyncio.timeout(5):
        while len(asyncio.all_tasks()) > 1:  # noqa: ASYNC110 - the next turn of the loop
            await asyncio.sleep(0)


@pytest.mark.parametrize("end", ["given up", "answered"])
async def test_nobody_is_asked_any_more_about_a_call_that_has_ended(end: str) -> None:
    hand, asked, withdrawn = Hand(), asyncio.Event(), asyncio.Event()

    async def answer(inbound: Inbound) -> Mapping[str, Any]:
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            withdrawn.set()
        return {}

    hand.wire.on_request = answer
    [task] = await hand.asked(Terms(cause="me"))
    hand.say(id=9, method="elicitation/create")
    async with asyncio.timeout(5):
        await asked.wait()
        if end == "answered":
            hand.say(id=1, result={})
        else:
            task.cancel()
        await asyncio.wait([task])
        await withdrawn.wait()
    answers = [each for each in await sent(hand, 2 if end == "answered" else 3) if each.get("id") == 9]
    assert [each["error"]["message"] for each in answers] == ["the call that this is about has ended"]


async def test_after_the_end_nobody_is_asked() -> None:
    hand, asked = Hand(), []

    async def answer(inbound: Inbound) -> Mapping[str, Any]:
        asked.append(inbound.method)
        return {}

    hand.wire.on_request = answer
    hand.wire.on_notice = lambda method, _params, _cause: asked.append(method)
    hand.wire.end(ConnectionLost("gone"))
    hand.say(id=9, method="elicitation/create")
    hand.say(method="notifications/message")
    await turns(5)
    assert asked == []
