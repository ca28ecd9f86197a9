from __future__ import annotations

import tracemalloc
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mooring.core.catalog import Catalog
from mooring.core.changes import Changes, Delta, changes
from mooring.core.listing import Listing
from mooring.core.names import Names

NAMES = Names({"notes", "files", "empty"})
NOTES = Listing.read(
    "notes",
    tools=[{"name": "list"}, {"name": "add"}],
    resources=[{"uri": "note://2"}, {"uri": "note://1"}],
    templates=[{"uriTemplate": "note://{id}"}],
    prompts=[{"name": "tidy"}],
    instructions="Be brief.",
)
FILES = Listing.read("files", tools=[{"name": "read"}], resources=[{"uri": "note://1"}])


def test_tools_are_found_by_their_public_names() -> None:
    catalog = Catalog.build([NOTES, FILES], NAMES)
    entry = catalog.tool("notes_add")
    assert entry is not None
    assert (entry.server, entry.item.name) == ("notes", "add")
    assert catalog.tool("add") is None


@given(st.permutations([NOTES, FILES, Listing("empty")]))
def test_the_order_never_depends_on_who_answered_first(listings: list[Listing]) -> None:
    catalog = Catalog.build(listings, NAMES)
    assert catalog == Catalog.build([NOTES, FILES, Listing("empty")], NAMES)
    assert list(catalog.offers) == ["empty", "files", "notes"]
    assert [entry.name for entry in catalog.tools()] == ["files_read", "notes_add", "notes_list"]
    assert [entry.name for entry in catalog.resources()] == [
        "files:note://1",
        "notes:note://1",
        "notes:note://2",
    ]
    assert [entry.name for entry in catalog.templates()] == ["notes:note://{id}"]
    assert [entry.name for entry in catalog.prompts()] == ["notes:tidy"]


def test_one_server_s_offer_can_be_asked_for_alone() -> None:
    catalog = Catalog.build([NOTES, FILES], NAMES)
    assert [entry.name for entry in catalog.tools("files")] == ["files_read"]
    assert [entry.item.uri for entry in catalog.resources("notes")] == ["note://1", "note://2"]
    assert catalog.prompts("files") == catalog.tools("nobody") == ()


def test_one_address_at_two_servers_is_two_resources() -> None:
    catalog = Catalog.build([NOTES, FILES], NAMES)
    found = [catalog.resource(server, "note://1") for server in ("files", "notes", "empty")]
    assert [entry and entry.server for entry in found] == ["files", "notes", None]


def test_a_colon_in_a_server_s_name_confuses_nobody() -> None:
    one, two = Listing.read("a", resources=[{"uri": "b:c"}]), Listing.read("a:b", resources=[{"uri": "c"}])
    catalog = Catalog.build([one, two], Names({"a", "a:b"}))
    assert [
        entry and entry.server for entry in (catalog.resource("a", "b:c"), catalog.resource("a:b", "c"))
    ] == [
        "a",
        "a:b",
    ]


def test_prompts_that_share_a_public_name_are_all_within_reach() -> None:
    listing = Listing.read("notes", prompts=[{"name": "a b"}, {"name": "a_b"}, {"name": "a/b"}])
    catalog = Catalog.build([listing], NAMES)
    for name in ("a b", "a_b", "a/b"):
        entry = catalog.prompt(f"notes:{name}")
        assert entry is not None
        assert entry.item.name == name


def test_a_public_prompt_name_finds_its_prompt() -> None:
    entry = Catalog.build([Listing.read("notes", prompts=[{"name": "a b"}])], NAMES).prompt("notes:a_b")
    assert entry is not None
    assert entry.item.name == "a b"


def test_one_new_listing_leaves_the_entries_of_the_others_as_they_were() -> None:
    before = Catalog.build([NOTES, FILES], NAMES)
    after = Catalog.build([NOTES, Listing("files")], NAMES, before)
    assert after.offers["notes"] is before.offers["notes"]
    assert after == Catalog.build([NOTES, Listing("files")], NAMES)


def test_other_configured_servers_mean_other_names_also_for_an_old_listing() -> None:
    listing = Listing.read("notes", tools=[{"name": "old_add"}])
    before = Catalog.build([listing], NAMES)
    after = Catalog.build([listing], Names({"notes", "notes_old"}), before)
    assert [entry.name for entry in before.tools()] == ["notes_old_add"]
    assert [entry.name for entry in after.tools()] != ["notes_old_add"]


def test_changes_are_told_by_kind_and_server() -> None:
    later = Listing.read(
        "notes",
        tools=[{"name": "add", "description": "new words"}, {"name": "drop"}],
        resources=[{"uri": "note://1"}, {"uri": "note://2"}],
        templates=[{"uriTemplate": "note://{id}"}],
        instructions="Be brief!",
    )
    found = changes(Catalog.build([NOTES, FILES], NAMES), Catalog.build([later, FILES], NAMES))
    assert found == {
        "notes": Changes(
            tools=Delta(added=("notes_drop",), removed=("notes_list",), changed=("notes_add",)),
            prompts=Delta(removed=("notes:tidy",)),
            instructions=True,
        )
    }


def test_a_server_that_comes_or_goes_has_everything_added_or_removed() -> None:
    none, some = Catalog.build([], NAMES), Catalog.build([FILES], NAMES)
    tools, resources = ("files_read",), ("files:note://1",)
    assert changes(none, some) == {"files": Changes(Delta(added=tools), Delta(added=resources))}
    assert changes(some, none) == {"files": Changes(Delta(removed=tools), Delta(removed=resources))}


def test_a_field_that_only_a_later_protocol_knows_is_a_change_too() -> None:
    one = Listing.read("notes", tools=[{"name": "add", "fromTheFuture": 1}])
    two = Listing.read("notes", tools=[{"name": "add", "fromTheFuture": 2}])
    found = changes(Catalog.build([one], NAMES), Catalog.build([two], NAMES))
    assert found["notes"].tools == Delta(changed=("notes_add",))


listings = st.lists(
    st.tuples(st.sampled_from(["notes", "files"]), st.sets(st.sampled_from("abcd")), st.integers(0, 1)),
    max_size=2,
    unique_by=lambda drawn: drawn[0],
)


def catalog_of(drawn: list[tuple[str, set[str], int]]) -> Catalog:
    return Catalog.build(
        [
            Listing.read(server, tools=[{"name": name, "version": version} for name in sorted(tools)])
            for server, tools, version in drawn
        ],
        NAMES,
    )


@given(listings, listings)
def test_changes_lead_from_the_old_names_to_the_new(old: Any, new: Any) -> None:
    before, after = catalog_of(old), catalog_of(new)
    names = {entry.name for entry in before.tools()}
    for found in changes(before, after).values():
        assert not set(found.tools.changed) & {*found.tools.added, *found.tools.removed}
        names = (names | set(found.tools.added)) - set(found.tools.removed)
    assert names == {entry.name for entry in after.tools()}
    assert changes(before, before) == changes(before, catalog_of(old)) == {}


def a_tool(number: int) -> dict[str, Any]:
    text = {"type": "string", "description": f"What to write, number {number}"}
    properties = {"text": text, "at": {"type": "integer"}}
    return {
        "name": f"tool_{number}",
        "description": f"Tool {number} " + "of a server with many others " * 5,
        "inputSchema": {"type": "object", "properties": properties, "required": ["text"]},
    }


def test_a_thousand_tools_cost_less_than_two_megabytes_with_everything_the_server_sent() -> None:
    tracemalloc.start()
    try:
        catalog = Catalog.build(
            [
                Listing.read(server, tools=[a_tool(number) for number in range(500)])
                for server in ("notes", "files")
            ],
            NAMES,
        )
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(catalog.tools()) == 1_000
    assert taken <= 2_000_000
