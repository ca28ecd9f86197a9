from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.forms import misfits
from mooring.core.typed import from_text
from mooring.errors import BadAnswer

COLOURS = {"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]}
SEVERAL = {"type": "array", "items": {"anyOf": COLOURS["oneOf"]}, "minItems": 1}


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [
        ({"type": "string"}, " as typed ", " as typed "),
        ({"type": "string", "format": "email"}, " ada@example.com ", "ada@example.com"),
        ({"type": "integer"}, " 36 ", 36),
        ({"type": "integer"}, "36.0", 36),
        ({"type": "integer"}, "1e3", 1000),
        ({"type": "number"}, "-0.5", -0.5),
        ({"type": "boolean"}, "Yes", True),
        ({"type": "boolean"}, "off", False),
        (COLOURS, "g", "g"),
        (COLOURS, "green", "g"),
        (COLOURS, "2", "g"),
        ({"type": "string", "enum": ["2", "1"]}, "1", "1"),
        (SEVERAL, "red, g", ["r", "g"]),
        (SEVERAL, "1,", ["r"]),
    ],
)
def test_typed_text_becomes_the_value_it_stands_for(field: Any, typed: str, value: Any) -> None:
    found = from_text(field, typed)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("field", "typed", "sentence", "hint"),
    [
        ({"type": "integer"}, "many", "`many` is not a number", "Type a number"),
        ({"type": "integer"}, "1.5", "`1.5` is not a whole number", "Type a number"),
        ({"type": "number"}, "nan", "`nan` is not a number", "Type a number"),
        ({"type": "number"}, "inf", "`inf` is not a number", "Type a number"),
        ({"type": "boolean"}, "maybe", "`maybe` is neither yes nor no", "Type yes or no"),
        (
            {"type": "string", "format": "date"},
            "tomorrow",
            "`tomorrow` is no date",
            "Type a date such as 2026-01-31",
        ),
        ({"type": "string", "minLength": 3}, "ab", "`ab` is shorter than 3 characters", "Type it once more"),
        (COLOURS, "blue", "`blue` is none of `r`, `g`", "Type one of them, or its number in the list"),
        (COLOURS, "3", "`3` is none of `r`, `g`", "Type one of them, or its number in the list"),
        (SEVERAL, "", "`` has fewer than 1 entries", "Several of `r`, `g`, separated by commas"),
        ({"type": "object"}, "x", "`x` is of type `object`, which no form holds", "Type it once more"),
    ],
)
def test_what_does_not_fit_is_sent_back_with_a_hint(field: Any, typed: str, sentence: str, hint: str) -> None:
    with pytest.raises(BadAnswer) as caught:
        from_text(field, typed)
    assert (caught.value.sentence, caught.value.hint) == (sentence, hint)


@given(
    st.sampled_from(
        [{"type": kind} for kind in ("string", "number", "integer", "boolean")] + [COLOURS, SEVERAL]
    ),
    st.text(max_size=12) | st.integers().map(str) | st.floats().map(str),
)
def test_whatever_is_typed_is_a_value_that_fits_or_an_error(field: Any, typed: str) -> None:
    try:
        value = from_text(field, typed)
    except BadAnswer:
        return
    assert not list(misfits(field, value))


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_survives_being_typed(number: float) -> None:
    assert from_text({"type": "number"}, repr(number)) == number


def test_a_very_long_number_is_no_crash() -> None:
    with pytest.raises(BadAnswer):
        from_text({"type": "integer"}, "9" * 10_000)
