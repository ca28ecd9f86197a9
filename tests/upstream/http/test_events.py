"""An event stream is cut alike, however its pieces fall."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.upstream.http.events import Event, Events


def cut(pieces: list[bytes], limit: int = 1000) -> tuple[list[Event], list[bytes]]:
    found: list[Event] = []
    lost: list[bytes] = []
    events = Events(found.append, lost.append, limit)
    for piece in pieces:
        events.feed(piece)
    return found, lost


def in_pieces(text: bytes, cuts: list[int]) -> list[bytes]:
    at = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    return [text[a:b] for a, b in pairwise(at)]


@pytest.mark.parametrize(
    ("text", "events"),
    [
        (b"data: one\n\n", [Event(b"one")]),
        (b"\xef\xbb\xbfdata: one\n\n", [Event(b"one")]),
        (b"data:one\r\rdata:two\r\n\r\n", [Event(b"one"), Event(b"two")]),
        (b"data: a\ndata:  b\ndata\n\n", [Event(b"a\n b\n")]),
        (b": a comment\n\nid: 7\nretry: 20\n\n", [Event(id="7", retry=20)]),
        (b"event: endpoint\ndata: /x?y=1\n\n", [Event(b"/x?y=1", "endpoint")]),
        (b"id: a\0b\nretry: soon\nwho: knows\ndata: x\n\n", [Event(b"x")]),
        (b"data: half", []),
        (b"data: a\n\n\n\n\n\n\ndata: b\n\n\n", [Event(b"a"), Event(b"b")]),
        ("data: \u2028 is no end\n\n".encode(), [Event("\u2028 is no end".encode())]),
    ],
    ids=repr,
)
@given(cuts=st.lists(st.integers(0, 40)))
def test_events_are_read_as_the_standard_says(text: bytes, events: list[Event], cuts: list[int]) -> None:
    assert cut(in_pieces(text, cuts))[0] == events


@given(cuts=st.lists(st.integers(0, 3100)))
def test_an_event_that_is_too_long_costs_itself(cuts: list[int]) -> None:
    long = b'data: {"id":3,' + b"x" * 3000 + b"\n"
    text = b"data: one\n\n" + long + b"data: more of it\n\ndata: two\n\n"
    found, lost = cut(in_pieces(text, cuts))
    assert found == [Event(b"one"), Event(b"two")]
    assert len(lost) == 1
    assert lost[0].startswith(b'{"id":3,')


def test_a_large_event_takes_time_in_step_with_its_size() -> None:
    def spent(pieces: int) -> float:
        before = time.process_time()
        cut([b"data: ", *([b"x" * 1024] * pieces), b"\n\n"], limit=1 << 30)
        return time.process_time() - before

    small, large = min(spent(2000) for _ in range(3)), min(spent(16000) for _ in range(3))
    assert large < max(small, 0.002) * 40
