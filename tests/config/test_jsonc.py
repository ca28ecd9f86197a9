"""Reading JSONC: everything people write, and clear words where it cannot be read."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.config.jsonc import Locator, locate, parse
from mooring.config.jsonc_scan import blank
from mooring.errors import BrokenSyntax, MooringError, TooLarge


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ('\ufeff{"a": 1}', {"a": 1}),
        ('{"a": 1,}', {"a": 1}),
        ('{\r\n"a": [1, 2, ], // two\r\n}\r\n', {"a": [1, 2]}),
        ('{"a": "// no /* , }", "b": "\\"", /*,}*/}', {"a": "// no /* , }", "b": '"'}),
        ("// before\n{}// after", {}),
        ("/*/*/{}", {}),
        ('{"a": 1 /* , */ , /* } */ }', {"a": 1}),
        ('{"a": "\\ud83d\\ude00", "b": 1e5}', {"a": "😀", "b": 1e5}),
    ],
)
def test_comments_and_trailing_commas_are_read_as_if_they_were_not_there(text, tree):
    assert parse(text, "f").tree == tree


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("", "empty", 1),
        ("[1]", "not an object", 1),
        ('{\n"a": {\n"b": 1\n', "the `{` of line 2 is never closed", 2),
        ('{\n"a": [1, 2}', "the `[` of line 2 is closed by `}`", 2),
        ('{"a": 1}}', "one `}` too many", 1),
        ('{"a" = 1}', "`=` stands where `:` belongs", 1),
        ('{"a" 1}', "no `:`", 1),
        ("{a: 1}", "no quotes", 1),
        ("{'a': 1}", "single quotes", 1),
        ('{"a": True}', "`True` is not JSON", 1),
        ('{"a": None}', "`None` is not JSON", 1),
        ('{"a": undefined}', "`undefined` is not JSON", 1),
        ('{"a":\nNaN}', "`NaN` is not a number", 2),
        ('{"a": [1e999]}', "`1e999` is not a number", 1),
        (f'{{"a": {"9" * 5000}}}', "is not a number", 1),
        ('{"a": 1\n// c\n"b": 2}', "a comma is missing", 1),
        ('{\n"a": "x\n}', "a string is not closed", 2),
        ('{"a": "c:\\work"}', "escapes nothing", 1),
        ('{"a": "\\ud800"}', "half of a character", 1),
        ('{"a": 1,,}', "a comma too many", 1),
        ("{,}", "a comma too many", 1),
        ('{"a": [,]}', "a comma too many", 1),
        ('{"a": 1}\n{"b": 2}', "more after the end", 2),
        ("{\n# c\n}", "cannot begin with `#`", 2),
        ('{"a": 1\n/* c }', "a comment is not closed", 2),
        ('{"a": 01}', "a number", 1),
        ("<!DOCTYPE html><p>", "a web page", 1),
        ('{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> x\n}', "merge conflict", 2),
        ('{"a": “x”}', "quotation mark of prose", 1),
        ('{\u00a0"a": 1}', "U+00A0", 1),
        ('{"a": "\x00"}', "U+0000", 1),
        ('"a": 1', "does not begin with `{`", 1),
    ],
)
def test_a_broken_file_is_explained_at_its_place(text, what, line):
    with pytest.raises(BrokenSyntax) as caught:
        parse(text, "mooring.json")
    assert what in caught.value.sentence
    assert caught.value.sentence.startswith("`mooring.json` ")
    assert caught.value.hint
    assert caught.value.spot is not None
    assert caught.value.spot.line == line


def test_no_secret_is_in_the_line_that_is_shown():
    with pytest.raises(BrokenSyntax) as caught:
        parse('{"headers": {"Authorization": "Bearer s3cr3t-t0ken" "x": 1}}', "f")
    shown = caught.value.spot
    assert shown is not None
    assert shown.text
    assert "s3cr3t" not in f"{shown.text}{caught.value}"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, f'{{"a":{"[" * 200}{"]" * 200}}}'])
def test_a_file_nested_without_end_is_refused(text):
    with pytest.raises(TooLarge):
        parse(text, "f")


def test_brackets_in_strings_are_no_depth():
    text = json.dumps({"a": "[" * 1000, "b": ["{"] * 200})
    assert parse(text, "f").tree == json.loads(text)


def test_a_key_that_is_there_twice_is_told_and_the_last_counts():
    document = parse('{"a": 1, "b": [{"c": 1, "c": 2}], "a": 3}', "f")
    assert document.tree == {"a": 3, "b": [{"c": 2}]}
    assert document.duplicates == (("a",), ("b", 0, "c"))


def test_a_place_is_found_for_every_path():
    text = '\ufeff{\n  "a": 1, // x\r\n  "a": {\n    "b": [1,\n      { "c\\n": 2 }]\n  }\n}'
    find = Locator(text).locate
    assert find(()) == (1, 1)
    assert find(("a",)) == (3, 3)
    assert find(("a", "b", 1)) == (5, 7)
    assert find(("a", "b", 1, "c\n")) == (5, 9)
    assert find(("a", "z")) is None
    assert find(("a", "b", "1")) is None
    assert locate(text, ("a", "b")) == (4, 5)


@given(st.text(alphabet='{}[]",:/*\n\r\\ \t1a\ufeff', max_size=60))
def test_any_text_is_read_or_explained(text):
    try:
        tree = parse(text, "f").tree
    except MooringError:
        return
    assert isinstance(tree, dict)
    assert len(blank(text)) == len(text)


@given(st.dictionaries(st.text(max_size=3), st.recursive(st.integers() | st.text(max_size=9), st.lists)))
def test_plain_json_is_read_as_the_standard_library_reads_it(tree):
    text = json.dumps(tree)
    assert parse(text, "f").tree == tree
    assert json.loads(blank(text)) == tree


@pytest.mark.parametrize(
    "text",
    [
        '"' * 200_000,
        "/" * 200_000,
        "/*" * 100_000,
        ",\n" * 100_000,
        '\\"' * 100_000,
        f"{{{' ,' * 100_000}}}",
        "a" * 400_000,
    ],
    ids=["quotes", "slashes", "comments", "commas", "escapes", "spaced commas", "letters"],
)
def test_hostile_text_takes_time_in_proportion_to_its_length(text):
    started = time.process_time()
    with pytest.raises(MooringError):
        parse(text, "f")
    # A pass that takes the square would need minutes.
    assert time.process_time() - started < 5
