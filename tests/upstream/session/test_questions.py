"""What a server asks back: as requests in the old era, inside results in the new one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from tests.upstream.scripted import LEGACY, META, MODERN, Scripted, order

from mooring.core.spec import Timeouts
from mooring.errors import BadMessage, CallRefused, CallTimeout, ServerError, TooManyRounds
from mooring.testing import dial_to
from mooring.upstream.session import Asking, Ourselves, visits

FORM = {"mode": "form", "message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}
VISIT = {"mode": "url", "message": "Log in", "url": "https://x.example/", "elicitationId": "e"}
QUESTIONS = {
    "form": ("elicitation/create", FORM, {"action": "accept", "content": {"name": "Ada"}}),
    "url": ("elicitation/create", VISIT, {"action": "accept"}),
    "sampling": (
        "sampling/createMessage",
        {"messages": [], "maxTokens": 5},
        {"role": "assistant", "model": "m"},
    ),
    "roots": ("roots/list", {}, {"roots": [{"uri": "file:///x"}]}),
}
DONE = {"content": [{"type": "text", "text": "done"}], "resultType": "complete"}


def asker(version: str, *rounds: Mapping[str, Any]) -> Scripted:
    """Asks the questions of each round, and is done when all are answered."""
    server = Scripted(version, {})
    left = list(rounds)

    def call(identity: Any, params: Any) -> None:
        if not left:
            server.answer(identity, DONE)
        elif version == MODERN:
            server.answer(identity, {"resultType": "input_required", **left.pop(0)})
        else:
            asked = left.pop(0)["inputRequests"]
            for key, question in asked.items():
                server.say(id=key, **question)
            waiting.update(dict.fromkeys(asked, identity))

    waiting: dict[str, Any] = {}

    def answered(key: Any, _params: Any) -> None:
        server.answer(waiting.pop(key), DONE)

    server.on("", answered)
    server.on("tools/call", call)
    return server


def question(kind: str) -> dict[str, Any]:
    method, params, _ = QUESTIONS[kind]
    return {"method": method, "params": params}


class Person:
    """Answers, and remembers what was asked and on whose behalf."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Mapping[str, Any], object]] = []

    async def answer(self, method: str, params: Mapping[str, Any], cause: object) -> Mapping[str, Any]:
        self.asked.append((method, params, cause))
        for known, about, answer in QUESTIONS.values():
            if (known, about) == (method, params):
                return answer
        raise ServerError("no method here", number=-32601)


async def called(server: Scripted, person: Person, protocol: str) -> str:
    us = Ourselves(lambda cause: {"elicitation": {}} if cause == "me" else {}, person.answer)
    async with dial_to({"it": server})(order("it", protocol, us=us)) as session:
        return (await session.call("ask", {}, Asking(cause="me"))).text


@pytest.mark.parametrize("protocol", [LEGACY, MODERN])
@pytest.mark.parametrize("kind", QUESTIONS)
async def test_a_question_reaches_whoever_made_the_call(kind: str, protocol: str) -> None:
    person = Person()
    server = asker(protocol, {"inputRequests": {"q": question(kind)}})
    assert await called(server, person, protocol) == "done"
    method, params, answer = QUESTIONS[kind]
    assert person.asked == [(method, params, "me")]
    if protocol == MODERN:
        assert server.asked("tools/call")[1]["inputResponses"] == {"q": answer}
    else:
        assert [each["result"] for each in server.messages if each.get("id") == "q"] == [answer]


async def test_several_questions_are_asked_at_once_and_the_state_goes_back_as_it_came() -> None:
    person = Person()
    both = {"a": question("form"), "b": question("roots")}
    server = asker(
        MODERN, {"inputRequests": both, "requestState": "s1"}, {"requestState": "s2"}, {"inputRequests": both}
    )
    assert await called(server, person, MODERN) == "done"
    first, second, third, fourth = server.asked("tools/call")
    assert "inputResponses" not in first
    assert (second["requestState"], sorted(second["inputResponses"])) == ("s1", ["a", "b"])
    assert (third["requestState"], "inputResponses" in third) == ("s2", False)
    assert "requestState" not in fourth
    assert len({each["id"] for each in server.messages if each.get("method") == "tools/call"}) == 4


async def test_the_capabilities_are_those_of_whoever_made_the_call() -> None:
    server = asker(MODERN)
    await called(server, Person(), MODERN)
    said = [each["params"]["_meta"][f"{META}clientCapabilities"] for each in server.messages]
    assert said == [{}, {"elicitation": {}}]


async def test_a_question_that_nobody_may_answer_ends_the_call_for_its_reason() -> None:
    class Refusing(Person):
        async def answer(self, method: str, params: Mapping[str, Any], cause: object) -> Mapping[str, Any]:
            raise CallRefused("nobody is here to be asked")

    with pytest.raises(CallRefused, match="nobody is here"):
        await called(asker(MODERN, {"inputRequests": {"q": question("form")}}), Refusing(), MODERN)


async def test_a_server_that_asks_for_ever_is_stopped() -> None:
    rounds = [{"inputRequests": {"q": question("roots")}}] * 20
    server = asker(MODERN, *rounds)
    with pytest.raises(TooManyRounds, match="10 times"):
        await called(server, Person(), MODERN)
    assert len(server.asked("tools/call")) == 11


async def test_many_rounds_have_the_time_of_one_call() -> None:
    server = Scripted(MODERN, {})
    asks = {"resultType": "input_required", "inputRequests": {"q": question("roots")}}

    def slowly(identity: Any, _params: Any) -> None:
        asyncio.get_running_loop().call_later(0.1, server.answer, identity, asks)

    server.on("tools/call", slowly)
    times = Timeouts(start=10, list=10, call=10, ceiling=0.25)
    us = Ourselves(answer=Person().answer)
    async with dial_to({"it": server})(order("it", MODERN, us=us, timeouts=times)) as session:
        with pytest.raises(CallTimeout, match=r"no result within 0\.25 s"):
            await session.call("ask")
    assert len(server.asked("tools/call")) <= 3


async def test_what_somebody_takes_to_answer_is_not_the_servers_time() -> None:
    class Slow(Person):
        async def answer(self, method: str, params: Mapping[str, Any], cause: object) -> Mapping[str, Any]:
            await asyncio.wait([asyncio.get_running_loop().create_future()], timeout=1.2)
            return await super().answer(method, params, cause)

    times = Timeouts(start=10, list=10, call=10, ceiling=1)
    server = asker(MODERN, {"inputRequests": {"q": question("roots")}})
    us = Ourselves(answer=Slow().answer)
    async with dial_to({"it": server})(order("it", MODERN, us=us, timeouts=times)) as session:
        assert (await session.call("ask")).text == "done"


def guarded(*refusals: Any) -> Scripted:
    """Refuses until its addresses were visited."""
    server, left = Scripted(LEGACY, {}), list(refusals)
    server.on("tools/call", lambda identity, _: server.answer(identity, left.pop(0) if left else DONE))
    return server


@pytest.mark.parametrize("tells", [True, False])
async def test_an_address_is_visited_before_the_call_is_made_again(
    tells: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visits, "PATIENCE", 10 if tells else 0.05)

    class Visitor(Person):
        async def answer(self, method: str, params: Mapping[str, Any], cause: object) -> Mapping[str, Any]:
            found = await super().answer(method, params, cause)
            if tells:
                asyncio.get_running_loop().call_soon(over)
            return found

    def over() -> None:
        assert len(server.asked("tools/call")) == 1
        server.say(method="notifications/elicitation/complete", params={"elicitationId": "x"})
        server.say(method="notifications/elicitation/complete", params={"elicitationId": "e"})

    person = Visitor()
    server = guarded((-32042, "log in", {"elicitations": [VISIT]}))
    assert await called(server, person, LEGACY) == "done"
    assert person.asked == [("elicitation/create", VISIT, "me")]
    assert len(server.asked("tools/call")) == 2


@pytest.mark.parametrize(
    "data", [None, {}, {"elicitations": 7}, {"elicitations": [FORM]}, {"elicitations": [VISIT] * 9}]
)
async def test_a_refusal_that_names_no_address_is_one(data: Any) -> None:
    person = Person()
    with pytest.raises(ServerError, match="log in"):
        await called(guarded((-32042, "log in", data)), person, LEGACY)
    assert person.asked == []


async def test_an_address_that_nobody_visits_leaves_the_refusal() -> None:
    class Declining(Person):
        async def answer(self, method: str, params: Mapping[str, Any], cause: object) -> Mapping[str, Any]:
            return {"action": "decline"}

    server = guarded((-32042, "log in", {"elicitations": [VISIT]}))
    with pytest.raises(ServerError, match="log in"):
        await called(server, Declining(), LEGACY)
    assert len(server.asked("tools/call")) == 1


@pytest.mark.parametrize("odd", [{}, {"inputRequests": {}}, {"inputRequests": 7}])
async def test_a_result_that_asks_for_nothing_is_an_error(odd: Mapping[str, Any]) -> None:
    with pytest.raises(BadMessage, match="does not say which"):
        await called(asker(MODERN, odd), Person(), MODERN)


@pytest.mark.parametrize("kind", ["task", "", 7, None])
async def test_a_result_of_an_unknown_kind_is_none(kind: object) -> None:
    server = Scripted(MODERN, {"tools/call": {"content": [], "resultType": kind}})
    with pytest.raises(BadMessage):
        async with dial_to({"it": server})(order("it")) as session:
            await session.call("x")


async def test_a_result_without_its_kind_is_complete() -> None:
    server = Scripted(MODERN, {"tools/call": {"content": [{"type": "text", "text": "x"}]}})
    async with dial_to({"it": server})(order("it")) as session:
        assert (await session.call("x")).text == "x"
