"""Editing TOML: the right tree, and nothing else changed."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mooring.config.toml import parse
from mooring.config.toml_edit import remove, set_value
from mooring.config.toml_render import key_text, value_text
from mooring.config.toml_scan import comments_in
from mooring.errors import BadKey, BadValue

KEYS = st.sampled_from(["a", "b", "mcp", "two words", 'q"uote', "ü", "a.b", "", "1", "x-y"])
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-9, 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=6).filter(lambda text: text.isprintable()),
    st.sampled_from(["# no comment", "[x]", "\\", '"""', "\r\n", "'", "\x7f", "a = 1"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A tree written with headers, dotted keys, inline tables, comments and odd spaces."""
    lines: list[str] = []

    def remark() -> str:
        return draw(st.sampled_from(["", "", " # c", "\t#c [x] = 1"]))

    def write(path: tuple[str, ...], table: dict[str, object], depth: int) -> None:
        later = []
        for key, value in table.items():
            if isinstance(value, dict) and value and depth < 3 and draw(st.booleans()):
                later.append((key, value))
            elif isinstance(value, dict) and value and draw(st.booleans()):
                lines.extend(
                    f"{key_text((key, one))} = {value_text(other)}{remark()}" for one, other in value.items()
                )
            elif isinstance(value, list) and value and draw(st.booleans()):
                elements = "".join(f"\n  {value_text(one)},{remark()}" for one in value)
                lines.append(f"{key_text((key,))} = [{remark()}{elements}\n]{remark()}")
            else:
                lines.append(
                    f"{draw(st.sampled_from(['', '  ']))}{key_text((key,))} = {value_text(value)}{remark()}"
                )
            lines.extend(draw(st.sampled_from([[], [], [""], ["# on its own"]])))
        for key, value in later:
            lines.append(f"[{key_text((*path, key))}]{remark()}")
            write((*path, key), value, depth + 1)

    write((), draw(st.dictionaries(KEYS, VALUES, max_size=4)), 0)
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    # A value never holds a bare newline, so every one of these ends a line.
    text = "\n".join(lines).replace("\n", newline) + draw(st.sampled_from(["", newline]))
    return f"{draw(st.sampled_from(['', chr(0xFEFF)]))}{text}"


def comments(text: str) -> Counter[str]:
    return Counter(comments_in(text, 0, len(text)))


def paths(tree: object, before: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [before] if before else []
    for name, value in (
        tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    ):
        found += paths(value, (*before, name))
    return found


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
    assert parse(after, "f").tree == expected
    assert comments(after) == comments(text)


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
    back = remove(after, (*parent, key))
    assert parse(back, "f").tree == tree
    assert comments(back) == comments(after) == comments(text)


@given(documents(), st.data())
def test_removing_takes_only_what_was_named(text, data):
    tree = parse(text, "f").tree
    places = paths(tree)
    assume(places)
    path = data.draw(st.sampled_from(places))
    after = remove(text, path)
    expected = copy.deepcopy(tree)
    del child(expected, path[:-1])[path[-1]]
    assert parse(after, "f").tree == expected
    assert comments(after) == comments(text)


@given(documents(), st.data())
def test_setting_what_is_there_changes_no_byte(text, data):
    tree = parse(text, "f").tree
    places = paths(tree)
    assume(places)
    path = data.draw(st.sampled_from(places))
    assert set_value(text, path, child(tree, path)) == text


FILE = """\
# mine
model = "x"

# the first
[mcp_servers.one]
command = "npx" # runs it
args = [
  "-y", # yes
  "pkg",
]

[mcp_servers.one.env]
A = "1"

[mcp_servers.two]
url = "u"
headers = { A = "b" }

# unrelated
[other]
x = 1
"""


def test_a_new_server_is_a_table_after_its_siblings():
    new = '[mcp_servers.new]\ncommand = "q"\nargs = ["a", "b"]\n\n[mcp_servers.new.env]\nB = "2"\n\n'
    value = {"command": "q", "args": ["a", "b"], "env": {"B": "2"}}
    assert set_value(FILE, ("mcp_servers", "new"), value) == FILE.replace("# unrelated", f"{new}# unrelated")


def test_the_first_server_of_all_is_a_table_at_the_end():
    assert set_value("a = 1", ("mcp", "x"), {"command": "q"}) == 'a = 1\n\n[mcp.x]\ncommand = "q"'


def test_a_new_key_stands_below_the_others_of_its_table():
    after = set_value(FILE, ("mcp_servers", "one", "cwd"), "/")
    assert after == FILE.replace('"pkg",\n]\n', '"pkg",\n]\ncwd = "/"\n')


def test_a_new_key_of_the_root_stands_above_every_table():
    assert set_value(FILE, ("top",), True) == FILE.replace('model = "x"\n', 'model = "x"\ntop = true\n')
    assert set_value("# c\n[t]\n", ("top",), 1) == "top = 1\n\n# c\n[t]\n"


def test_an_inline_table_grows_inline():
    after = set_value(FILE, ("mcp_servers", "two", "headers", "C"), "d")
    assert after == FILE.replace('{ A = "b" }', '{ A = "b", C = "d" }')


def test_one_element_of_a_long_array_changes_alone():
    after = set_value(FILE, ("mcp_servers", "one", "args"), ["-y", "pkg@2"])
    assert after == FILE.replace('"pkg"', '"pkg@2"')


def test_an_array_of_another_length_stays_on_as_many_lines():
    after = set_value(FILE, ("mcp_servers", "one", "args"), ["-y", "pkg", "z"])
    assert '# yes\nargs = [\n  "-y",\n  "pkg",\n  "z",\n]\n' in after


def test_a_table_goes_with_its_subtables_and_one_empty_line():
    assert remove(FILE, ("mcp_servers", "two")) == FILE.replace(
        '[mcp_servers.two]\nurl = "u"\nheaders = { A = "b" }\n\n', ""
    )
    assert remove("a = 1\n\n[mcp.x]\nb = 1\n\n[mcp.x.env]\nc = 1\n", ("mcp", "x")) == "a = 1\n\n[mcp]\n"


def test_the_comment_of_a_removed_key_stays():
    assert remove(FILE, ("mcp_servers", "one", "command")) == FILE.replace(
        'command = "npx" # runs it', "# runs it"
    )


def test_a_server_of_dotted_keys_gets_a_dotted_key():
    assert (
        set_value("mcp.x.command = 'a'\n", ("mcp", "x", "cwd"), "/")
        == "mcp.x.command = 'a'\nmcp.x.cwd = \"/\"\n"
    )


def test_windows_newlines_and_the_byte_order_mark_stay():
    text = '\ufeff[mcp.x]\r\ncommand = "a"\r\n'
    assert set_value(text, ("mcp", "y"), {"url": "u"}) == f'{text}\r\n[mcp.y]\r\nurl = "u"\r\n'
    assert remove(text, ("mcp", "x", "command")) == "\ufeff[mcp.x]\r\n"


def test_tables_out_of_order_are_edited_where_they_stand():
    text = "[mcp.a]\nx = 1\n\n[other]\ny = 1\n\n[mcp.b]\nx = 2\n"
    assert set_value(text, ("mcp", "a", "x"), 3) == text.replace("x = 1", "x = 3")
    assert set_value(text, ("mcp", "c"), {"x": 3}) == f"{text}\n[mcp.c]\nx = 3\n"
    assert remove(text, ("mcp", "a")) == "[other]\ny = 1\n\n[mcp.b]\nx = 2\n"


def test_an_element_of_an_array_of_tables_is_edited_where_it_stands():
    text = "[[s]]\nn = 1\n\n[[s]]\nn = 2\n\n[s.env]\nA = 1\n"
    assert set_value(text, ("s", 0, "n"), 5) == text.replace("n = 1", "n = 5")
    assert set_value(text, ("s", 1, "env", "B"), 2) == f"{text}B = 2\n"
    assert parse(remove(text, ("s", 0)), "f").tree == {"s": [{"n": 2, "env": {"A": 1}}]}


@pytest.mark.parametrize("path", [("model", "b"), ("mcp_servers", "one", "args", 7), ("mcp_servers", 0), ()])
def test_a_path_that_leads_nowhere_is_refused(path):
    with pytest.raises(BadKey):
        set_value(FILE, path, 1)


def test_what_is_not_there_cannot_be_removed():
    with pytest.raises(BadKey):
        remove(FILE, ("nope",))


@pytest.mark.parametrize("value", [None, {"a": [None]}, float("inf")])
def test_what_toml_cannot_hold_is_refused(value):
    with pytest.raises(BadValue):
        set_value("", ("a",), value)
