"""What servers ask is put to the client whose call they ask about, in whichever era either of them is."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.gateway.conftest import MODERN, Client, Gated, Json, Scripted, text

TOOLS = {"tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}}
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
ASKED: Json = {"message": "Who?", "requestedSchema": FORM}
QUESTIONS: dict[str, tuple[str, Json, Json, Json]] = {
    "a form": (
        "elicitation/create",
        ASKED,
        {"elicitation": {}},
        {"action": "accept", "content": {"name": "Ada"}},
    ),
    "a model": (
        "sampling/createMessage",
        {"messages": [], "maxTokens": 3},
        {"sampling": {}},
        {"role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "m"},
    ),
    "folders": ("roots/list", {}, {"roots": {}}, {"roots": [{"uri": "file:///tmp/of-the-client"}]}),
}


def legacy(method: str, params: Json) -> Scripted:
    """It asks in the middle of a call, and says what it was answered."""

    def call(_params: Json) -> str:
        waiting.append(server.asked)
        server.say({"id": f"q{server.asked}", "method": method, "params": params})
        return "no answer"

    def answered(message: Json) -> None:
        said = message.get("result", message.get("error"))
        call = next(each for each in waiting if message["id"] == f"q{each}")
        server.say({"id": call, "result": text(json.dumps(said))})

    waiting: list[Any] = []
    server = Scripted({**TOOLS, "tools/call": call})
    server.on_answer = answered
    return server


def modern(method: str, params: Json) -> Scripted:
    """It asks in its result, and wants to see its own state again."""

    def call(given: Json) -> Json:
        if given.get("requestState") != "mine" or "who" not in given.get("inputResponses", {}):
            questions = {"who": {"method": method, "params": params}}
            return {"resultType": "input_required", "inputRequests": questions, "requestState": "mine"}
        return {"resultType": "complete", **text(json.dumps(given["inputResponses"]["who"]))}

    about = {"supportedVersions": [MODERN], "capabilities": {"tools": {}}, "resultType": "complete"}
    return Scripted({**TOOLS, "server/discover": about, "tools/call": call})


async def answering(client: Client, name: str, answer: Json) -> Json:
    """The call's result, when the client has answered what it was asked, in its own era."""
    if client.version != MODERN:
        identity = client.begin("tools/call", {"name": name, "arguments": {}})
        question = await client.until(lambda each: "method" in each and "id" in each)
        client.send({"id": question["id"], "result": answer})
        return {"asked": question, "result": (await client.reply(identity))["result"]}
    first = await client.ask("tools/call", {"name": name, "arguments": {}})
    assert first["resultType"] == "input_required", first
    ((key, question),) = first["inputRequests"].items()
    more = {"inputResponses": {key: answer}, "requestState": first["requestState"]}
    return {
        "asked": question,
        "result": await client.ask("tools/call", {"name": name, "arguments": {}, **more}),
    }


@pytest.mark.parametrize("server", [legacy, modern])
@pytest.mark.parametrize("what", list(QUESTIONS))
async def test_a_question_reaches_the_client_and_its_answer_the_server(
    gated: Gated, version: str, server: Any, what: str
) -> None:
    method, params, able, answer = QUESTIONS[what]
    async with gated({"s": server(method, params)}) as gate:
        client = await gate.client(version, **able)
        found = await answering(client, "s_echo", answer)
        assert found["asked"]["method"] == method
        if method != "roots/list":
            assert found["asked"]["params"] == params
        assert json.loads(found["result"]["content"][0]["text"]) == answer


@pytest.mark.parametrize("server", [legacy, modern])
async def test_a_client_is_not_asked_what_it_has_not_said_that_it_can_be_asked(
    gated: Gated, server: Any
) -> None:
    it = server("elicitation/create", ASKED)
    async with gated({"s": it}) as gate:
        client = await gate.client("2025-11-25")
        found = await client.call("s_echo")
        assert json.loads(found["content"][0]["text"]) == {"action": "cancel"}
        assert not [each for each in client.said if "method" in each and "id" in each]
        if server is modern:
            called = await it.until_heard("tools/call")
            able = called["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"]
            assert able == {}


async def test_each_client_is_asked_about_its_own_call(gated: Gated) -> None:
    servers = {"s": legacy("elicitation/create", ASKED), "t": modern("elicitation/create", ASKED)}
    async with gated(servers) as gate:
        ada = await gate.client("2025-11-25", elicitation={})
        eve = await gate.client(MODERN, elicitation={})
        said = [{"action": "accept", "content": {"name": name}} for name in ("Ada", "Eve")]
        found = await asyncio.gather(answering(ada, "s_echo", said[0]), answering(eve, "t_echo", said[1]))
        assert [json.loads(each["result"]["content"][0]["text"]) for each in found] == said


@pytest.mark.parametrize("server", [legacy, modern])
async def test_a_state_is_of_no_use_to_anybody_else_nor_changed(gated: Gated, server: Any) -> None:
    async with gated({"s": server("elicitation/create", ASKED)}) as gate:
        client = await gate.client(MODERN, elicitation={})
        first = await client.ask("tools/call", {"name": "s_echo", "arguments": {}})
        (key,) = first["inputRequests"]
        answers = {key: {"action": "accept", "content": {"name": "Ada"}}}
        for state in (first["requestState"] + "x", "AAAA", "", first["requestState"][:-2]):
            more = {"inputResponses": answers, "requestState": state}
            refused = await client.refused("tools/call", {"name": "s_echo", "arguments": {}, **more})
            assert refused["code"] == -32602
        more = {"inputResponses": answers, "requestState": first["requestState"]}
        elsewhere = await client.refused("tools/call", {"name": "s_other", "arguments": {}, **more})
        assert elsewhere["code"] == -32602
        assert "content" in await client.ask("tools/call", {"name": "s_echo", "arguments": {}, **more})


@pytest.mark.parametrize("server", [legacy, modern])
async def test_what_was_not_answered_is_asked_again(gated: Gated, server: Any) -> None:
    async with gated({"s": server("elicitation/create", ASKED)}) as gate:
        client = await gate.client(MODERN, elicitation={})
        first = await client.ask("tools/call", {"name": "s_echo", "arguments": {}})
        more = {"inputResponses": {"nobody": {}}, "requestState": first["requestState"]}
        again = await client.ask("tools/call", {"name": "s_echo", "arguments": {}, **more})
        assert again["resultType"] == "input_required"
        assert list(again["inputRequests"]) == list(first["inputRequests"])


async def test_permission_is_asked_of_the_client(gated: Gated, version: str) -> None:
    server = Scripted({**TOOLS, "tools/call": lambda _: text("ran")})
    async with gated({"s": server}, permission={"s_echo": "ask"}) as gate:
        client = await gate.client(version, elicitation={"form": {}})
        found = await answering(client, "s_echo", {"action": "accept", "content": {"answer": "once"}})
        assert "s_echo" in found["asked"]["params"]["message"]
        assert found["result"]["content"] == text("ran")["content"]
        other = await gate.client(version)
        refused = await other.refused("tools/call", {"name": "s_echo", "arguments": {}})
        assert refused["data"]["code"] == "MOOR-CALL-005"


async def test_a_call_that_is_cancelled_withdraws_its_question(gated: Gated) -> None:
    async with gated({"s": legacy("elicitation/create", ASKED)}) as gate:
        client = await gate.client("2025-11-25", elicitation={})
        identity = client.begin("tools/call", {"name": "s_echo", "arguments": {}})
        question = await client.until(lambda each: each.get("method") == "elicitation/create")
        client.send({"method": "notifications/cancelled", "params": {"requestId": identity}})
        told = await client.until(lambda each: each.get("method") == "notifications/cancelled")
        assert told["params"]["requestId"] == question["id"]
