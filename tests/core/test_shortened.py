"""What is too long for a model is cut where it can be read on, and nothing is lost."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from mooring.core.shortened import contents, shortened
from mooring.core.tokens import tokens

URI = "mooring://results/x"
LINES = "".join(f"line {number}\n" for number in range(5_000))
PICTURE = base64.b64encode(b"\x00\xff" * 200_000).decode()


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def short(*items: Any, most: int = 400, **more: Any) -> dict[str, Any]:
    found = shortened({"content": list(items), **more}, most, URI)
    assert found is not None
    return found


def test_what_is_short_enough_is_left_alone():
    assert shortened({"content": [text("four")], "structuredContent": {"a": 1}}, 10, URI) is None
    assert shortened({"content": [], "resultType": "input_required"}, 10, URI) is None
    assert shortened({}, 10, URI) is None
    picture = {"type": "image", "data": PICTURE, "mimeType": "image/png"}
    assert shortened({"content": [picture]}, 2_000, URI) is None


def test_a_long_text_keeps_whole_lines_of_its_head_and_tail_and_says_where_the_rest_is():
    found = short(text(LINES), isError=True, _meta={"a/b": 1})
    told, note, link = found["content"]
    kept = told["text"].splitlines()
    assert tokens(told["text"]) <= 400
    assert (kept[0], kept[-1]) == ("line 0", "line 4999")
    assert all(line.startswith("line ") or "left out" in line for line in kept)
    assert URI in note["text"]
    assert (link["type"], link["uri"]) == ("resource_link", URI)
    assert (found["isError"], found["_meta"]) == (True, {"a/b": 1})


def test_the_first_parts_are_kept_and_bytes_are_whole_or_not_there():
    picture = {"type": "image", "data": PICTURE, "mimeType": "image/png"}
    blob = {"type": "resource", "resource": {"uri": "f://1", "blob": PICTURE, "mimeType": "x/y"}}
    found = short(text("hello"), picture, blob, text("bye"))["content"]
    assert found[:4] == [text("hello"), text("[image: left out]"), text("[resource: left out]"), text("bye")]
    kept = short(picture, blob, most=2_000)["content"]
    assert kept[0] == picture
    assert PICTURE[:100] not in json.dumps(kept[1:])


def test_embedded_texts_are_cut_like_others():
    inner = {"uri": "f://1", "text": LINES, "mimeType": "text/plain"}
    found = short({"type": "resource", "resource": inner})["content"][0]
    assert found["resource"]["uri"] == "f://1"
    assert tokens(found["resource"]["text"]) <= 400


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "with its text"])
def test_structured_content_that_is_too_long_is_left_out(alone: bool):
    value = {"rows": [{"number": number} for number in range(3_000)]}
    items = [] if alone else [text(json.dumps(value))]
    found = short(*items, structuredContent=value)
    assert "structuredContent" not in found
    assert tokens(found["content"][0]["text"]) <= 400


@pytest.mark.parametrize("odd", [None, 7, {"type": 7}, {"type": "of tomorrow", "data": "x" * 9_000}, {}])
def test_parts_that_nobody_knows_do_no_harm(odd: Any):
    found = short(text(LINES), odd)
    assert len(found["content"]) == 4


def test_other_scripts_fit_as_well():
    assert tokens(short(text("一行字\n" * 5_000))["content"][0]["text"]) <= 400


def test_all_of_it_can_be_read():
    picture = {"type": "image", "data": PICTURE, "mimeType": "image/png"}
    result = {"content": [text(LINES), picture], "structuredContent": {"a": 1}}
    found: Any = contents(result, URI)
    assert [each["uri"] for each in found] == [f"{URI}#1", f"{URI}#2", f"{URI}#3"]
    assert (found[0]["text"], found[1]["blob"], json.loads(found[2]["text"])) == (LINES, PICTURE, {"a": 1})
    assert contents({"content": [text("x")]}, URI) == [{"uri": URI, "mimeType": "text/plain", "text": "x"}]
