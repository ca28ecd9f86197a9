"""Bytes cut into lines, however they arrive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.upstream.stdio.lines import HEAD, Lines


def cut(pieces: list[bytes], limit: int = 1000) -> tuple[list[bytes], list[tuple[bytes, int]]]:
    lines: list[bytes] = []
    lost: list[tuple[bytes, int]] = []
    cutter = Lines(limit, lines.append, lambda part, size: lost.append((part, size)))
    for piece in pieces:
        cutter.feed(piece)
    return lines, lost


@given(st.lists(st.binary(max_size=20), max_size=12), st.integers(1, 7))
def test_how_the_bytes_are_dealt_makes_no_difference(lines: list[bytes], step: int) -> None:
    whole = b"".join(line + b"\n" for line in lines)
    pieces = [whole[start : start + step] for start in range(0, len(whole), step)]
    expected = [line for line in whole.split(b"\n") if line and not line.isspace()]
    assert cut(pieces) == (expected, [])


def test_other_ends_of_lines_are_none() -> None:
    text = '{"a": "\u2028\u2029\u0085\x0b\x0c"}\r'.encode()
    assert cut([text + b"\n"]) == ([text], [])


def test_what_has_no_end_yet_waits() -> None:
    assert cut([b"a", b"b"]) == ([], [])


@pytest.mark.parametrize("step", [1, 64, 5000, 100_000])
def test_a_line_over_the_limit_is_lost_alone_and_known_by_both_its_ends(step: int) -> None:
    long = b"HEAD" + b"x" * 20_000 + b"TAIL"
    whole = b"one\n" + long + b"\ntwo\n"
    lines, lost = cut([whole[start : start + step] for start in range(0, len(whole), step)])
    assert lines == [b"one", b"two"]
    parts = [part for part, _ in lost if part]
    assert parts[0].startswith(b"HEAD")
    assert parts[-1].endswith(b"TAIL")
    assert max(map(len, parts)) <= HEAD
    assert lost[-1][1] >= 1000


def test_memory_ends_where_the_limit_is() -> None:
    cutter = Lines(1000, lambda _line: None, lambda _part, _size: None)
    for _ in range(1000):
        cutter.feed(b"x" * 1000)
    assert sum(map(len, cutter._pieces)) == 0
