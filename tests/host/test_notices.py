"""What servers log."""

from __future__ import annotations

from mooring.host.notices import LENGTH_PER_SECOND, LONGEST, MOST_PER_SECOND, Logged

FLOOD = {"level": "info", "data": "again"}


def test_a_flood_is_cut_short_and_the_next_second_is_heard_again() -> None:
    now = [0.0]
    logged = Logged((), lambda: now[0])
    said = [logged.heard(FLOOD) for _ in range(10_000)]
    heard = [each[2] for each in said if each is not None]
    assert heard == ["again"] * (MOST_PER_SECOND - 1) + ["(more was logged in this second)"]
    now[0] = 1.0
    message = logged.heard(FLOOD)
    assert message is not None
    assert message[2] == "again"


def test_a_second_holds_so_much_text_and_no_more() -> None:
    logged = Logged((), lambda: 0.0)
    said = [logged.heard({"data": "x" * 1_000_000}) for _ in range(100)]
    assert sum(len(each[2]) for each in said if each) <= LENGTH_PER_SECOND + LONGEST + 100


def test_a_secret_at_the_edge_of_a_text_that_is_cut_is_not_shown_in_part() -> None:
    for before in range(LONGEST - 30, LONGEST):
        message = Logged(("hunter2-hunter2",)).heard({"data": "x" * before + "hunter2-hunter2" + "y" * 99})
        assert message is not None
        assert "h" not in message[2]
