from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.forms import Choice, Problem, choices, fits

FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 10},
        "mail": {"type": "string", "format": "email"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "news": {"type": "boolean", "default": True},
    },
    "required": ["name"],
}


@pytest.mark.parametrize(
    "content",
    [
        {"name": "Ada"},
        {"name": "Ada", "mail": "ada@example.com", "age": 36, "news": False},
        {"name": "Ada", "age": 36.0},
        {"name": "Al", "age": 0},
        {"name": "Ada Lovela", "age": 150},
    ],
)
def test_an_answer_that_fits_has_no_problems(content: dict[str, Any]) -> None:
    assert fits(FORM, content) == ()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({}, Problem("name", "is required")),
        ({"name": "Ada", "shoe": 38}, Problem("shoe", "is not asked for")),
        ({"name": "A"}, Problem("name", "is shorter than 2 characters")),
        ({"name": "Ada Lovelace"}, Problem("name", "is longer than 10 characters")),
        ({"name": 7}, Problem("name", "is not a text")),
        ({"name": None}, Problem("name", "is not a text")),
        ({"name": "Ada", "mail": "ada"}, Problem("mail", "is no email")),
        ({"name": "Ada", "age": "36"}, Problem("age", "is not a number")),
        ({"name": "Ada", "age": True}, Problem("age", "is not a number")),
        ({"name": "Ada", "age": 36.5}, Problem("age", "is not a whole number")),
        ({"name": "Ada", "age": float("nan")}, Problem("age", "is not a number")),
        ({"name": "Ada", "age": -1}, Problem("age", "is less than 0")),
        ({"name": "Ada", "age": 151}, Problem("age", "is more than 150")),
        ({"name": "Ada", "news": "yes"}, Problem("news", "is neither yes nor no")),
    ],
)
def test_each_thing_that_does_not_fit_is_named(content: dict[str, Any], problem: Problem) -> None:
    assert fits(FORM, content) == (problem,)


def test_everything_is_said_at_once() -> None:
    assert len(fits(FORM, {"mail": "ada", "age": -1, "shoe": 38})) == 4


@pytest.mark.parametrize(
    ("form", "good", "bad"),
    [
        ("email", "ada@example.com", "ada at example.com"),
        ("uri", "https://example.com/a?b#c", "example.com"),
        ("uri", "mailto:ada@example.com", "http://[half"),
        ("date", "2026-02-28", "2026-02-30"),
        ("date", "2026-12-31", "20261231"),
        ("date-time", "2026-02-28T12:00:00Z", "2026-02-28"),
        ("date-time", "2026-02-28t12:00:00.25+01:00", "2026-02-28T25:00:00Z"),
        ("postcode", "anything at all", None),
    ],
)
def test_a_format_is_checked_if_the_protocol_knows_it(form: str, good: str, bad: str | None) -> None:
    schema = {"properties": {"x": {"type": "string", "format": form}}}
    assert fits(schema, {"x": good}) == ()
    if bad is not None:
        assert fits(schema, {"x": bad}) == (Problem("x", f"is no {form}"),)


COLOURS = (Choice("r", "Red"), Choice("g", "Green"))
TITLED = [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]


@pytest.mark.parametrize(
    ("field", "offered"),
    [
        ({"type": "string", "enum": ["r", "g"]}, (Choice("r", "r"), Choice("g", "g"))),
        ({"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]}, COLOURS),
        ({"type": "string", "enum": ["r", "g"], "enumNames": ["Red"]}, (Choice("r", "r"), Choice("g", "g"))),
        ({"type": "string", "oneOf": TITLED}, COLOURS),
        ({"oneOf": TITLED}, COLOURS),
        ({"type": "array", "items": {"type": "string", "enum": ["r"]}}, (Choice("r", "r"),)),
        ({"type": "array", "items": {"anyOf": TITLED}}, COLOURS),
        ({"type": "string"}, ()),
        ({"type": "array", "items": {"type": "array", "items": {"enum": ["r"]}}}, ()),
        ({"enum": [1, None, "r"], "oneOf": 5}, (Choice("r", "r"),)),
    ],
)
def test_choices_are_read_in_every_spelling_of_the_protocol(field: Any, offered: tuple[Choice, ...]) -> None:
    assert choices(field) == offered


def test_one_choice_must_be_among_those_offered() -> None:
    schema = {"properties": {"colour": {"type": "string", "oneOf": TITLED}}}
    assert fits(schema, {"colour": "g"}) == ()
    assert fits(schema, {"colour": "Green"}) == (Problem("colour", "is none of `r`, `g`"),)
    many = {"type": "string", "enum": [str(number) for number in range(99)]}
    (problem,) = fits({"properties": {"digit": many}}, {"digit": "x"})
    assert problem.sentence.endswith("`9`, …")


def test_several_choices_are_counted_and_each_is_looked_at() -> None:
    field = {"type": "array", "items": {"anyOf": TITLED}, "minItems": 1, "maxItems": 1}
    schema = {"properties": {"colours": field}}
    assert fits(schema, {"colours": ["r"]}) == ()
    assert fits(schema, {"colours": []}) == (Problem("colours", "has fewer than 1 entries"),)
    assert fits(schema, {"colours": ["r", "g"]}) == (Problem("colours", "has more than 1 entries"),)
    assert fits(schema, {"colours": ["b"]}) == (Problem("colours", "has `b`, which is none of `r`, `g`"),)
    assert fits(schema, {"colours": "r"}) == (Problem("colours", "is not a list"),)
    free = {"properties": {"words": {"type": "array", "items": {"type": "string"}}}}
    assert fits(free, {"words": ["any", "thing"]}) == ()
    assert fits(free, {"words": [1]}) == (Problem("words", "has `1`, which is not a text"),)


def test_a_field_that_no_form_holds_cannot_be_answered() -> None:
    schema = {"properties": {"deep": {"type": "object", "properties": {}}, "odd": True}}
    assert fits(schema, {"deep": {}, "odd": 1}) == (
        Problem("deep", "is of type `object`, which no form holds"),
        Problem("odd", "is of type `unknown`, which no form holds"),
    )


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
fields = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "number", "integer", "boolean", "array"]) | json_values},
    optional=dict.fromkeys(
        ["enum", "oneOf", "items", "minLength", "maximum", "format", "maxItems"], json_values
    ),
)


@given(
    st.fixed_dictionaries({"properties": st.fixed_dictionaries({"x": fields}), "required": json_values}),
    json_values,
)
def test_no_form_is_so_odd_that_an_answer_cannot_be_judged(schema: dict[str, Any], value: Any) -> None:
    assert all(problem.sentence for problem in fits(schema, {"x": value}))
