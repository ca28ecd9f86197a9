"""Reading TOML: the same document as from JSON, and clear words where it cannot be read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.config.toml import locate, parse
from mooring.errors import BrokenSyntax, MooringError, TooLarge

FILE = '''\ufeff# c
a = 1 # x = 2
"q.x" = 'l'
"\\u0041b".c = """
[not]
k = 1 """""
lit = \'\'\'
a = "\'\'\'
arr = [ # c ]
  1, [2, 3], # d
  { x = 1, y.z = [ "]" ] },
]
d = 1979-05-27 07:32:00 # c
[mcp.one]
command = "x"
[[s.t]]
n = 1
[s.t.u]
v = 1
[[s.t]]
[s.t.u]
v = 2
'''


def test_dates_become_text_and_the_rest_stays():
    tree = parse("d = 1979-05-27 07:32:00\nt = [07:32:00, { e = 2024-01-02 }]\nx = 1.5\n", "f").tree
    assert tree == {"d": "1979-05-27T07:32:00", "t": ["07:32:00", {"e": "2024-01-02"}], "x": 1.5}
    json.dumps(parse(FILE, "f").tree)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("a",), (2, 1)),
        (("q.x",), (3, 1)),
        (("Ab", "c"), (4, 1)),
        (("lit",), (7, 1)),
        (("arr", 0), (10, 3)),
        (("arr", 1, 1), (10, 10)),
        (("arr", 2, "y", "z", 0), (11, 20)),
        (("d",), (13, 1)),
        (("mcp",), (14, 1)),
        (("mcp", "one", "command"), (15, 1)),
        (("s", "t", 0, "u", "v"), (19, 1)),
        (("s", "t", 1, "u", "v"), (22, 1)),
        (("k",), None),
        (("nope",), None),
    ],
)
def test_a_place_is_found_for_every_path(path, place):
    assert locate(FILE, path) == place


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("a = ", "a value", 1),
        ("a = 1\na = 2", "a key is there twice", 2),
        ("[a]\n[a]", "a table is there twice", 2),
        ("a : 1", "`:` stands where `=` belongs", 1),
        ("x = 1\r\na = True", "`True` is not TOML", 2),
        ("a = null", "`null` is not TOML", 1),
        ('a = "x\nb = 1', "a string is not closed", 1),
        ('a = "c:\\work"', "escapes nothing", 1),
        ('a = "c:\\users"', "four digits", 1),
        ("a = {b = 1\n}", "an inline table is not closed", 1),
        ("[a", "the name of a table is not closed", 1),
        ('{"a": 1}', "looks like JSON", 1),
        ("<html>", "a web page", 1),
        ("a = 1\n<<<<<<< HEAD", "merge conflict", 2),
        ("// c", "cannot begin with `//`", 1),
        ("a = 1 b = 2", "more after a value", 1),
        ("b = 2020-01-01\na = [1, { b = -inf }]", "a number that no key can have", 2),
        (f"b = 1\na = {'9' * 5000}", "a number that no key can have", 2),
        ('a = "\x00"', "U+0000", 1),
        ("a = “x”", "quotation mark of prose", 1),
    ],
)
def test_a_broken_file_is_explained_at_its_place(text, what, line):
    with pytest.raises(BrokenSyntax) as caught:
        parse(text, "config.toml")
    assert what in caught.value.sentence
    assert caught.value.sentence.startswith("`config.toml` ")
    assert caught.value.hint
    assert caught.value.spot is not None
    assert caught.value.spot.line == line


@pytest.mark.parametrize(
    "text",
    [
        f"a = {'[' * 100_000}",
        f"{'.'.join('a' * 100_000)} = 1",
        f"[{'.'.join('a' * 100_000)}]",
        f"a = {{{'.'.join('a' * 60)} = {{{'.'.join('a' * 60)} = 1}}}}",
    ],
    ids=["brackets", "dotted key", "dotted header", "dotted keys in tables"],
)
def test_a_file_nested_without_end_is_refused(text):
    with pytest.raises(TooLarge):
        parse(text, "f")


def test_a_long_line_of_letters_or_brackets_in_text_is_no_depth():
    assert parse(f'a = "{"[" * 100_000}"\nb = "{"x." * 1000}" # {"[" * 200}\n', "f").tree


@given(st.text(alphabet="a.b=\"'[]{}#,\n\r\\ 1", max_size=40))
def test_any_text_is_read_or_explained_and_then_located(text):
    try:
        tree = parse(text, "f").tree
    except MooringError:
        return
    assert all(locate(text, (key,)) for key in tree)
