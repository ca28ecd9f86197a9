"""Editing JSONC: the right tree, and nothing else changed."""

from __future__ import annotations

import copy
import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mooring.config.jsonc import parse
from mooring.config.jsonc_edit import remove, set_value
from mooring.config.jsonc_scan import scan, tokens
from mooring.errors import BadKey, BadValue, MooringError

KEYS = st.sampled_from(["a", "b", "c", "mcp", "two words", 'q"uote', "ü", "a.b", ""])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-9, 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=6).filter(lambda text: text.isprintable()),
    st.sampled_from(["// no comment", "/* none */", ",}", "\\", "{[", "\r\n", "'"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
TREES = st.dictionaries(KEYS, VALUES, max_size=4)
GAPS = (
    "",
    "",
    "",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\n\n  ",
    " // c\n",
    "\n// c, }\n",
    " /* c */",
    "/* , */\n",
    "\r\n    ",
    "/* 1\n\n2 */ ",
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """The text of a tree with white space, comments and trailing commas wherever they may be."""

    def gap() -> str:
        return draw(st.sampled_from(GAPS))

    def write(value: object) -> str:
        if isinstance(value, dict):
            items = [
                f"{gap()}{json.dumps(key)}{gap()}:{gap()}{write(one)}{gap()}" for key, one in value.items()
            ]
        elif isinstance(value, list):
            items = [f"{gap()}{write(one)}{gap()}" for one in value]
        else:
            return json.dumps(value)
        comma = "," if items and draw(st.booleans()) else ""
        inside = f"{','.join(items)}{comma}{gap()}"
        return f"{{{inside}}}" if isinstance(value, dict) else f"[{inside}]"

    tree = draw(TREES)
    if draw(st.booleans()):
        newline = draw(st.sampled_from(["\n", "\r\n"]))
        text = json.dumps(tree, indent=draw(st.sampled_from([2, 4, "\t"]))).replace("\n", newline)
    else:
        text = f"{gap()}{write(tree)}{gap()}"
    return f"{draw(st.sampled_from(['', chr(0xFEFF)]))}{text}"


def comments(text: str) -> Counter[str]:
    return Counter(text[one.start : one.end] for one in tokens(text) if one.kind == "comment")


def paths(tree: object, before: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [before] if before else []
    for name, value in (
        tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    ):
        found += paths(value, (*before, name))
    return found


def container_at(text: str, path: tuple[str | int, ...]) -> tuple[int, int]:
    place = scan(text)
    for name in path:
        place = next(one.value for one in place.members or () if one.name == name)
    return place.start, place.end


def child(tree: Any, path: tuple[str | int, ...]) -> Any:
    for name in path:
        tree = tree[name]
    return tree


@given(documents(), st.data(), VALUES)
def test_setting_a_value_gives_that_tree_and_keeps_every_comment(text, data, value):
    tree = parse(text, "f").tree
    places = paths(tree)
    assume(places)
    path = data.draw(st.sampled_from(places))
    expected = copy.deepcopy(tree)
    child(expected, path[:-1])[path[-1]] = value
    after = set_value(text, path, value)
    assert json.dumps(parse(after, "f").tree, sort_keys=True) == json.dumps(expected, sort_keys=True)
    assert comments(after) == comments(text)
    start, end = container_at(text, path[:-1])
    assert after.startswith(text[:start])
    assert after.endswith(text[end:])


@given(documents(), st.data(), KEYS, VALUES)
def test_a_new_key_goes_in_and_out_again(text, data, key, value):
    tree = parse(text, "f").tree
    parents = [(), *(path for path in paths(tree) if isinstance(child(tree, path), dict))]
    parent = data.draw(st.sampled_from(parents))
    assume(key not in child(tree, parent))
    after = set_value(text, (*parent, key), value)
    grown = copy.deepcopy(tree)
    child(grown, parent)[key] = value
    assert parse(after, "f").tree == grown
    assert comments(after) == comments(text)
    back = remove(after, (*parent, key))
    assert parse(back, "f").tree == tree
    assert comments(back) == comments(text)


@given(documents(), st.data())
def test_removing_takes_only_the_member(text, data):
    tree = parse(text, "f").tree
    places = paths(tree)
    assume(places)
    path = data.draw(st.sampled_from(places))
    after = remove(text, path)
    expected = copy.deepcopy(tree)
    del child(expected, path[:-1])[path[-1]]
    assert parse(after, "f").tree == expected
    assert comments(after) == comments(text)
    start, end = container_at(text, path[:-1])
    assert after.startswith(text[:start])
    assert after.endswith(text[end:])


@given(documents(), st.data())
def test_setting_what_is_there_changes_no_byte(text, data):
    tree = parse(text, "f").tree
    places = paths(tree)
    assume(places)
    path = data.draw(st.sampled_from(places))
    assert set_value(text, path, child(tree, path)) == text


@given(TREES, st.data(), VALUES)
def test_strict_json_stays_strict_json(tree, data, value):
    text = json.dumps(tree, indent=2)
    places = paths(tree)
    assume(places)
    path = data.draw(st.sampled_from(places))
    json.loads(set_value(text, path, value))
    json.loads(remove(text, path))


FILE = """\
{
  // everything
  "a": 1, // one
  "mcp": {
    "x": { "command": ["a", "b"] }, // ex
    "y": {
      "url": "u" // address
    }
    // "z" was here
  }
}
"""


def test_a_new_server_stands_after_its_siblings_in_their_style():
    assert set_value(FILE, ("mcp", "new"), {"command": ["q"], "enabled": True}) == FILE.replace(
        "    }\n    // ",
        '    },\n    "new": {\n      "command": ["q"],\n      "enabled": true\n    }\n    // ',
    )


def test_an_inline_object_grows_inline():
    after = set_value(FILE, ("mcp", "x", "cwd"), "/tmp")
    assert '"x": { "command": ["a", "b"], "cwd": "/tmp" }, // ex' in after


def test_an_object_that_meets_an_object_changes_only_where_they_differ():
    after = set_value(FILE, ("mcp", "y"), {"url": "v", "enabled": False})
    assert after == FILE.replace('"url": "u" // address', '"url": "v", // address\n      "enabled": false')


def test_the_last_member_takes_the_comma_before_it_along_and_leaves_its_comment():
    assert remove(FILE, ("mcp", "y", "url")) == FILE.replace('"url": "u" // address', "// address")
    after = remove(FILE, ("mcp", "y"))
    assert '"x": { "command": ["a", "b"] } // ex\n' in after
    assert "// address" in after


def test_removing_everything_from_one_line_leaves_an_empty_object():
    assert remove('{ "a": { "b": 1 } }', ("a", "b")) == '{ "a": {} }'


def test_missing_parents_are_made():
    assert set_value("{}", ("mcp", "x", "command"), "q") == (
        '{\n  "mcp": {\n    "x": {\n      "command": "q"\n    }\n  }\n}'
    )


@pytest.mark.parametrize("empty", ["", "\n", "\ufeff", " \r\n"])
def test_an_empty_file_becomes_an_object(empty):
    assert parse(set_value(empty, ("a",), 1), "f").tree == {"a": 1}


def test_windows_newlines_tabs_and_the_byte_order_mark_stay():
    text = '\ufeff{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}'
    assert set_value(text, ("a", "c"), {"d": 2}) == (
        '\ufeff{\r\n\t"a": {\r\n\t\t"b": 1,\r\n\t\t"c": {\r\n\t\t\t"d": 2\r\n\t\t}\r\n\t}\r\n}'
    )


def test_a_trailing_comma_stays_the_custom_of_the_file():
    text = '{\n    "a": 1,\n}\n'
    grown = set_value(text, ("b",), 2)
    assert grown == '{\n    "a": 1,\n    "b": 2,\n}\n'
    assert remove(grown, ("b",)) == text


def test_of_a_key_that_is_there_twice_the_last_is_set_and_all_are_removed():
    text = '{\n  "a": 1,\n  "b": 2,\n  "a": 3\n}'
    assert set_value(text, ("a",), 4) == text.replace("3", "4")
    assert remove(text, ("a",)) == '{\n  "b": 2\n}'


@pytest.mark.parametrize(
    "path", [("a", "b"), ("mcp", "x", "command", 5), ("mcp", 0), (), ("mcp", "x", "command", "a")]
)
def test_a_path_that_leads_nowhere_is_refused(path):
    with pytest.raises(BadKey):
        set_value(FILE, path, 1)


def test_an_element_may_be_replaced():
    assert set_value(FILE, ("mcp", "x", "command", 1), "c") == FILE.replace('["a", "b"]', '["a", "c"]')


@pytest.mark.parametrize("path", [("nope",), ("mcp", "x", "cwd")])
def test_what_is_not_there_cannot_be_removed(path):
    with pytest.raises(BadKey) as caught:
        remove(FILE, path)
    assert caught.value.hint


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1: 2}, {"a": object()}, "\ud800", b"x"])
def test_what_is_not_json_is_refused(value):
    with pytest.raises(BadValue):
        set_value("{}", ("a",), value)


def test_a_value_nested_too_deep_is_refused():
    value: object = 1
    for _ in range(5000):
        value = [value]
    with pytest.raises(MooringError):
        set_value("{}", ("a",), value)


def test_one_of_ten_thousand_servers_can_be_edited():
    servers = {f"s{number}": {"command": ["npx", "-y"], "enabled": True} for number in range(10_000)}
    text = json.dumps({"mcp": servers}, indent=2)
    after = set_value(text, ("mcp", "s5000", "enabled"), False)
    assert [
        pair for pair in zip(text.splitlines(), after.splitlines(), strict=True) if pair[0] != pair[1]
    ] == [('      "enabled": true', '      "enabled": false')]
