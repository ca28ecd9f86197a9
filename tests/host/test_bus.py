"""Who hears what, and who loses."""

from __future__ import annotations

from mooring.core.events import ResourceUpdated
from mooring.host.bus import Bus, Missed


def news(number: int) -> ResourceUpdated:
    return ResourceUpdated("notes", f"note://{number}")


async def test_everybody_hears_everything_in_order() -> None:
    bus = Bus()
    with bus.subscribe() as one, bus.subscribe() as other:
        for number in range(3):
            bus.publish(news(number))
        for listener in (one, other):
            assert [await anext(listener) for _ in range(3)] == [news(0), news(1), news(2)]


async def test_who_is_too_slow_loses_the_old_and_is_told() -> None:
    bus = Bus()
    with bus.subscribe(room=4) as slow:
        for number in range(10):
            bus.publish(news(number))
        assert [await anext(slow) for _ in range(3)] == [Missed(8), news(8), news(9)]


async def test_who_has_left_hears_nothing() -> None:
    bus = Bus()
    heard: list[object] = []
    with bus.hear(heard.append):
        bus.publish(news(1))
    bus.publish(news(2))
    assert heard == [news(1)]
