"""What can be asked of a server, and what comes back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.upstream.scripted import LEGACY, META, MODERN, Scripted, order

from mooring.core.items import Kind
from mooring.core.spec import Timeouts
from mooring.errors import BadMessage, CallTimeout, ListTimeout, ServerError
from mooring.testing import dial_to
from mooring.upstream.session import Ourselves, pages

BOTH = pytest.mark.parametrize("version", [LEGACY, MODERN])


def paged(*answers: dict[str, Any], version: str = LEGACY) -> Scripted:
    server = Scripted(version, {})
    left = list(answers)
    server.on(
        "tools/list",
        lambda identity, _params: server.answer(identity, left.pop(0) if len(left) > 1 else left[0]),
    )
    return server


@BOTH
async def test_a_call_always_has_arguments(version: str) -> None:
    server = Scripted(version, {"tools/call": {"content": []}})
    async with dial_to({"it": server})(order("it", version)) as session:
        await session.call("x")
    [asked] = server.asked("tools/call")
    assert (asked["name"], asked["arguments"]) == ("x", {})


@BOTH
async def test_fields_that_nobody_knows_survive(version: str) -> None:
    odd = {"content": [{"type": "hologram", "depth": 3}], "future": {"a": [1.0]}, "structuredContent": [1]}
    server = Scripted(
        version, {"tools/call": odd, "tools/list": {"tools": [{"name": "x", "future": 1}, 7, None]}}
    )
    async with dial_to({"it": server})(order("it", version)) as session:
        result = await session.call("x")
        assert result.value["future"] == {"a": [1.0]}
        assert result.structured == [1]
        assert json.loads(result.raw) == result.value
        assert (await session.all(Kind.TOOL)).items == ({"name": "x", "future": 1}, 7, None)


async def test_all_pages_are_one_list() -> None:
    server = paged({"tools": [1], "nextCursor": ""}, {"tools": [2], "nextCursor": "x"}, {"tools": [3]})
    async with dial_to({"it": server})(order("it", LEGACY)) as session:
        found = await session.all(Kind.TOOL)
    assert (found.items, found.cut) == ((1, 2, 3), "")
    assert server.asked("tools/list") == [{}, {"cursor": ""}, {"cursor": "x"}]


async def test_a_cursor_that_comes_again_ends_the_list() -> None:
    server = paged({"tools": [1], "nextCursor": "x"})
    async with dial_to({"it": server})(order("it", LEGACY)) as session:
        found = await session.all(Kind.TOOL)
    assert (found.items, found.cut) == ((1, 1), "`tools/list` repeats a cursor")


async def test_too_many_items_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_ITEMS", 3)
    # Also where there is only one page of them.
    for more in ({"nextCursor": "x"}, {}):
        server = paged({"tools": [1, 2, 3, 4], **more})
        async with dial_to({"it": server})(order("it", LEGACY)) as session:
            found = await session.all(Kind.TOOL)
        assert found.items == (1, 2, 3)
        assert "more than 3 items" in found.cut


async def test_too_many_bytes_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_BYTES", pages.MIB)
    each = {"tools": ["x" * (pages.MIB * 3 // 5)]}
    server = paged(*({**each, "nextCursor": str(number)} for number in range(9)))
    async with dial_to({"it": server})(order("it", LEGACY)) as session:
        found = await session.all(Kind.TOOL)
    assert len(found.items) == 2
    assert "more than 1 MiB" in found.cut


@pytest.mark.parametrize(
    ("first", "second", "fresh"),
    [
        (5000, 1000, 1),
        (-1, 5, 0),
        (None, 2000, 2),
        (10**12, None, 86_400),
        (True, "x", None),
        (10**400, 0, 0),
    ],
)
async def test_a_list_is_fresh_as_long_as_its_shortest_page(
    first: Any, second: Any, fresh: float | None
) -> None:
    server = paged(
        {"tools": [], "nextCursor": "x", "ttlMs": first}, {"tools": [], "ttlMs": second}, version=MODERN
    )
    async with dial_to({"it": server})(order("it", MODERN)) as session:
        assert (await session.all(Kind.TOOL)).fresh_for == fresh


@pytest.mark.parametrize("odd", [{}, {"tools": None}, {"tools": {}}, "text"])
async def test_a_list_that_is_none_is_an_error(odd: Any) -> None:
    async with dial_to({"it": paged(odd)})(order("it", LEGACY)) as session:
        with pytest.raises(BadMessage, match="tools/list"):
            await session.all(Kind.TOOL)


async def test_everything_that_is_asked_has_its_time_and_says_which_key_raises_it() -> None:
    server = Scripted(LEGACY, {})
    for method in ("tools/list", "completion/complete", "ping", "resources/read"):
        server.on(method, lambda _identity, _params: None)
    times = Timeouts(start=5, list=0.05, call=0.05)
    async with dial_to({"it": server})(order("it", LEGACY, timeouts=times)) as session:
        with pytest.raises(ListTimeout, match=r"`tools/list` within 0\.05 s"):
            await session.all(Kind.TOOL)
        with pytest.raises(CallTimeout, match=r"`it` did not answer `completion/complete`") as late:
            await session.complete({"type": "ref/prompt", "name": "p"}, {"name": "a", "value": "b"}, {})
        assert "mcp.it.timeout.list" in late.value.hint
        with pytest.raises(CallTimeout, match="`ping`"):
            await session.ping(0.05)
        with pytest.raises(CallTimeout, match="`note://x` of `it`") as late:
            await session.read("note://x")
        assert "mcp.it.timeout.call" in late.value.hint


@BOTH
async def test_what_else_can_be_asked(version: str) -> None:
    completion = {"completion": {"values": ["bx"]}}
    answers = {
        "completion/complete": completion,
        "prompts/get": {"messages": []},
        "resources/read": {"contents": []},
    }
    server = Scripted(version, {**answers, "ping": {}, "logging/setLevel": {}})
    reference = {"type": "ref/prompt", "name": "p"}
    async with dial_to({"it": server})(order("it", version)) as session:
        assert (
            await session.complete(reference, {"name": "a", "value": "b"}, {"c": "d"})
        ).value == completion
        await session.prompt("p", {"a": "b"})
        await session.read("note://x")
        await session.ping(5)
        if version == LEGACY:
            await session.set_log_level("debug")
    [asked] = server.asked("completion/complete")
    assert asked["context"] == {"arguments": {"c": "d"}}
    assert server.asked("prompts/get")[0]["arguments"] == {"a": "b"}
    assert len(server.asked("ping")) == (version == LEGACY)
    assert len(server.asked("server/discover")) == 2 * (version == MODERN)


async def test_in_the_new_era_every_request_says_which_logs_are_wanted() -> None:
    server = Scripted(MODERN, {"tools/call": {"content": []}})
    async with dial_to({"it": server})(order("it", MODERN, us=Ourselves(log_level="info"))) as session:
        await session.call("x")
    assert server.messages[-1]["params"]["_meta"][f"{META}logLevel"] == "info"


async def test_a_refused_call_is_an_error_with_the_servers_words() -> None:
    server = Scripted(LEGACY, {"tools/call": (-32602, "Unknown tool: x", {"near": "y"})})
    async with dial_to({"it": server})(order("it", LEGACY)) as session:
        with pytest.raises(ServerError, match="`it` answered: Unknown tool: x") as refused:
            await session.call("x")
    assert refused.value.data == {"near": "y"}
