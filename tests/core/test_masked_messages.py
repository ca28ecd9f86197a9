"""Messages and headers as they may be shown to anybody."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.redact import mask_headers, mask_message

TOKEN = "ghp_" + "a1B2" * 9


def test_what_is_known_is_hidden_wherever_it_stands_and_nothing_else_changes():
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "params": {
            "list": ["my hunter22!", 3, None, True],
            "hunter22": "x",
            "name": "Ada",
            "progressToken": "1-a",
        },
    }
    assert mask_message(message, ["hunter22"]) == {
        "jsonrpc": "2.0",
        "id": 1,
        "params": {"list": ["my ***!", 3, None, True], "***": "x", "name": "Ada", "progressToken": "1-a"},
    }


def test_what_looks_like_a_secret_or_stands_under_the_name_of_one_is_hidden_too():
    shown = mask_message({"text": f"use {TOKEN}", "password": "tiger", "token": {"type": "string"}}, [])
    assert shown == {"text": "use ***", "password": "***", "token": {"type": "string"}}


def test_an_escape_does_not_let_a_secret_through_nor_anything_move_a_cursor():
    raw = json.loads('{"text": "\\u0068unter22 \\u001b[2J"}')
    assert mask_message(raw, ["hunter22"]) == {"text": "*** "}


@given(
    st.recursive(st.text(max_size=8) | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3))
)
def test_no_message_is_too_odd(value):
    text = json.dumps(mask_message([value, "hunter22"], ["hunter22"]))
    assert "hunter22" not in text


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("Content-Type", "application/json", "application/json"),
        ("Authorization", "Bearer abcdefg", "Bearer ***"),
        ("Authorization", "abcdefg", "***"),
        ("X-Key", "tiger", "***"),
        ("Mcp-Session-Id", "5f2c", "***"),
        ("Mcp-Method", "tools/list", "tools/list"),
        ("Mcp-Name", "hunter22", "***"),
        ("Location", "https://me:pw@h.example/?token=x1y2", "https://***@h.example/?token=***"),
        ("WWW-Authenticate", 'Bearer scope="a b"', 'Bearer scope="a b"'),
        ("Set-Cookie", "a=b", "***"),
    ],
)
def test_of_a_header_only_what_cannot_be_a_secret_is_shown(name: str, value: str, shown: str):
    assert mask_headers([(name, value)], ["hunter22"]) == ((name.lower(), shown),)
