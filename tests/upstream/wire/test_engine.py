"""Requests and their answers, over a carrier that the test holds in its hand."""

from __future__ import annotations

import asyncio
import gc
import json
from typing import Any

import pytest

from mooring.errors import (
    BadArguments,
    BadMessage,
    CallTimeout,
    ConnectionLost,
    MooringError,
    ServerError,
    TooBusy,
)
from mooring.upstream.wire import Slot, Terms, Wire, decode, engine


class Hand:
    """Keeps what was sent, and says what the test wants the server to say."""

    def __init__(self) -> None:
        self.wire = Wire("it")
        self.wire.carrier = self
        self.sent: list[dict[str, Any]] = []

    async def carry(self, message: bytes, slot: Slot | None) -> None:
        self.sent.append(json.loads(message))
        if slot is not None:
            slot.written = True

    def abandon(self, slot: Slot, notice: bytes) -> None:
        self.sent.append(json.loads(notice))

    def say(self, **message: Any) -> None:
        self.wire.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())

    async def asked(self, *terms: Terms, method: str = "tools/call") -> list[asyncio.Task[Any]]:
        tasks = [asyncio.create_task(self.wire.request(method, {}, each)) for each in terms]
        before = len(self.sent)
        while len(self.sent) < before + len(terms):  # noqa: ASYNC110 - the next turn of the loop
            await asyncio.sleep(0)
        return tasks


async def test_each_answer_finds_who_asked() -> None:
    hand = Hand()
    one, two = await hand.asked(Terms(), Terms())
    hand.say(id=2, result={"n": 2})
    hand.say(id=1, result={"n": 1})
    assert [decode(await one), decode(await two)] == [{"n": 1}, {"n": 2}]
    assert hand.wire.pending == 0


@pytest.mark.parametrize("identity", [1, "1", 1.0])
async def test_a_number_is_known_in_every_disguise(identity: object) -> None:
    hand = Hand()
    [task] = await hand.asked(Terms())
    hand.say(id=identity, result={})
    assert decode(await task) == {}


async def test_late_doubled_and_unasked_answers_are_noise() -> None:
    hand = Hand()
    [task] = await hand.asked(Terms())
    for identity in (7, None, True, {}, [], "x", "9" * 5000):
        hand.say(id=identity, result={"n": "wrong"})
    hand.say(id=1, result={"n": 1})
    hand.say(id=1, result={"n": 2})
    assert decode(await task) == {"n": 1}
    hand.say(id=1, result={"n": 3})
    assert hand.wire.noise == 8


async def test_an_error_of_the_protocol_keeps_its_number_and_its_data() -> None:
    hand = Hand()
    one, two = await hand.asked(Terms(), Terms())
    hand.say(id=1, error={"code": -32602, "message": "no\x1b[31m such\nthing", "data": {"uri": "x"}})
    hand.say(id=2, error="nonsense")
    with pytest.raises(ServerError, match="`it` answered: no such thing") as found:
        await one
    assert (found.value.number, found.value.data) == (-32602, {"uri": "x"})
    with pytest.raises(ServerError, match="nonsense"):
        await two


async def test_silence_ends_a_call_and_the_server_is_told() -> None:
    hand = Hand()
    with pytest.raises(CallTimeout, match="neither result nor progress"):
        await hand.wire.request("tools/call", {}, Terms(quiet=0.02))
    assert hand.sent[-1]["method"] == "notifications/cancelled"
    assert hand.sent[-1]["params"]["requestId"] == 1


async def test_progress_pushes_silence_back_until_the_ceiling() -> None:
    hand, heard = Hand(), []
    terms = Terms(quiet=0.2, ceiling=0.5, progress=lambda *said: heard.append(said))
    [task] = await hand.asked(terms)
    assert hand.sent[0]["params"]["_meta"] == {"progressToken": 1}
    for done in range(1000):
        hand.say(method="notifications/progress", params={"progressToken": "1", "progress": done, "total": 9})
        await asyncio.wait([task], timeout=0.05)
        if task.done():
            break
    with pytest.raises(CallTimeout, match="no result within"):
        await task
    assert heard[:2] == [(0, 9, ""), (1, 9, "")]


@pytest.mark.parametrize("token", ["²", "9" * 5000, None, [], 1.5, True, 77])
async def test_progress_of_nobody_is_not_heard(token: object) -> None:
    hand, heard = Hand(), []
    [task] = await hand.asked(Terms(progress=lambda *said: heard.append(said)))
    hand.say(method="notifications/progress", params={"progressToken": token, "progress": 1})
    hand.say(id=1, result={})
    assert decode(await task) == {}
    assert heard == []


async def test_progress_beyond_all_bounds_is_none_and_a_sign_of_life_all_the_same() -> None:
    hand, heard = Hand(), []
    [task] = await hand.asked(Terms(progress=lambda *said: heard.append(said)))
    hand.say(
        method="notifications/progress", params={"progressToken": 1, "progress": 10**400, "total": -(10**400)}
    )
    hand.say(id=1, result={})
    assert decode(await task) == {}
    assert heard == [(0.0, None, "")]


async def test_a_caller_that_goes_away_cancels() -> None:
    hand = Hand()
    never, now = await hand.asked(Terms(cancellable=False), Terms())
    for task in (never, now):
        task.cancel()
    await asyncio.wait([never, now])
    assert [each["params"]["requestId"] for each in hand.sent[2:]] == [2]
    assert hand.wire.pending == 0


async def test_what_cannot_be_sent_is_an_error_of_ours() -> None:
    hand = Hand()
    for value in ("\ud800", object(), 10**5000):
        with pytest.raises(BadArguments):
            await hand.wire.request("tools/call", {"x": value})
    assert (hand.sent, hand.wire.pending) == ([], 0)


async def test_an_identity_of_ones_own_is_kept_and_taken_once() -> None:
    hand = Hand()
    [task] = await hand.asked(Terms(identity="listen-1"))
    with pytest.raises(ValueError, match="in use"):
        hand.wire.open("x", Terms(identity="listen-1"))
    hand.say(id="listen-1", result={})
    await task
    assert hand.sent[0]["id"] == "listen-1"


async def test_too_many_calls_are_refused_before_they_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MOST_PENDING", 2)
    hand = Hand()
    waiting = await hand.asked(Terms(), Terms())
    with pytest.raises(TooBusy, match="2 calls waiting"):
        await hand.wire.request("tools/call", {})
    for task in waiting:
        task.cancel()
    await asyncio.wait(waiting)


async def test_the_end_is_heard_by_who_waits_and_by_who_comes_later() -> None:
    hand = Hand()
    tasks = await hand.asked(Terms(), Terms())
    hand.wire.end(ConnectionLost("gone"))
    hand.wire.end(ConnectionLost("gone twice"))
    for task in tasks:
        with pytest.raises(ConnectionLost, match=r"gone$"):
            await task
    with pytest.raises(ConnectionLost, match=r"gone$"):
        await hand.wire.request("x", {})
    with pytest.raises(ConnectionLost):
        await hand.wire.notify("x")


async def test_an_end_that_many_hear_keeps_nothing_of_them() -> None:
    hand = Hand()
    end = ConnectionLost("gone")
    hand.wire.end(end)
    for _ in range(50):
        with pytest.raises(ConnectionLost):
            await hand.wire.request("x", {})
    assert end.__traceback__ is None
    gc.collect()


async def test_a_result_is_the_bytes_that_came() -> None:
    hand = Hand()
    [task] = await hand.asked(Terms())
    hand.wire.receive(b'{"result": {"a" : 1.0, "b":[ ]} ,"jsonrpc":"2.0", "id" : 1 }\r')
    assert bytes(await task) == b'{"a" : 1.0, "b":[ ]}'


BATCH = b'[{"jsonrpc":"2.0","id":1,"result":{"n":1}}, {"jsonrpc":"2.0","method":"notifications/x"}]'


async def test_a_list_of_messages_is_each_of_them() -> None:
    hand, heard = Hand(), []
    hand.wire.on_notice = lambda method, _params, _cause: heard.append(method)
    [task] = await hand.asked(Terms())
    hand.wire.receive(BATCH)
    assert decode(await task) == {"n": 1}
    assert heard == ["notifications/x"]


GARBAGE = [
    b"npm WARN",
    b"{",
    b"[1,2]",
    b"[]",
    b'"x"',
    b"7",
    b"null",
    b"\xff\xfe",
    b"[" * 200_000,
    b'{"jsonrpc":"2.0"}',
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda it: repr(it[:12]))
async def test_garbage_harms_nobody(garbage: bytes) -> None:
    hand = Hand()
    [task] = await hand.asked(Terms())
    hand.wire.receive(garbage)
    hand.say(id=1, result={})
    assert decode(await task) == {}
    assert hand.wire.noise == 1


@pytest.mark.parametrize(
    "broken", [b'{"jsonrpc":"2.0","id":1,"result":{,}}', b'{"result":{,},"jsonrpc":"2.0","id":1}']
)
async def test_an_answer_that_is_broken_fails_its_call(broken: bytes) -> None:
    hand = Hand()
    [task] = await hand.asked(Terms())
    hand.wire.receive(broken)
    with pytest.raises(BadMessage):
        await task


async def test_what_json_does_not_allow_is_read_all_the_same() -> None:
    hand = Hand()
    one, two = await hand.asked(Terms(), Terms())
    hand.wire.receive(b'{"id":1,"result":{"x":NaN,"y":"caf\xe9"}}')
    hand.wire.receive(b'{"id":2,"result":{"y":"\\ud800"},"method":7}')
    assert decode(await one)["y"] == "caf\ufffd"
    assert decode(await two)["y"] == "\ud800"


def failing(_method: str, _params: object, _cause: object) -> None:
    raise ZeroDivisionError


async def test_a_listener_that_fails_does_not_end_the_reading() -> None:
    hand, problems = Hand(), []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, about: problems.append(about["exception"]))
    hand.wire.on_notice = failing
    [task] = await hand.asked(Terms())
    hand.say(method="notifications/x")
    hand.say(id=1, result={})
    assert decode(await task) == {}
    assert [type(each) for each in problems] == [ZeroDivisionError]


async def test_everything_is_traced_as_it_was_written() -> None:
    hand, traced = Hand(), []
    hand.wire._trace = lambda way, data: traced.append((way, bytes(data)))
    [task] = await hand.asked(Terms())
    hand.say(id=1, result={})
    await task
    assert [way for way, _ in traced] == ["out", "in"]
    assert json.loads(traced[0][1])["method"] == "tools/call"


def test_errors_of_the_wire_are_ours() -> None:
    assert all(issubclass(each, MooringError) for each in (BadArguments, CallTimeout, TooBusy))


@pytest.mark.parametrize("size", [10_000, 2_000_000])
async def test_a_list_of_messages_without_end_is_not_opened_to_its_end(size: int) -> None:
    hand = Hand()
    hand.wire.receive(b"[" + b"{}," * size + b"{}]")
    assert hand.wire.noise <= engine.MOST_IN_BATCH


async def test_of_a_request_that_failed_it_is_known_whether_it_was_sent() -> None:
    hand = Hand()
    [task] = await hand.asked(Terms())
    hand.wire.end(ConnectionLost("gone"))
    with pytest.raises(ConnectionLost) as after:
        await task
    with pytest.raises(ConnectionLost) as before:
        await hand.wire.request("tools/call", {})
    assert (after.value.nothing_was_sent, before.value.nothing_was_sent) == (False, True)
