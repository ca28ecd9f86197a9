"""Arguments that travel in headers too."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.upstream.session.mirrors import Mirrors, mirrored


def tool(properties: Any, **more: Any) -> dict[str, Any]:
    return {"name": "t", "inputSchema": {"type": "object", "properties": properties, **more}}


def marked(token: Any = "Region", kind: Any = "string") -> dict[str, Any]:
    return {"type": kind, "x-mcp-header": token}


def sent(properties: Any, arguments: Any) -> dict[str, str]:
    return dict(Mirrors.of([tool(properties)]).headers("t", arguments))


@pytest.mark.parametrize(
    ("value", "header"),
    [
        ("eu", "eu"), ("", ""), (5, "5"), (5.0, "5"), (True, "true"), (False, "false"), (-3, "-3"),
        ("é", "=?base64?w6k=?="), (" x", "=?base64?IHg=?="), ("a\nb", "=?base64?YQpi?="),
        ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
    ],
)  # fmt: skip
def test_a_value_arrives_as_it_is(value: Any, header: str) -> None:
    assert sent({"region": marked()}, {"region": value}) == {"mcp-param-Region": header}


@pytest.mark.parametrize("value", [None, [], {}, [1]])
def test_what_is_no_value_is_left_out(value: Any) -> None:
    assert sent({"region": marked()}, {"region": value}) == {}
    assert sent({"region": marked()}, {}) == {}
    assert sent({"region": marked()}, None) == {}


def test_a_property_of_a_property_is_found() -> None:
    inner = {"type": "object", "properties": {"id": marked("Id", "integer")}}
    assert sent({"user": inner}, {"user": {"id": 7}}) == {"mcp-param-Id": "7"}
    assert sent({"user": inner}, {"user": "me"}) == {}


BAD = [
    {"a": marked("")}, {"a": marked("no space")}, {"a": marked("é")}, {"a": marked(7)},
    {"a": {"x-mcp-header": "A"}}, {"a": marked(kind="object")},
    {"a": marked(kind=["string", "null"])}, {"a": marked("A"), "b": marked("a")},
    {"a": {"type": "array", "items": marked()}}, {"a": {"anyOf": [marked()]}}, {"a": {"not": marked()}},
    {"a": {"type": "object", "additionalProperties": marked()}},
]  # fmt: skip


@pytest.mark.parametrize("properties", BAD, ids=str)
def test_a_tool_that_the_protocol_does_not_allow_is_refused_alone(properties: Any) -> None:
    bad, good = tool(properties), {**tool({"a": marked()}), "name": "good"}
    mirrors = Mirrors.of([bad, good, 7, None, {"name": "bare"}])
    assert mirrors.refused == {id(bad)}
    assert list(mirrors.of_tool) == ["good"]


def test_a_mark_at_the_top_or_in_a_definition_is_refused() -> None:
    for more in (
        {"x-mcp-header": "A"},
        {"$defs": {"d": marked()}},
        {"allOf": [{"properties": {"a": marked()}}]},
    ):
        broken = tool({}, **more)
        assert Mirrors.of([broken]).refused == {id(broken)}


@given(st.text())
def test_no_text_breaks_a_header(text: str) -> None:
    header = mirrored(text)
    assert header.isascii()
    assert header == header.strip()
    assert "\n" not in header
    if header != text:
        assert (
            b64decode(header.removeprefix("=?base64?").removesuffix("?=")).decode("utf-8", "surrogatepass")
            == text
        )
