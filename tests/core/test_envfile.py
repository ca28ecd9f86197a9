"""Files of NAME=value lines."""

from __future__ import annotations

import pytest

from mooring.core.envfile import assignments


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A=1\nB=two words\n", {"A": "1", "B": "two words"}),
        ("export A=1\r\n  B = 2  \r\n", {"A": "1", "B": "2"}),
        ("# A=1\n\nno line\n=2\n1A=3\n", {}),
        ("A=1 # why\nB='1 # why'\nC=\"1 # why\"\n", {"A": "1", "B": "1 # why", "C": "1 # why"}),
        ("A=1#why\n", {"A": "1#why"}),
        ("A='a\\nb'\nB=\"a\\nb\"\nC=\"open\n", {"A": "a\\nb", "B": "a\nb", "C": '"open'}),
        ("A=1\nA=2\nB=\n", {"A": "2", "B": ""}),
        ("URL=https://h.example/?a=b&c=d\n", {"URL": "https://h.example/?a=b&c=d"}),
    ],
)  # fmt: skip
def test_a_line_is_read_as_shells_and_other_programs_read_it(text: str, said: dict[str, str]):
    assert assignments(text) == said
