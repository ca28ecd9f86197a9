from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mooring.core.intake import Limits
from mooring.core.items import Kind
from mooring.core.listing import Finding, Listing

GOOD = {"name": "echo", "inputSchema": {"type": "object"}}
BAD: list[Any] = [None, [], {"name": ""}, {"name": "x" * 200}, {"name": "bad", "inputSchema": []}]


def flaws(listing: Listing) -> list[tuple[str, str, str]]:
    return [(finding.flaw, str(finding.kind), finding.item) for finding in listing.findings]


@given(st.permutations([GOOD, {"name": "add"}, *BAD]))
def test_a_bad_item_hides_no_other(raws: list[Any]) -> None:
    listing = Listing.read("notes", tools=raws)
    assert {tool.name for tool in listing.tools} == {"echo", "add"}
    assert [finding.flaw for finding in listing.findings] == ["dropped"] * len(BAD)


def test_a_finding_says_which_item_and_what_is_wrong() -> None:
    listing = Listing.read("notes", tools=[GOOD, {"name": "bad", "inputSchema": "none"}, 7])
    assert listing.findings == (
        Finding("dropped", Kind.TOOL, "bad", "`bad`: its schema is not a map"),
        Finding("dropped", Kind.TOOL, "item 2", "an item is not a map"),
    )


def test_the_second_of_two_items_with_one_name_is_dropped() -> None:
    listing = Listing.read(
        "notes",
        tools=[{"name": "a", "description": "first"}, {"name": "a", "description": "second"}],
        resources=[{"uri": "n://1", "name": "first"}, {"uri": "n://1", "name": "second"}],
    )
    assert [tool.description for tool in listing.tools] == ["first"]
    assert [resource.name for resource in listing.resources] == ["first"]
    assert flaws(listing) == [("duplicate", "tool", "a"), ("duplicate", "resource", "n://1")]


def test_a_flood_of_tools_stops_at_the_limit_with_one_finding() -> None:
    listing = Listing.read("notes", tools=[{"name": f"t{number}"} for number in range(5_000)])
    assert [tool.name for tool in listing.tools] == [f"t{number}" for number in range(512)]
    assert [finding.sentence for finding in listing.findings] == [
        "5000 tools, of which only the first 512 are used"
    ]
    assert len(Listing.read("notes", Limits(tools=3), tools=[{"name": n} for n in "abcde"]).tools) == 3


def test_what_was_cut_or_cleaned_is_told() -> None:
    listing = Listing.read(
        "notes",
        tools=[
            {"name": "long", "description": "d" * 5_000},
            {"name": "sly", "description": "Add\u200b", "title": "A\x1b[2J"},
            {"name": "deep", "inputSchema": {"enum": ["\u202e"]}},
            {"name": "wide", "inputSchema": {"anyOf": [{}] * 3_000}},
        ],
        instructions="Be \U000e0041nice" + "!" * 9_000,
    )
    assert flaws(listing) == [
        ("unclean", "instructions", "instructions"),
        ("cut", "instructions", "instructions"),
        ("cut", "tool", "long"),
        ("unclean", "tool", "sly"),
        ("unclean", "tool", "sly"),
        ("unclean", "tool", "deep"),
        ("unchecked", "tool", "wide"),
    ]
    assert listing.instructions.startswith("Be nice!!!")
    assert len(listing.instructions.encode()) <= 8_192


def test_an_ordinary_offer_has_no_findings() -> None:
    listing = Listing.read(
        "notes",
        tools=[{**GOOD, "title": "Echo", "description": "Says it again…\n\tTwice 👋🏽", "outputSchema": {}}],
        resources=[{"uri": "n://1", "name": "one"}],
        templates=[{"uriTemplate": "n://{id}", "name": "any"}],
        prompts=[{"name": "greet", "arguments": [{"name": "who"}]}],
        instructions="Ask before you add.",
    )
    assert listing.findings == ()
    assert (len(listing.resources), len(listing.templates), len(listing.prompts)) == (1, 1, 1)


def test_a_server_without_instructions_has_empty_ones() -> None:
    assert Listing.read("notes", instructions=None) == Listing("notes")
