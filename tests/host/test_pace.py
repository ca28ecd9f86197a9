"""How soon a server that failed is tried again."""

from __future__ import annotations

from mooring.host.pace import Pace


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def steady(_low: float, _high: float) -> float:
    return 1.0


def test_each_try_waits_twice_as_long_up_to_a_minute() -> None:
    clock = Clock()
    pace = Pace(clock, steady)
    waits = []
    for _ in range(8):
        waits.append(pace.failed())
        clock.now += 61
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert not pace.is_open


def test_five_failures_in_a_minute_open_the_circuit_until_one_try_works() -> None:
    clock = Clock()
    pace = Pace(clock, steady)
    assert [pace.failed() for _ in range(5)] == [1, 2, 4, 8, 60]
    assert pace.is_open
    clock.now += 60
    assert pace.failed() == 60
    assert pace.is_open
    clock.now += 60
    pace.connected()
    assert not pace.is_open


def test_a_connection_that_held_for_a_minute_clears_the_past() -> None:
    clock = Clock()
    pace = Pace(clock, steady)
    for _ in range(4):
        pace.failed()
    pace.connected()
    clock.now += 1
    assert pace.failed() == 60, "it worked for a second only"
    pace.connected()
    clock.now += 60
    assert pace.failed() == 1
    assert pace.attempt == 2


def test_not_everybody_comes_back_at_the_same_moment() -> None:
    assert len({Pace().failed() for _ in range(20)}) > 10
    assert all(0.8 <= Pace().failed() <= 1.2 for _ in range(20))
