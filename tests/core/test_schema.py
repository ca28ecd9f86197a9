"""A tool's schema, as each family of models accepts it."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.schema import Family, Repaired, family_of, for_family

CLOSED = {"type": "object", "properties": {}, "additionalProperties": False}
STRING, NULL, INTEGER = {"type": "string"}, {"type": "null"}, {"type": "integer"}
STRINGS = {"type": "array", "items": STRING}
FLATTENED = [Family.OPENAI, Family.ANTHROPIC, Family.GEMINI]

names = st.sampled_from(["a", "b", "enum", "type", "$ref", "x y"])
keywords = st.sampled_from(
    [
        *(
            "type",
            "properties",
            "required",
            "items",
            "prefixItems",
            "enum",
            "const",
            "anyOf",
            "oneOf",
            "allOf",
        ),
        *("$ref", "$defs", "definitions", "additionalProperties", "not", "description", "format", "minimum"),
        *("exclusiveMinimum", "nullable"),
    ]
)
types = st.sampled_from(["object", "array", "string", "integer", "number", "boolean", "null", "date"])
references = st.sampled_from(
    ["#", "#/$defs/a", "#/$defs/b", "#/properties/a", "#/anyOf/0", "http://x", "#/nothing"]
)
literals = st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | st.text(max_size=3)
junk = st.recursive(
    literals | types | references | st.binary(max_size=1),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(names | keywords | st.integers(), inner, max_size=4)
    ),
    max_leaves=12,
)


def _schemas(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    some = st.lists(inner, max_size=3)
    named = st.dictionaries(names, inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": types | st.lists(types, max_size=3),
            "properties": named,
            "required": st.lists(names, max_size=3),
            "items": inner | some,
            "prefixItems": some,
            "enum": st.lists(literals, max_size=3),
            "const": literals,
            "anyOf": some,
            "oneOf": some,
            "allOf": some,
            "$ref": references,
            "$defs": named,
            "additionalProperties": st.booleans() | inner,
            "description": st.just("d"),
            "minimum": st.just(1),
            "exclusiveMinimum": st.booleans() | st.just(2),
        },
    )


schemas = st.recursive(st.booleans() | st.just({}) | junk, _schemas, max_leaves=10)


@given(schemas | _schemas(schemas), st.sampled_from(Family))
def test_whatever_comes_a_closed_object_leaves_and_stays_as_it_is(schema: object, family: Family):
    before = repr(schema)
    repaired = for_family(schema, family)
    assert repr(schema) == before
    assert repaired.schema["type"] == "object"
    assert isinstance(repaired.schema["properties"], dict)
    assert (
        isinstance(repaired.schema["additionalProperties"], dict) or "additionalProperties" in repaired.schema
    )
    json.dumps(repaired.schema, allow_nan=False).encode()
    assert for_family(repaired.schema, family) == Repaired(repaired.schema, ())


@pytest.mark.parametrize("family", Family)
def test_an_ordinary_schema_needs_no_repair(family: Family):
    schema = {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "d"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["path"],
        "additionalProperties": False,
    }
    assert for_family(schema, family) == Repaired(schema, ())


@pytest.mark.parametrize("family", Family)
@pytest.mark.parametrize("schema", [None, True, [], "x", 1, 0.5])
def test_what_is_no_schema_becomes_an_object_without_properties(schema: object, family: Family):
    repaired = for_family(schema, family)
    assert repaired.schema == CLOSED
    assert [repair.kind for repair in repaired.repairs] == ["not-an-object"]


@pytest.mark.parametrize("family", Family)
@pytest.mark.parametrize("opening", [True, {"type": "string"}])
def test_a_root_that_opens_itself_stays_open(family: Family, opening: object):
    assert for_family({"additionalProperties": opening}, family).schema["additionalProperties"] == opening
    assert for_family({"additionalProperties": "?"}, family).schema["additionalProperties"] is False


@pytest.mark.parametrize("family", Family)
def test_a_root_reference_is_replaced_by_its_target(family: Family):
    target = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    schema = {"$ref": "#/$defs/in", "$defs": {"in": {"$ref": "#/$defs/deeper"}, "deeper": target}}
    repaired = for_family(schema, family).schema
    assert (repaired["properties"], repaired["required"]) == (target["properties"], ["a"])
    circle = {"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/x"}}}
    assert "$ref" not in for_family(circle, family).schema


@pytest.mark.parametrize("family", FLATTENED)
@pytest.mark.parametrize("combiner", ["anyOf", "oneOf"])
def test_alternatives_at_the_root_become_one_object(family: Family, combiner: str):
    one = {"properties": {"kind": {"const": "a"}, "x": {"type": "string"}}, "required": ["kind", "x"]}
    other = {"properties": {"kind": {"const": "b"}, "y": {"type": "string"}}, "required": ["kind"]}
    repaired = for_family(
        {combiner: [one, other, {"type": "null"}], "properties": {"x": {"type": "integer"}}}, family
    )
    assert combiner not in repaired.schema
    assert repaired.schema["required"] == ["kind"]
    assert repaired.schema["properties"]["x"] == {"type": "integer"}
    assert repaired.schema["properties"]["kind"]["enum"] == ["a", "b"]
    assert repaired.schema["properties"]["y"] == {"type": "string"}
    assert ("#", "root-combiner") in [(repair.path, repair.kind) for repair in repaired.repairs]


@pytest.mark.parametrize("family", FLATTENED)
def test_what_all_of_them_say_holds_together(family: Family):
    defs = {"base": {"properties": {"a": {"type": "string"}}, "required": ["a"]}}
    schema = {
        "allOf": [{"$ref": "#/$defs/base"}, {"properties": {"b": {"type": "string"}}, "required": ["b"]}]
    }
    repaired = for_family({**schema, "$defs": defs}, family).schema
    assert list(repaired["properties"]) == ["a", "b"]
    assert repaired["required"] == ["a", "b"]


def test_plain_models_keep_alternatives_at_the_root():
    schema = {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert for_family(schema, Family.PLAIN).schema["anyOf"] == schema["anyOf"]


def inside(schema: object, family: Family) -> object:
    return for_family({"type": "object", "properties": {"p": schema}}, family).schema["properties"]["p"]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (True, {"type": "string"}),
        ({"const": 1}, {"enum": [1], "type": "integer"}),
        ({"type": "date", "format": "date"}, {"type": "string"}),
        ({"type": ["string", "null"], "pattern": "x"}, {"type": ["string", "null"]}),
        ({"properties": {"a": {}}}, {"type": "object", "properties": {"a": {}}}),
        ({"type": "object"}, {"type": "object", "properties": {}}),
        ({"minimum": 1}, {"type": "number"}),
        ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
        ({"enum": []}, {}),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}),
        ({"items": [STRING, NULL]}, {"type": "array", "items": {"anyOf": [STRING, NULL]}}),
        ({"anyOf": [{"type": "string"}], "title": "t"}, {"anyOf": [{"type": "string"}]}),
        ({"description": "d"}, {"description": "d"}),
        ({"type": "object", "properties": {}, "required": ["z"]}, {"type": "object", "properties": {}}),
        ({"$ref": "#/nowhere", "description": "d"}, {"description": "d"}),
    ],
)
def test_openai_gets_few_keywords_and_a_type(given: object, sent: object):
    assert inside(given, Family.OPENAI) == sent


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"type": "integer", "enum": [1, 2]}, {"type": "string", "enum": ["1", "2"]}),
        ({"type": ["string", "null"], "enum": ["a", "", None]}, {**STRING, "enum": ["a"], "nullable": True}),
        ({"type": ["string", "null"]}, {"type": "string", "nullable": True}),
        ({"type": ["string", "integer"], "title": "t"}, {"title": "t", "anyOf": [STRING, INTEGER]}),
        ({"type": ["array", "null", "string"]}, {"nullable": True, "anyOf": [STRINGS, STRING]}),
        (
            {"type": ["string", "object"], "properties": {}},
            {"anyOf": [STRING, {"type": "object", "properties": {}}]},
        ),
        ({"type": "array"}, STRINGS),
        ({"type": "array", "items": {"title": "t"}}, {"type": "array", "items": {**STRING, "title": "t"}}),
        ({"type": "array", "items": {"anyOf": [STRING]}}, {"type": "array", "items": {"anyOf": [STRING]}}),
        ({"type": "string", "properties": {}, "required": []}, STRING),
        ({"properties": {"a": {}}, "required": ["a", "b"]}, {"properties": {"a": {}}, "required": ["a"]}),
    ],
)
def test_gemini_gets_texts_and_one_type_at_a_time(given: object, sent: object):
    assert inside(given, Family.GEMINI) == sent


def test_moonshot_gets_references_alone_and_no_tuples():
    schema = {"$defs": {"a": {}}, "properties": {"p": {"$ref": "#/$defs/a", "description": "d"}}}
    assert for_family(schema, Family.MOONSHOT).schema["properties"]["p"] == {"$ref": "#/$defs/a"}
    assert inside({"items": [{"type": "string"}, {}]}, Family.MOONSHOT) == {"items": {"type": "string"}}
    assert inside({"items": []}, Family.MOONSHOT) == {"items": {}}


def test_anthropic_gets_todays_draft_and_no_name_it_refuses():
    assert inside({"items": [{}], "minimum": 1, "exclusiveMinimum": True}, Family.ANTHROPIC) == {
        "prefixItems": [{}],
        "exclusiveMinimum": 1,
    }
    schema = {"type": "object", "properties": {"ok": {}, "not ok": {}}, "required": ["ok", "not ok"]}
    repaired = for_family(schema, Family.ANTHROPIC)
    assert (list(repaired.schema["properties"]), repaired.schema["required"]) == (["ok"], ["ok"])


@pytest.mark.parametrize("family", Family)
def test_a_bottomless_schema_ends_somewhere(family: Family):
    for wrap in ("items", "anyOf", "properties", "default"):
        schema: object = {}
        for _ in range(2000):
            schema = {
                wrap: [schema] if wrap == "anyOf" else {"a": schema} if wrap == "properties" else schema
            }
        repaired = for_family({"type": "object", "properties": {"p": schema}}, family)
        assert for_family(repaired.schema, family).schema == repaired.schema
        assert "too-deep" in [repair.kind for repair in repaired.repairs]


@pytest.mark.parametrize("family", Family)
def test_circles_and_chains_of_references_end(family: Family):
    tree = {"$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}}}, "anyOf": [{"$ref": "#/$defs/n"}]}
    assert for_family(tree, family).schema["$defs"]["n"]["properties"]["next"] == {"$ref": "#/$defs/n"}
    doubling = {
        f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2, "properties": {f"p{n}": {}}}
        for n in range(3000)
    }
    schema = {"$ref": "#/$defs/d0", "$defs": doubling}
    assert "p0" in for_family(schema, family).schema["properties"]


@pytest.mark.parametrize("family", Family)
def test_a_wide_schema_is_repaired_like_a_narrow_one(family: Family):
    wide = {
        "anyOf": [
            {"properties": {"x": {"const": n}, f"p{n}": {"type": ["string", "null"]}}} for n in range(3000)
        ]
    }
    assert for_family(wide, family).schema["type"] == "object"


def test_the_input_stays_as_it_was():
    schema = {
        "anyOf": [{"properties": {"a": {"const": 1}}}],
        "$defs": {"x": {"type": "array"}},
        "required": ["z"],
    }
    before = copy.deepcopy(schema)
    for family in Family:
        for_family(schema, family)
    assert schema == before


def test_a_repair_says_where_and_what():
    repaired = for_family({"type": "object", "properties": {"a/b": {"type": "array"}}}, Family.OPENAI)
    (repair,) = repaired.repairs
    assert (repair.path, repair.kind) == ("#/properties/a~1b/items", "items")
    assert repair.sentence
    assert not repair.sentence.endswith(".")


@pytest.mark.parametrize(
    ("provider", "model", "family"),
    [
        ("openai", "gpt-5", Family.OPENAI),
        ("@ai-sdk/azure", "my-deployment", Family.OPENAI),
        ("anthropic", "claude-sonnet-4", Family.ANTHROPIC),
        ("bedrock", "us.anthropic.claude-opus-4", Family.ANTHROPIC),
        ("google", "gemini-3", Family.GEMINI),
        ("openrouter", "google/gemini-3-pro", Family.GEMINI),
        ("moonshotai", "k2", Family.MOONSHOT),
        ("openrouter", "moonshotai/Kimi-K2", Family.MOONSHOT),
        ("openai-compatible", "llama", Family.PLAIN),
        ("", "", Family.PLAIN),
    ],
)
def test_a_family_is_known_by_model_or_provider(provider: str, model: str, family: Family):
    assert family_of(provider, model) is family
