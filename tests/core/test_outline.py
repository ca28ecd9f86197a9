"""One tool in a line, and how much that costs a model."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from mooring.core.items import Tool
from mooring.core.outline import MOST, outline
from mooring.core.tokens import fitting, tokens

REAL = Path(__file__).parents[1] / "data" / "real-tools.json.gz"


def line(description: str = "", required: tuple[str, ...] = (), **properties: Any) -> str:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return outline("s_go", Tool.read({"name": "go", "description": description, "inputSchema": schema}))


def test_a_line_has_the_name_what_is_required_and_the_first_sentence():
    told = line(
        "Send a letter to somebody. It takes days.",
        ("to", "pace"),
        to={"type": "string"},
        pace={"enum": ["slow", "fast"]},
        stamp={"type": "integer"},
    )
    assert told == "s_go(to: string, pace: slow|fast, 1 optional): Send a letter to somebody"


@pytest.mark.parametrize(
    ("description", "said"),
    [
        ("", "s_go()"),
        ("Usage:\n  1. Sends a letter to a friend.\n", "s_go(): Usage: 1. Sends a letter to a friend"),
        (
            "寄一封信给某个朋友，要求收件人的地址和邮政编码。需要几天。",
            "s_go(): 寄一封信给某个朋友，要求收件人的地址和邮政编码",
        ),
        ("No full stop", "s_go(): No full stop"),
    ],
)
def test_descriptions_are_cut_after_their_first_sentence(description: str, said: str):
    assert line(description) == said


def test_schemas_that_make_no_sense_still_give_a_line():
    assert line(required=("gone",)) == "s_go(gone)"
    assert line(required=("a", "b"), a={"type": ["string", "null"]}, b=True) == "s_go(a: string|null, b)"


def test_no_line_costs_more_than_its_limit():
    many = {f"a_rather_long_name_{number}": {"type": "string"} for number in range(60)}
    told = line("词" * 500, tuple(many), **many)
    assert tokens(told) <= MOST
    assert "more required" in told
    found = [
        outline(f"{server}_{tool['name']}"[:64], Tool.read(tool))
        for server, tools in json.loads(gzip.decompress(REAL.read_bytes())).items()
        for tool in tools
    ]
    assert len(found) == 3470
    assert max(map(tokens, found)) <= MOST


def test_a_text_is_cut_between_words_where_it_can_be():
    assert tokens("four") == 1
    assert tokens("四") == 1
    assert fitting("one two three", 10) == "one two three"
    assert fitting("one two three four five", 5) == "one two three…"
    assert fitting("x" * 100, 5) == "x" * 16 + "…"
    assert all(tokens(fitting("a 词 " * 50, most)) <= most for most in range(2, 60))
