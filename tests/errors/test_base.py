"""What every deliberate error has."""

from __future__ import annotations

import re

import pytest

from mooring.errors import HttpRefused, MooringError, ServerError, ServerExited, Spot, codes


@pytest.mark.parametrize("kind", codes().values(), ids=lambda kind: kind.__name__)
def test_an_error_needs_nothing_but_its_sentence(kind: type[MooringError]):
    error = kind("`x` is not there")
    assert (error.sentence, str(error), error.hint, error.spot) == ("`x` is not there",) * 2 + ("", None)
    assert re.fullmatch(r"MOOR-[A-Z]+-\d{3}", error.code)


def test_a_place_is_written_as_an_editor_understands_it():
    assert str(Spot("/p/mooring.json", 3, 5, "text")) == "/p/mooring.json:3:5"
    assert str(Spot("/p/mooring.json")) == "/p/mooring.json"


def test_what_a_server_left_behind_stays_with_the_error():
    assert ServerExited("x", exit_code=3, stderr=("no key",)).stderr == ("no key",)
    assert HttpRefused("x", status=429, headers={"Retry-After": "3"}).headers == {"Retry-After": "3"}
    assert ServerError("x", number=-32602, data={"a": 1}).number == -32602
