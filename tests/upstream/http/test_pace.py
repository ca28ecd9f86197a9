"""Streams are asked for again ever later, unless the server has said when, or has news."""

from __future__ import annotations

import asyncio

import pytest

from mooring.upstream.http import pace
from mooring.upstream.http.pace import Pace


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was to be waited each time; nobody waits."""
    asked: list[float] = []

    async def sleep(seconds: float) -> None:
        asked.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return asked


async def test_without_news_each_pause_is_twice_as_long(pauses: list[float]) -> None:
    it = Pace()
    for _ in range(8):
        await it.pause()
    for number, seconds in enumerate(pauses[:6]):
        assert 0.7 * 2**number < seconds <= 1.2 * 2**number
    assert 50 < pauses[-1] <= pace.LONGEST
    it.news()
    await it.pause()
    assert 0.7 < pauses[-1] <= 1.2


async def test_whoever_is_in_a_hurry_is_held_back(pauses: list[float]) -> None:
    it = Pace()
    it.wanted = 0
    for _ in range(pace.MOST + 1):
        it.news()
        await it.pause()
    assert max(pauses[: pace.MOST]) <= 0
    assert pace.WITHIN - 1 < pauses[-1] <= pace.WITHIN


async def test_no_server_can_send_us_away_for_long(pauses: list[float]) -> None:
    it = Pace()
    it.wanted = 1e9
    await it.pause()
    assert pauses == [pytest.approx(pace.LONGEST, abs=1)]
