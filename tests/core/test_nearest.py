from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.nearest import nearest

KNOWN = ["everything_echo", "everything_get-sum", "notes_add", "notes_list", "files_read"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("everythng_echo", "everything_echo"),
        ("Notes_Add", "notes_add"),
        ("everything_get_sum", "everything_get-sum"),
        ("echo", "everything_echo"),
        ("get_sum", "everything_get-sum"),
        ("note_add", "notes_add"),
        ("nodes_ist", "notes_list"),
    ],
)
def test_a_slip_leads_to_what_was_meant(typed: str, meant: str) -> None:
    assert nearest(typed, KNOWN)[0] == meant


@pytest.mark.parametrize("typed", ["", "xyzzy", "quetzalcoatl"])
def test_nothing_near_is_nothing(typed: str) -> None:
    assert nearest(typed, KNOWN) == ()


@given(st.text(max_size=10), st.lists(st.text(max_size=10), max_size=10), st.integers(1, 4))
def test_suggestions_are_known_names_without_repetition(typed: str, known: list[str], limit: int) -> None:
    found = nearest(typed, known, limit)
    assert set(found) <= set(known)
    assert len(found) == len(set(found)) <= limit


def test_among_very_many_names_the_plain_slips_are_still_found() -> None:
    known = [f"server_{number}_tool" for number in range(20_000)]
    assert nearest("Server_19999_Tool", known)[0] == "server_19999_tool"
    assert nearest("x" * 1_000_000, known) == ()
