"""What leaves is JSON that every parser reads."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import pytest

from mooring.web.encoded import encoded


def no_number(word: str) -> NoReturn:
    raise AssertionError(word)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ({"a": [float("nan"), 1.5, {"b": float("-inf")}]}, {"a": [None, 1.5, {"b": None}]}),
        ((float("inf"),), [None]),
        ("\ud800 ü", "\ud800 ü"),
        ({"plain": 1}, {"plain": 1}),
    ],
    ids=["deep", "tuple", "half", "plain"],
)
def test_what_is_no_number_in_json_is_null(value: Any, read: Any) -> None:
    assert json.loads(encoded(value), parse_constant=no_number) == read
    assert encoded(value).isascii()
