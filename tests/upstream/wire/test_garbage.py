"""Whatever a server says, the reading goes on, and nobody waits for ever."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.turns import turns
from tests.upstream.wire.test_engine import Hand

from mooring.errors import MooringError
from mooring.upstream.wire import Terms, decode

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
METHODS = st.sampled_from(
    ["ping", "notifications/progress", "notifications/cancelled", "notifications/message", "roots/list", "²"]
)


def some(*keys: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=dict.fromkeys(keys, VALUES))


PARAMS = some("progressToken", "progress", "message", "requestId", "_meta")
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": VALUES,
        "id": VALUES | st.sampled_from([1, "1", "²", "9" * 5000, 10**30, -1]),
        "method": METHODS | VALUES,
        "params": PARAMS | VALUES,
        "result": VALUES,
        "error": VALUES | some("code", "message", "data"),
    },
)
WRITTEN = (MESSAGES | VALUES | st.lists(MESSAGES, max_size=3)).map(lambda value: json.dumps(value).encode())
CUT = st.tuples(WRITTEN, st.integers(0, 40)).map(lambda both: both[0][: -both[1] or None])
ANYTHING = WRITTEN | CUT | st.binary(max_size=40)


@settings(max_examples=400)
@given(st.lists(ANYTHING, max_size=6))
def test_nothing_that_is_said_ends_the_reading(said: list[bytes]) -> None:
    problems: list[Any] = []

    async def conversation() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, about: problems.append(about))
        hand = Hand()
        [task] = await hand.asked(Terms(progress=lambda *_said: None))
        for message in said:
            hand.wire.receive(message)
        await turns()
        hand.say(id=1, result={"n": 1})
        with contextlib.suppress(MooringError):
            decode(await task)
        hand.wire.receive(b'{"id":1,"result":{}}')
        [task] = await hand.asked(Terms())
        hand.say(id=2, result={"n": 2})
        assert decode(await task) == {"n": 2}
        assert hand.wire.pending == 0
        for answer in list(hand.wire._serving._tasks.values()):
            await asyncio.wait([answer])

    asyncio.run(conversation())
    assert problems == []
