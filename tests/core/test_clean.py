"""Text of servers, without what moves a cursor, hides or reorders."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.redact import clean, findings, visible

odd = st.sampled_from(
    ["\x1b[2J", "\x1b]0;t\x07", "\x1b]8;;u\x1b\\", "\U000e0101", "\U000e0041", *"\x1b\x9b\x9d[]m\r\n\t\x00"]
) | st.sampled_from("\u200d\u200b\ufe0f\u202e\ufeff\ud800😀👩a7")
hostile = st.lists(odd | st.characters(), max_size=30).map("".join)
NEVER = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069"
    "\ufeff\ud800-\udfff\U000e0000-\U000e007f]|[\ufe00-\ufe0f]{2}"
)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain\n\ttext", "plain\n\ttext"),
        ("\x1b[31mred\x1b[0m \x9b1mbold", "red bold"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP1$r\x1b\\\x1b(Ba\x1bcb\x1b", "ab"),
        ("name\x1b[2J\r\x07\x00", "name"),
        ("he said \x9dhello\x9d twice", "he said hello twice"),
        ("a\u200bb\u2060c\ufeffd\u00ade", "abcde"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("hi\U000e0068\U000e0069", "hi"),
        ("half \ud83d done", "half \ufffd done"),
        ("x\ufe0f\ufe0e\U000e0150 a\ufe01b", "x ab"),
        ("a\u200db", "ab"),
        ("naïve 漢字 עברית", "naïve 漢字 עברית"),
    ],
)
def test_only_what_can_be_read_stays(text: str, kept: str):
    assert clean(text) == kept


@pytest.mark.parametrize("emoji", ["❤️", "👩‍💻", "👨‍👩‍👧", "🏳️‍🌈", "🧑🏽‍🚀", "1️⃣", "🇨🇭"])
def test_emoji_stay_whole(emoji: str):
    assert clean(f"a {emoji} b") == f"a {emoji} b"
    assert findings(emoji) == {}


def test_findings_count_each_class():
    text = "\x1b[31m\x07\u202e\u200b\u200b\U000e0041\ud800 x\ufe0f\ufe0f"
    assert findings(text) == {
        "escape": 1,
        "control": 1,
        "bidi": 1,
        "invisible": 2,
        "tag": 1,
        "surrogate": 1,
        "selector": 1,
    }


@given(hostile)
def test_what_is_clean_stays_as_it_is_and_has_no_findings(text: str):
    once = clean(text)
    assert not NEVER.search(once)
    assert clean(once) == once
    assert findings(once) == {}
    assert (once == text) == (not findings(text))


@given(hostile)
def test_what_is_shown_hides_nothing(text: str):
    shown = visible(text)
    assert shown.isprintable()
    assert clean(shown) == shown


def test_an_escape_is_written_out():
    assert visible("rm\u202e -rf\n\x1b[2K\ta\u00a0b") == r"rm\u202e -rf\n\x1b[2K\ta\xa0b"
    assert visible("x\ufe0f\U000e0041\ud800") == r"x\ufe0f\U000e0041\ud800"
    assert visible("npx -y 漢字 café") == "npx -y 漢字 café"


@pytest.mark.parametrize(
    "piece", ["\x1b]", "\x9d", "\x1b[1;", "\u200d", "😀\u200d", "\ufe0f", "\x1b", "\x1b]a\n"]
)
def test_a_megabyte_of_it_is_read_once(piece: str):
    once, twice = piece * 1000, piece * (1_000_000 // len(piece))
    assert len(set(clean(once))) == len(set(clean(twice)))
    assert findings(once).keys() == findings(twice).keys()
