from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.wildcard import matches

texts = st.text(alphabet="ab/_\\ \n", max_size=12)
patterns = st.text(alphabet="ab/_\\ \n*?.[", max_size=12)


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("everything_*", "everything_echo", True),
        ("everything", "everything_echo", False),
        ("every*", "everything_echo", True),
        ("*_get-*", "everything_get-sum", True),
        ("everything_ech?", "everything_echo", True),
        ("everything_echo?", "everything_echo", False),
        ("Everything_*", "everything_echo", False),
        ("everything_{echo,get-sum}", "everything_echo", False),
        ("!everything_*", "everything_echo", False),
        ("everything_(echo)", "everything_echo", False),
        ("a.c", "abc", False),
        ("git *", "git", True),
        ("git *", "git push", True),
        ("git *", "github", False),
        ("a*", "a/b\nc", True),
        ("dir\\*", "dir/file", True),
        ("dir/*", "dir\\file", True),
        ("ab*ba", "aba", False),
        ("", "", True),
        ("", "a", False),
    ],
)
def test_a_pattern_means_what_it_means_in_opencode(pattern: str, text: str, fits: bool) -> None:
    assert matches(pattern, text) is fits


def as_expression(pattern: str) -> str:
    """The same language as a regular expression: easy to believe, and slow on hostile patterns."""
    expression = "".join(
        {"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in pattern.replace("\\", "/")
    )
    return expression[: -len(r"\ .*")] + r"(\ .*)?" if expression.endswith(r"\ .*") else expression


@given(patterns, texts)
def test_a_match_is_what_the_regular_expression_says(pattern: str, text: str) -> None:
    expected = re.fullmatch(as_expression(pattern), text.replace("\\", "/"), re.DOTALL) is not None
    assert matches(pattern, text) is expected


@given(st.lists(st.sampled_from(["a", "b", "*", "?"]), max_size=10), st.data())
def test_a_text_made_from_a_pattern_fits_it(pattern: list[str], data: st.DataObject) -> None:
    filling = {"*": st.text(alphabet="ab", max_size=3), "?": st.sampled_from("ab")}
    text = "".join(data.draw(filling[sign]) if sign in filling else sign for sign in pattern)
    assert matches("".join(pattern), text)


@pytest.mark.parametrize("pattern", ["*" * 5_000 + "b", "*a" * 5_000 + "b", "*?" * 5_000, "?" * 5_000 + "*b"])
def test_thousands_of_stars_do_not_multiply_the_work(pattern: str) -> None:
    # A matcher that goes back would not finish these in a lifetime.
    assert not matches(pattern, "a" * 4_999)
