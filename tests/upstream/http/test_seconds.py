"""Headers that name a time, as servers write them."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from mooring.upstream.http.seconds import retry_after, seconds_in


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("7", 7), ("007", 7), ("", None), ("-1", None), ("1.5", None), ("\xb2", None), ("9" * 5000, None)],
)
def test_only_a_whole_number_is_one(text: str, seconds: float | None) -> None:
    assert seconds_in(text) == seconds
    assert retry_after({"retry-after": text}) == seconds


def test_a_date_is_counted_from_now() -> None:
    assert retry_after({"retry-after": formatdate(time.time() + 100, usegmt=True)}) == pytest.approx(
        100, abs=5
    )
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0


@pytest.mark.parametrize(
    "text", ["soon and no date", "Wed, 99 Oct 2015 07:28:00 GMT", " ", "1 2", "x " * 5000]
)
def test_what_is_neither_says_nothing(text: str) -> None:
    assert retry_after({"retry-after": text}) is None
