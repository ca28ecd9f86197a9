from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.truncation import truncate

MARKER = re.compile(r"^\.\.\. (?:\d+ lines?, )?\d+ bytes left out \.\.\.\n", re.MULTILINE)
texts = st.text(st.sampled_from(["a", "é", "漢", "🙂", "\n", "\n", "\ud800"]), max_size=80)


def size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def lines(text: str) -> int:
    return text.count("\n") + (text != "" and not text.endswith("\n"))


def ends(text: str) -> tuple[str, str]:
    """What stands before the marker and behind it."""
    head, tail = MARKER.split(text)
    return head, tail


@given(texts, st.integers(0, 12), st.integers(0, 40))
def test_a_cut_text_keeps_its_limits_and_its_ends(text: str, max_lines: int, max_bytes: int) -> None:
    cut = truncate(text, max_lines, max_bytes)
    if size(text) <= max_bytes and lines(text) <= max_lines:
        assert (cut.text, cut.omitted_bytes) == (text, 0)
        return
    head, tail = ends(cut.text)
    # The marker stands on a line of its own, so a head that was cut within a line got a line break.
    whole = size(head) + size(tail) + cut.omitted_bytes == size(text)
    kept = head if whole else head.removesuffix("\n")
    assert text.startswith(kept)
    assert text.endswith(tail)
    assert size(kept) + size(tail) == size(text) - cut.omitted_bytes <= max_bytes
    assert lines(kept) + lines(tail) <= max_lines
    assert cut.omitted_bytes > 0
    assert cut.omitted_lines == text.count("\n") - kept.count("\n") - tail.count("\n")


def test_many_lines_keep_three_quarters_of_the_room_for_the_head() -> None:
    cut = truncate("".join(f"line {number}\n" for number in range(10_000)), max_lines=2000)
    head, tail = ends(cut.text)
    assert head.splitlines() == [f"line {number}" for number in range(1500)]
    assert tail.splitlines() == [f"line {number}" for number in range(9500, 10_000)]
    assert cut.omitted_lines == 8000
    assert "... 8000 lines, " in cut.text


def test_one_endless_line_still_shows_its_head_and_its_tail() -> None:
    cut = truncate("<" + "x" * 60_000 + ">")
    head, tail = ends(cut.text)
    assert (head[0], tail[-1]) == ("<", ">")
    assert (len(head) - 1, len(tail)) == (38_400, 12_800)
    assert cut.omitted_bytes == 60_002 - 51_200
    assert cut.omitted_lines == 0


def test_an_endless_line_between_short_ones_is_cut_and_they_are_not() -> None:
    cut = truncate("first\n" + "x" * 60_000 + "\nlast\n")
    head, tail = ends(cut.text)
    assert head.startswith("first\nxxx")
    assert tail.endswith("xxx\nlast\n")


def test_whole_lines_are_preferred() -> None:
    cut = truncate("0123456789\n" * 100, max_bytes=200)
    head, tail = ends(cut.text)
    assert set(head.splitlines()) | set(tail.splitlines()) == {"0123456789"}


@pytest.mark.parametrize("text", ["", "a\n" * 2000, "x" * 51_200])
def test_a_text_at_the_limit_is_whole(text: str) -> None:
    assert truncate(text).text is text


def test_a_character_is_never_cut_in_two() -> None:
    cut = truncate("漢" * 100, max_bytes=100)
    assert set(MARKER.sub("", cut.text)) <= {"漢", "\n"}
