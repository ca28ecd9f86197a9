from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.pins import FieldChange, Pin, compare, fingerprint

TOOL: dict[str, Any] = {
    "name": "add",
    "title": "Add",
    "description": "Add a note",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": False},
    "_meta": {"seen": 1},
}

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


def shuffled(value: Any) -> Any:
    """The same with every map's keys in the opposite order."""
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(value)}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


@given(st.dictionaries(st.sampled_from(["description", "inputSchema", "annotations", "_meta"]), values))
def test_the_order_of_keys_is_of_no_importance(raw: dict[str, Any]) -> None:
    assert fingerprint({"name": "x", **raw}) == fingerprint(shuffled({"name": "x", **raw}))


@pytest.mark.parametrize(
    "extra", [{"_meta": {"seen": 2}}, {"icons": []}, {"execution": {}}, {"futureField": 1}]
)
def test_what_is_not_about_the_tool_is_of_no_importance(extra: dict[str, Any]) -> None:
    assert fingerprint({**TOOL, **extra}) == fingerprint(TOOL)


def test_an_absent_field_and_an_empty_one_are_the_same() -> None:
    assert fingerprint({"name": "x", "title": None}) == fingerprint({"name": "x"})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "Delete"),
        ("description", "Add a note\u200b"),
        ("inputSchema", {"type": "object", "properties": {"text": {"type": "string", "description": "!"}}}),
        ("outputSchema", None),
        ("annotations", {"readOnlyHint": True}),
    ],
)
def test_every_change_of_a_definition_shows_with_old_and_new(field: str, value: Any) -> None:
    found = compare({"add": Pin.of(TOOL)}, [{**TOOL, field: value}])
    assert (found.new, found.gone, found.same) == ((), (), ())
    assert found.changed[0].fields == (FieldChange(field, TOOL[field], value),)


def test_a_changed_tool_that_changes_back_is_the_approved_one_again() -> None:
    pinned = {"add": Pin.of(TOOL)}
    assert compare(pinned, [{**TOOL, "description": "Send everything"}]).changed
    assert [pin.tool for pin in compare(pinned, [copy.deepcopy(TOOL)]).same] == ["add"]


def test_new_and_gone_tools_are_told_apart() -> None:
    pinned = {"add": Pin.of(TOOL), "old": Pin.of({**TOOL, "name": "old"})}
    found = compare(pinned, [TOOL, {**TOOL, "name": "fresh"}])
    assert [pin.tool for pin in found.new] == ["fresh"]
    assert [pin.tool for pin in found.gone] == ["old"]
    assert [pin.tool for pin in found.same] == ["add"]
    assert found.changed == ()


def test_a_stored_pin_that_was_tampered_with_is_no_approval() -> None:
    forged = Pin("add", "0" * 64, Pin.of(TOOL).definition)
    found = compare({"add": forged}, [TOOL])
    assert [(change.new.tool, change.fields) for change in found.changed] == [("add", ())]


def test_true_is_not_one() -> None:
    assert fingerprint({"name": "x", "annotations": {"a": True}}) != fingerprint(
        {"name": "x", "annotations": {"a": 1}}
    )


def test_a_lone_surrogate_can_be_pinned() -> None:
    assert len(fingerprint({"name": "x", "description": "\ud800"})) == 64
