"""Results over a limit are cut, and all of each stays readable."""

from __future__ import annotations

import json

from tests.gateway.conftest import Gated, Scripted, text

from mooring.core.exposure import Exposure
from mooring.gateway.results import Results
from mooring.gateway.view import Scope
from mooring.upstream.session import Result

SHORT = Scope(longest_result=300)
LINES = "".join(f"line {number}\n" for number in range(2_000))
TOOL = {
    "name": "log",
    "inputSchema": {"type": "object"},
    "outputSchema": {"type": "object", "properties": {"lines": {"type": "string"}}},
}


def server() -> Scripted:
    long = {**text(LINES), "structuredContent": {"lines": LINES}}
    return Scripted(
        {
            "tools/list": {"tools": [TOOL]},
            "tools/call": lambda params: text("short") if params["arguments"] else long,
        }
    )


async def test_a_long_result_is_cut_and_all_of_it_can_be_read(gated: Gated, version: str) -> None:
    async with gated({"s": server()}) as gate:
        client = await gate.client(version, SHORT)
        found = await client.call("s_log")
        assert len(found["content"][0]["text"]) < 1_500
        assert "structuredContent" not in found
        read = await client.ask("resources/read", {"uri": found["content"][-1]["uri"]})
        assert read["contents"][0]["text"] == LINES
        assert (await client.call("s_log", short=True))["content"] == text("short")["content"]
        templates = (await client.ask("resources/templates/list"))["resourceTemplates"]
        assert [each["uriTemplate"] for each in templates] == ["mooring://results/{id}"]


async def test_where_results_are_cut_no_structure_is_promised(gated: Gated) -> None:
    async with gated({"s": server()}) as gate:
        cut, whole = await gate.client("2025-11-25", SHORT), await gate.client("2025-11-25")
        assert "outputSchema" not in (await cut.ask("tools/list"))["tools"][0]
        assert "outputSchema" in (await whole.ask("tools/list"))["tools"][0]
        assert (await whole.call("s_log"))["structuredContent"] == {"lines": LINES}
        assert (await whole.ask("resources/templates/list"))["resourceTemplates"] == []


async def test_calls_by_way_of_search_are_cut_too(gated: Gated) -> None:
    async with gated({"s": server()}) as gate:
        client = await gate.client("2025-11-25", Scope(exposure=Exposure("search"), longest_result=300))
        found = await client.ask("tools/call", {"name": "call_tool", "arguments": {"name": "s_log"}})
        assert found["content"][-1]["type"] == "resource_link"


async def test_a_result_that_is_not_kept_any_more_is_refused_with_a_hint(gated: Gated) -> None:
    async with gated({"s": server()}) as gate:
        client = await gate.client("2025-11-25", SHORT)
        error = await client.refused("resources/read", {"uri": "mooring://results/guess"})
        assert error["data"]["hint"] == "Call the tool again"


def test_the_oldest_results_make_room_and_the_newest_stays() -> None:
    kept = Results(most=5_000)
    uris: list[str] = []
    for number in range(4):
        raw = json.dumps(text(f"{number}\n" * 1_000)).encode()
        uris.append(json.loads(kept.shortened(Result(raw), 100))["content"][-1]["uri"])
    assert len(set(uris)) == 4
    assert kept.read(uris[-1]) is not None
    assert len(kept._kept) == 1
    assert kept.read("notes://today") is None
