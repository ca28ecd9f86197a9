"""The YAML at the top of a SKILL.md."""

from __future__ import annotations

import pytest

from mooring.core.frontmatter import Unclear, frontmatter
from mooring.core.values import JSON


def read(*lines: str) -> JSON:
    return frontmatter("\n".join(["---", *lines, "---", "The body", "---", ""]))


def test_plain_values_are_what_every_reader_takes_them_for() -> None:
    assert read(
        "name: knots", "level: 3", "part: -1.5", "done: true", "by: ~", "note: two words # no more"
    ) == {
        "name": "knots",
        "level": 3,
        "part": -1.5,
        "done": True,
        "by": None,
        "note": "two words",
    }


def test_quotes_keep_what_is_in_them() -> None:
    assert read("""one: "1.0" """, """two: 'It''s: free' # yes""", r'three: "a\n\"b\" é"') == {
        "one": "1.0",
        "two": "It's: free",
        "three": 'a\n"b" é',
    }


def test_long_texts_may_be_folded_or_kept() -> None:
    folded = read("a: >", "  one", "  two", "", "  three", "b: >-", "  four", "", "c: 5")
    assert folded == {"a": "one two\nthree\n", "b": "four", "c": 5}
    assert read("a: |", "  one", "    two", "", "  three", "", "b: |+", "  four", "") == {
        "a": "one\n  two\n\nthree\n",
        "b": "four\n\n",
    }


def test_maps_and_lists_may_stand_below() -> None:
    below = (
        "metadata:",
        "  # who",
        "  author: Ada",
        "  more:",
        "    deep: 1",
        "tools:",
        "- Read",
        "- 'Write'",
    )
    assert read(*below, "none: []", "some: [a, 2]", "nothing:", "last: x") == {
        "metadata": {"author": "Ada", "more": {"deep": 1}},
        "tools": ["Read", "Write"],
        "none": [],
        "some": ["a", 2],
        "nothing": None,
        "last": "x",
    }


@pytest.mark.parametrize(
    "line",
    [
        "a: yes",
        "a: 0x1a",
        "a: [b, c]]",
        "null: 1",
        "a: 010",
        "a: 1e3",
        "a: 1_000",
        "a: 12:30",
        "a: .5",
        "a: 2026-07-28",
        "a: *other",
        "a: &name x",
        "a: !!str x",
        "a: {b: 1}",
        "a: [b, [c]]",
        "a: b: c",
        "a: 'open",
        'a: "\\x41"',
        "a: one\n  two",
        "a: 1\na: 2",
        "a: |2\n   x",
        "a: >\n  one\n    two",
        "a: >\n\n  one",
        "a: |\n  one\n   \n  two",
        "a:\n- b: 1",
        "a:\n- - b",
        "a:\n\tb: 1",
        "\ta: 1",
        " a: 1",
        "a:\n    b: 1\n  c: 2",
        "<<: x",
        "'a': 1",
        "a:1",
        "- a",
        "no: 1",
        "just words",
        "a: @x",
    ],
)
def test_what_readers_may_take_differently_is_not_taken_at_all(line: str) -> None:
    with pytest.raises(Unclear):
        read(line)


@pytest.mark.parametrize("text", ["", "name: x\n---\n", "---\nname: x\n", " ---\nname: x\n---\n"])
def test_a_frontmatter_stands_between_two_lines_of_dashes(text: str) -> None:
    with pytest.raises(Unclear, match="dashes"):
        frontmatter(text)


def test_a_file_from_windows_is_no_other_file() -> None:
    assert frontmatter("\ufeff---\r\nname: x\r\n---\r\nbody") == {"name": "x"}
