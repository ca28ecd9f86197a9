"""A line of a broken file, shown in an error."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.redact import source_line

PRINTABLE = string.ascii_letters + string.digits + string.punctuation
secrets = st.text(PRINTABLE, min_size=8, max_size=40).filter(
    lambda text: (
        any(map(str.isdigit, text)) and any(map(str.isalpha, text)) and "{" not in text and text[0] != "*"
    )
)
KEYS = ["Authorization", "API_KEY", "X-Custom", "clientSecret", "client_secret", "token"]
columns = st.none() | st.integers(1, 200)


@given(secrets, st.sampled_from(KEYS), columns)
def test_a_secret_after_its_key_is_never_shown(secret: str, key: str, column: int | None):
    written = json.dumps(secret)
    for line in (
        f'  "{key}": {written}, "x": 1',
        f'  "{key}": {written} "x": 1',
        f'"headers": {{"{key}": {written}}}, foo',
        f'"environment": {{"name": {written}}}',
        f'"{key}": "{secret}',
        f'"{key}: "{secret}", "a": "b"',
        f'{{"a": "b, "{key}": "{secret}"}}',
        f"'{key}' = {secret}",
        f"{key} = {secret}",
        f"mcp.x.headers.{key} = {written} y",
        f'env.name = """{secret}',
        f'// "{key}": {written}',
        f'"args": ["--api-key", {written}]',
        f'"command": ["x", "--token={secret}", "y"',
        f'"url": "https://u:{secret}@h.com/"',
        f'"url": "https://h.com/?token={secret}", x',
    ):
        assert secret not in source_line(line, column)[0], line


@given(st.text(max_size=400) | st.lists(st.sampled_from("\"':=,{}[]\\#/ \tax1")).map("".join), columns)
def test_any_line_is_shown_on_one_line_and_not_too_wide(line: str, column: int | None):
    shown, place = source_line(line, column)
    assert shown.isprintable()
    assert len(shown) <= 160
    assert (place is None) == (column is None)
    assert place is None or 1 <= place <= len(shown) + 1


@pytest.mark.parametrize(
    ("line", "column", "shown", "under"),
    [
        ('  "apiKey": "abc", "type": "local" "x": 1', 36, '  "apiKey": "***", "type": "local" "x": 1', '"x'),
        ('\t"enabled": True,', 13, ' "enabled": True,', "True"),
        (
            '"timeout": 30000 "url": "https://a:b@h.com/"',
            18,
            '"timeout": 30000 "url": "https://***@h.com/"',
            '"url',
        ),
        ("[mcp.servers.x", 15, "[mcp.servers.x", ""),
        ('[mcp."x y"] oops', 13, "[***", "*"),
        ("token = abc123", 9, "token = ***", "***"),
        ('"cwd": "/srv", "type" "local"', 23, '"cwd": "/srv", "type" "***"', '"***'),
        (
            '"command": ["npx", "-y", "--token", "abc" "x"]',
            43,
            '"command": ["npx", "-y", "--token", "***" "x"]',
            '"x',
        ),
        ('"$schema": "https://h.com/x.json"; "a"', 34, '"$schema": "***"***', "***"),
        ('"x": 1 // token abc', 8, '"x": 1 // ***', "//"),
        ('"a": "{env:X}", "b": "on", "c": "word"', 28, '"a": "{env:X}", "b": "on", "c": "***"', '"c'),
        ('"-y", "--stdio", "abc"', 18, '"-y", "--stdio", "***"', '"***'),
    ],
)
def test_the_caret_still_points_at_the_same_thing(line: str, column: int, shown: str, under: str):
    text, place = source_line(line, column)
    assert text == shown
    assert place is not None
    assert text[place - 1 :].startswith(under)


def test_a_long_line_is_cut_around_the_column():
    line = ", ".join(f'"key{number}": {number % 99}' for number in range(200)) + ' "oops": 1'
    text, place = source_line(line, line.index('"oops"') + 1)
    assert len(text) == 160
    assert text.startswith("…")
    assert place is not None
    assert text[place - 1 :] == '"oops": 1'
    middle, place = source_line(line, line.index('"key100"') + 1)
    assert (middle[0], middle[-1], len(middle)) == ("…", "…", 160)
    assert place is not None
    assert middle[place - 1 :].startswith('"key100"')
    assert source_line(line, None)[0].endswith("…")


def test_control_characters_become_visible():
    assert source_line('"name": "a\x1b[2Jb"', 3)[0] == r'"name": "a\x1b[2Jb"'
    assert source_line('\x00"na\u202eme": 1', 2) == (r'\x00"na\u202eme": 1', 5)
