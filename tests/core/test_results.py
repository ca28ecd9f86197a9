from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.parts import (
    Audio,
    EmbeddedBlob,
    EmbeddedText,
    Image,
    Link,
    Structured,
    Text,
    Unknown,
    parts,
)
from mooring.core.results import as_text, error_result, is_error
from mooring.errors import UnknownServer

TEXT = {"type": "text", "text": "hello"}
IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": "AAA=", "mimeType": "audio/wav"}
LINK = {
    "type": "resource_link",
    "uri": "file:///etc/passwd",
    "name": "passwd",
    "mimeType": "text/plain",
    "size": 2500,
    "description": "who\nis who",
}
EMBEDDED = {"type": "resource", "resource": {"uri": "note://1", "mimeType": "text/plain", "text": "remember"}}
BLOB = {"type": "resource", "resource": {"uri": "note://2", "blob": "AA=="}}


def test_every_kind_of_content_is_told_apart() -> None:
    result = {"content": [TEXT, IMAGE, AUDIO, LINK, EMBEDDED, BLOB], "structuredContent": {"a": 1}}
    assert parts(result) == (
        Text("hello"),
        Image("AAAA", "image/png"),
        Audio("AAA=", "audio/wav"),
        Link("file:///etc/passwd", "passwd", "who\nis who", "text/plain", 2500),
        EmbeddedText("note://1", "remember", "text/plain"),
        EmbeddedBlob("note://2", "AA=="),
        Structured({"a": 1}),
    )


@pytest.mark.parametrize(
    "item",
    [
        {"type": "hologram", "data": 1},
        {"type": "text"},
        {"type": "text", "text": 5},
        {"type": "resource", "resource": {"uri": "x"}},
        {"type": "resource", "resource": []},
        {},
        None,
        "loose",
    ],
)
def test_content_that_nobody_knows_survives_beside_the_rest(item: Any) -> None:
    assert parts({"content": [TEXT, item]}) == (Text("hello"), Unknown(item))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.fixed_dictionaries({}, optional={"content": json_values, "structuredContent": json_values}))
def test_no_result_is_so_odd_that_it_cannot_be_shown(result: dict[str, Any]) -> None:
    assert isinstance(as_text(result), str)


def test_a_model_reads_texts_apart_and_a_line_for_everything_else() -> None:
    assert as_text(
        {"content": [TEXT, IMAGE, AUDIO, LINK, EMBEDDED, BLOB, {"type": "hologram"}, {}]}
    ) == "\n\n".join(
        [
            "hello",
            "[image: image/png, 3 B]",
            "[audio: audio/wav, 2 B]",
            "[link: passwd <file:///etc/passwd> (text/plain, 3 kB) - who is who]",
            "remember",
            "[resource: note://2 (application/octet-stream, 1 B)]",
            "[content of an unknown type: `hologram`]",
            "[content without a type]",
        ]
    )


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ({}, "<x://y>"),
        ({"title": "Why", "name": "y"}, "Why <x://y>"),
        ({"size": 999}, "<x://y> (999 B)"),
        ({"size": 1_001}, "<x://y> (2 kB)"),
        ({"size": 2_340_000}, "<x://y> (2.3 MB)"),
        ({"size": "large", "mimeType": 5}, "<x://y>"),
    ],
)
def test_a_link_says_what_is_known_of_it(link: dict[str, Any], shown: str) -> None:
    assert as_text({"content": [{"type": "resource_link", "uri": "x://y", **link}]}) == f"[link: {shown}]"


def as_texts(*values: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": value} for value in values]


@pytest.mark.parametrize(
    ("texts", "structured"),
    [
        (['{"sum": 3}'], {"sum": 3}),
        (['{\n  "b": 1, "a": [1, 2]\n}'], {"a": [1, 2], "b": 1}),
        (["seen", '{"sum": 3}'], {"sum": 3}),
        (["hello"], {"result": "hello"}),
        (["3"], {"result": 3}),
        (["one", "two"], {"result": ["one", "two"]}),
        (['{"id": 1}', '{"id": 2}'], {"result": [{"id": 1}, {"id": 2}]}),
    ],
)
def test_structured_content_that_a_text_already_says_is_not_said_twice(
    texts: list[str], structured: Any
) -> None:
    assert as_text({"content": as_texts(*texts), "structuredContent": structured}) == "\n\n".join(texts)


@pytest.mark.parametrize(
    ("texts", "structured"),
    [
        ([], {"sum": 3}),
        (["The sum is 3"], {"sum": 3}),
        (['{"sum": 4}'], {"sum": 3}),
        (["one"], {"result": ["one", "two"]}),
    ],
)
def test_structured_content_that_no_text_says_is_shown(texts: list[str], structured: Any) -> None:
    shown = as_text({"content": as_texts(*texts), "structuredContent": structured})
    assert shown == "\n\n".join([*texts, json.dumps(structured, indent=2)])


def test_an_error_without_a_word_is_still_an_error() -> None:
    assert is_error({"content": [], "isError": True})
    assert as_text({"content": [], "isError": True}) == "The tool reported an error and gave no reason"
    assert as_text({"content": []}) == ""


def test_a_text_stays_byte_for_byte_what_it_was() -> None:
    file = "\ufeffnaïve\u200c\r\n\x1b[31m\tred"
    assert as_text({"content": as_texts(file)}) == file


def test_a_link_cannot_draw_on_the_line_it_stands_on() -> None:
    shown = as_text({"content": [{**LINK, "name": "a\x1b[2J\u202eb\nc"}]})
    assert shown == "[link: ab c <file:///etc/passwd> (text/plain, 3 kB) - who is who]"


def test_an_error_of_ours_is_a_result_a_model_can_act_on() -> None:
    error = UnknownServer("no server `ntoes`\x1b[2J", hint="mooring list")
    result = error_result(error, ["Did you mean `notes`?"])
    told = {
        "error": {"code": "MOOR-CONFIG-008", "message": "no server `ntoes`", "hint": "mooring list"},
        "suggestions": ["Did you mean `notes`?"],
    }
    assert is_error(result)
    assert result["structuredContent"] == told
    assert json.loads(result["content"][0]["text"]) == told
    assert len(result["content"]) == 1
    assert as_text(result) == result["content"][0]["text"]


def test_what_was_read_and_what_a_prompt_says_are_parts_too() -> None:
    read = {"contents": [{"uri": "note://1", "text": "milk"}, {"uri": "note://2", "blob": "AAAA"}, 3]}
    assert [type(part).__name__ for part in parts(read)] == ["EmbeddedText", "EmbeddedBlob", "Unknown"]
    assert as_text(read).startswith("milk\n\n[resource: note://2")
    said = {"messages": [{"role": "user", "content": {"type": "text", "text": "Sum up"}}, {"role": "user"}]}
    assert as_text(said).startswith("Sum up")
