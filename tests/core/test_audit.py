from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.audit import LONGEST, keepable

SECRET = "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4"

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    "arguments",
    [
        {"password": SECRET},
        {"apiKey": {"deep": [SECRET]}},
        {"pin": 123456789},
        {"text": f"use {SECRET} for it"},
        {"list": [{"text": SECRET}]},
        {"url": f"https://ann:{SECRET}@example.com/x?token={SECRET}"},
        {"text": f"see https://ann:{SECRET}@example.com/ there"},
        {SECRET: 1},
        {"text": "x" * 190 + SECRET},
    ],
    ids=[
        "key",
        "below-a-key",
        "number",
        "shape",
        "in-a-list",
        "address",
        "address-in-text",
        "name",
        "at-the-cut",
    ],
)
def test_a_secret_is_not_kept_wherever_it_stands(arguments: dict[str, Any]) -> None:
    kept = keepable(arguments)
    assert SECRET[:16] not in kept
    assert "123456789" not in kept


def test_what_is_no_secret_is_kept_as_it_was() -> None:
    arguments = {"title": "Milk", "tags": ["home", "shop"], "where": {"lat": 1.5, "ok": True, "none": None}}
    assert json.loads(keepable(arguments)) == arguments


def test_long_texts_are_cut_and_endless_arguments_are_only_named() -> None:
    assert json.loads(keepable({"text": "word " * 1000}))["text"] == ("word " * 40) + "…"
    assert json.loads(keepable({"a": ["word"] * 10_000, "b": 1})) == {"a": "…", "b": "…"}
    assert json.loads(keepable({f"name {n}": n for n in range(1000)})) == {"1000 arguments": "…"}


@given(st.dictionaries(st.text(), values))
def test_whatever_was_sent_becomes_one_short_line_of_json(arguments: dict[str, Any]) -> None:
    kept = keepable(arguments)
    assert len(kept) <= LONGEST
    assert kept.isascii()
    assert kept.isprintable()
    assert isinstance(json.loads(kept), dict)


def test_arguments_nested_without_end_are_kept_as_far_as_anybody_reads() -> None:
    nested: Any = "end"
    for _ in range(500):
        nested = [nested]
    assert keepable({"a": nested}).count("[") < 30
