"""What servers ask back reaches whoever made the call, in both eras."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.host.conftest import Opened
from tests.host.scripted import Scripted

from mooring.core.questions import (
    Accepted,
    Answer,
    Caller,
    Cancelled,
    Declined,
    Elicit,
    Face,
    Question,
    Sample,
    Sampled,
    Visit,
)

FORM = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
ASK_FORM = ("elicitation/create", {"message": "Which size?", "requestedSchema": FORM})
ASK_URL = (
    "elicitation/create",
    {"mode": "url", "message": "Pay", "url": "https://shop.example/pay", "elicitationId": "p1"},
)
ASK_ROOTS = ("roots/list", {})
ASK_MODEL = ("sampling/createMessage", {"messages": [], "maxTokens": 1})


class Shop(Scripted):
    """Its tool asks one question, and its result is the answer, whatever that was."""

    def __init__(self, asks: tuple[str, dict[str, Any]]) -> None:
        super().__init__()
        self.method, self.params = asks
        self.declared: dict[str, Any] = {}
        self.waiting: Any = None

    async def _hear(self, lines: AsyncIterator[bytes]) -> None:
        async def seen() -> AsyncIterator[bytes]:
            async for line in lines:
                message = json.loads(line)
                if message.get("id") == "q1" and "method" not in message:
                    self._done(message.get("result", message.get("error")))
                elif message.get("method") == "tools/call":
                    self._ask(message)
                else:
                    self.declared |= message.get("params", {}).get("capabilities", {})
                    yield line

        await super()._hear(seen())

    def _ask(self, call: dict[str, Any]) -> None:
        self.waiting, params = call["id"], call["params"]
        meta = params.get("_meta", {})
        if "io.modelcontextprotocol/protocolVersion" not in meta:
            self.send({"jsonrpc": "2.0", "id": "q1", "method": self.method, "params": self.params})
        elif "inputResponses" in params:
            self._done(params["inputResponses"]["q1"])
        else:
            self.declared = meta["io.modelcontextprotocol/clientCapabilities"]
            asks = {"q1": {"method": self.method, "params": self.params}}
            result = {"resultType": "input_required", "inputRequests": asks}
            self.send({"jsonrpc": "2.0", "id": self.waiting, "result": result})

    def _done(self, answer: Any) -> None:
        content = [{"type": "text", "text": json.dumps(answer)}]
        self.send({"jsonrpc": "2.0", "id": self.waiting, "result": {"content": content}})

    def _server_discover(self, _params: dict[str, Any]) -> dict[str, Any]:
        return {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}


def caller(answer: Answer, asked: list[Question], **more: Any) -> Caller:
    async def ask(question: Question) -> Answer:
        asked.append(question)
        return answer

    return Caller("me", Face.TERMINAL, ask=ask, **more)


async def answer_to(opened: Opened, protocol: str, shop: Shop, who: Caller | None) -> Any:
    async with opened({"shop": shop}, protocol=protocol) as host:
        return json.loads((await host.call(who, "shop_tick")).text)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Accepted({"number": 44}), {"action": "accept", "content": {"number": 44}}),
        (Accepted({"number": "big"}), {"action": "cancel"}),
        (Declined(), {"action": "decline"}),
        (Cancelled(), {"action": "cancel"}),
    ],
)
async def test_a_form_is_put_to_the_caller(
    opened: Opened, protocol: str, answer: Answer, told: dict[str, Any]
) -> None:
    asked: list[Question] = []
    assert await answer_to(opened, protocol, Shop(ASK_FORM), caller(answer, asked)) == told
    assert asked == [Elicit("shop", "Which size?", FORM)]


async def test_an_address_is_put_to_the_caller(opened: Opened, protocol: str) -> None:
    asked: list[Question] = []
    told = await answer_to(opened, protocol, Shop(ASK_URL), caller(Accepted(), asked))
    assert told == {"action": "accept"}
    assert asked == [Visit("shop", "https://shop.example/pay", "Pay", "p1")]


async def test_an_address_that_is_none_is_put_to_nobody(opened: Opened) -> None:
    asked: list[Question] = []
    shop = Shop(("elicitation/create", {"mode": "url", "message": "Pay", "url": "javascript:alert(1)"}))
    told = await answer_to(opened, "2025-11-25", shop, caller(Accepted(), asked))
    assert told["code"] == -32602
    assert asked == []


async def test_who_cannot_be_asked_is_not_asked(opened: Opened, protocol: str) -> None:
    shop = Shop(ASK_FORM)
    assert await answer_to(opened, protocol, shop, None) == {"action": "cancel"}
    if protocol == "2026-07-28":
        assert "elicitation" not in shop.declared, "each request says what its own caller can answer"


async def test_our_root_is_the_projects_folder(opened: Opened, protocol: str, tmp_path: Path) -> None:
    shop = Shop(ASK_ROOTS)
    told = await answer_to(opened, protocol, shop, None)
    assert told["roots"] == [{"uri": tmp_path.as_uri(), "name": tmp_path.name}]
    assert "roots" in shop.declared


async def test_a_model_runs_only_for_callers_that_have_one(opened: Opened, protocol: str) -> None:
    slogan = {"role": "assistant", "model": "m", "content": {"type": "text", "text": "Buy!"}}
    asked: list[Question] = []
    with_model = caller(Sampled(slogan), asked, capabilities={"sampling": {}})
    assert await answer_to(opened, protocol, Shop(ASK_MODEL), with_model) == slogan
    assert [type(question) for question in asked] == [Sample]


async def test_without_a_model_a_server_is_told_so(opened: Opened) -> None:
    told = await answer_to(opened, "2025-11-25", Shop(ASK_MODEL), caller(Accepted(), []))
    assert told["code"] == -32601
