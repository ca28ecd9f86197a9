from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.intake import Limits
from mooring.core.items import Argument, Prompt, Resource, Template, Tool
from mooring.errors import BadItem, BadSchema, MooringError

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}


def test_a_tool_keeps_what_nobody_here_knows() -> None:
    raw = {"name": "add", "inputSchema": SCHEMA, "fromTheFuture": [1], "_meta": {"a/b": 2}}
    tool = Tool.read(raw)
    assert tool.raw is raw
    assert tool.input_schema is SCHEMA
    assert (tool.name, tool.title, tool.description, tool.output_schema) == ("add", "", "", None)


def test_a_tool_s_title_may_stand_in_its_annotations() -> None:
    assert Tool.read({"name": "x", "annotations": {"title": "Ex"}}).title == "Ex"
    assert Tool.read({"name": "x", "title": "X", "annotations": {"title": "Ex"}}).title == "X"


@pytest.mark.parametrize(
    ("annotations", "read_only", "destructive"),
    [
        ({}, False, True),
        ({"readOnlyHint": True}, True, False),
        ({"readOnlyHint": True, "destructiveHint": True}, True, False),
        ({"destructiveHint": False}, False, False),
        ({"readOnlyHint": "true"}, False, True),
        ("nonsense", False, True),
    ],
)
def test_a_tool_claims_only_what_it_says_in_the_protocol_s_own_terms(
    annotations: Any, read_only: bool, destructive: bool
) -> None:
    tool = Tool.read({"name": "x", "annotations": annotations})
    assert (tool.read_only, tool.destructive) == (read_only, destructive)


@pytest.mark.parametrize(("annotations", "open_world"), [({}, True), ({"openWorldHint": False}, False)])
def test_a_tool_may_reach_out_unless_it_says_that_it_does_not(annotations: Any, open_world: bool) -> None:
    assert Tool.read({"name": "x", "annotations": annotations}).open_world is open_world


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "add",
        {},
        {"name": ""},
        {"name": 5},
        {"name": "x" * 129},
        {"name": "a\nb"},
        {"name": "a\u202eb"},
        {"name": "a\x1b[2Jb"},
    ],
)
def test_a_tool_that_cannot_be_named_is_refused(raw: Any) -> None:
    with pytest.raises(BadItem) as caught:
        Tool.read(raw)
    assert len(caught.value.sentence) < 200
    assert caught.value.sentence.isprintable()


def test_a_name_as_people_write_them_is_a_name() -> None:
    assert Tool.read({"name": "weird.name/with: blanks"}).name == "weird.name/with: blanks"


@pytest.mark.parametrize(
    ("schema", "word"),
    [("object", "map"), ([], "map"), (True, "map"), ({"description": "x" * 65_536}, "bytes")],
)
def test_a_tool_whose_schema_is_none_is_refused_by_name(schema: Any, word: str) -> None:
    with pytest.raises(BadSchema, match=f"`add`: .*{word}"):
        Tool.read({"name": "add", "inputSchema": schema})


def nested(levels: int) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for _ in range(levels):
        tree = {"properties": tree}
    return tree


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (nested(100), "the schema has 101 levels, 64 are checked"),
        ({"enum": list(range(10_000))}, "the schema has 10002 values, 10000 are checked"),
        ({"anyOf": [{}] * 2_000}, "the schema has 2001 maps, 2000 are checked"),
        (nested(63), ""),
    ],
)
def test_a_tool_with_too_intricate_a_schema_stays_and_is_not_checked(schema: Any, why: str) -> None:
    tool = Tool.read({"name": "add", "inputSchema": schema})
    assert tool.unchecked == why
    assert tool.input_schema is schema


def test_a_schema_nested_beyond_measure_is_an_error_like_any_other() -> None:
    tree: Any = []
    for _ in range(100_000):
        tree = [tree]
    try:
        with pytest.raises(BadSchema, match="beyond measure"):
            Tool.read({"name": "add", "inputSchema": {"enum": tree}})
    finally:
        while tree:  # taken apart by hand: a garbage collector may recurse
            tree = tree.pop()


@pytest.mark.parametrize(
    "sign", ["\x1b", "\x00", "\x08", "\x7f", "\x9b", "\u200b", "\u202e", "\U000e0041", "\ud800"]
)
def test_one_invisible_character_is_enough_for_a_schema_to_be_cleaned(sign: str) -> None:
    tool = Tool.read({"name": "add", "inputSchema": {"description": f"a{sign}"}})
    assert sign not in tool.input_schema["description"]


def test_nothing_invisible_gets_into_a_schema() -> None:
    dirty = {
        "properties": {
            "te\u200bxt": {"description": "a\x1b[31mb", "enum": ["c\u202e", 1, None, ["\U000e0041"]]}
        }
    }
    tool = Tool.read({"name": "add", "inputSchema": dirty})
    assert tool.input_schema == {"properties": {"text": {"description": "ab", "enum": ["c", 1, None, [""]]}}}
    assert "te\u200bxt" in dirty["properties"], "the server's own words are not touched"


def test_long_texts_are_cut_on_a_character() -> None:
    tool = Tool.read({"name": "x", "title": "t" * 300, "description": "漢" * 2_000})
    assert len(tool.title) == 256
    assert tool.title.endswith("t…")
    assert 4_090 < len(tool.description.encode()) <= 4_096
    assert set(tool.description) == {"漢", "…"}


def test_limits_can_be_raised() -> None:
    raw = {"name": "x" * 200, "description": "d" * 5_000}
    tool = Tool.read(raw, Limits(name=200, description=5_000))
    assert (tool.name, tool.description) == (raw["name"], raw["description"])


def test_resources_and_templates_are_known_by_their_addresses() -> None:
    resource = Resource.read({"uri": "note://1", "name": "One", "mimeType": "text/plain", "size": 12})
    template = Template.read({"uriTemplate": "note://{id}", "name": "Any", "title": "A note"})
    assert (resource.key, resource.name, resource.mime, resource.size) == (
        "note://1",
        "One",
        "text/plain",
        12,
    )
    assert (template.key, template.name, template.title) == ("note://{id}", "Any", "A note")
    assert Resource.read({"uri": "note://2"}).name == ""


def test_a_prompt_s_arguments_are_read_as_far_as_they_make_sense() -> None:
    written = [{"name": "who", "required": True}, {"name": "how", "description": "kind\x07ly"}, {}, 5]
    prompt = Prompt.read({"name": "greet", "arguments": written})
    assert prompt.arguments == (Argument("who", "", required=True), Argument("how", "kindly"))
    assert Prompt.read({"name": "greet", "arguments": "who"}).arguments == ()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
keys = "name uri uriTemplate title description inputSchema outputSchema annotations arguments mimeType size"


@given(st.dictionaries(st.sampled_from(keys.split()), json_values) | json_values)
def test_whatever_a_server_sends_is_an_item_or_an_error_of_ours(raw: Any) -> None:
    for read in (Tool.read, Resource.read, Template.read, Prompt.read):
        try:
            item = read(raw)
        except MooringError:
            continue
        assert item.raw is raw
        assert isinstance(item.description, str)
