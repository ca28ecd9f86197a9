"""A result that is too long for a model, cut between lines and never inside of bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

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
from mooring.core.results import size_of, told
from mooring.core.tokens import tokens
from mooring.core.truncation import truncate
from mooring.core.values import JSON, is_list, is_map

__all__ = ["contents", "shortened"]

# What a model pays for a picture has nothing to do with how many bytes it has.
_PICTURE = 1_500
_LEAST = 40
_MOST_LINES = 1_000_000
_BYTES_PER_TOKEN = 3


def shortened(result: Mapping[str, JSON], most: int, uri: str) -> dict[str, JSON] | None:
    """At most so many tokens, with the address of the whole; None where it is short enough."""
    written = result.get("content")
    items = written if is_list(written) else []
    structured = result.get("structuredContent")
    is_long = structured is not None and tokens(_json(structured)) > most
    if not is_long and sum(map(_cost, items)) <= most:
        return None
    if not items and structured is not None:
        items = [{"type": "text", "text": _json(structured)}]
    size = size_of(len(_json(result).encode("utf-8", "surrogatepass")))
    words = f"[This is not all of it: the whole result, {size}, can be read as the resource {uri}]"
    link: JSON = {
        "type": "resource_link",
        "uri": uri,
        "name": "The whole result",
        "description": f"What was cut from this answer, {size} in all",
    }
    kept = [*_fitting(items, most), {"type": "text", "text": words}, link]
    short = {**result, "content": kept}
    if is_long:
        del short["structuredContent"]
    return short


def contents(result: Mapping[str, JSON], uri: str) -> list[JSON]:
    """All of it, as what reading a resource gives; what is not alone has its number behind the address."""
    found: list[dict[str, JSON]] = []
    for part in told(result):
        match part:
            case Text(text):
                found.append({"mimeType": "text/plain", "text": text})
            case EmbeddedText(_, text, mime):
                found.append({"mimeType": mime or "text/plain", "text": text})
            case Image(data, mime) | Audio(data, mime) | EmbeddedBlob(_, data, mime):
                found.append({"mimeType": mime or "application/octet-stream", "blob": data})
            case Structured(value) | Unknown(value):
                found.append({"mimeType": "application/json", "text": _json(value)})
            case Link(address, name):
                found.append({"mimeType": "text/plain", "text": f"{name} <{address}>"})
    alone = len(found) == 1
    return [{"uri": uri if alone else f"{uri}#{n}", **each} for n, each in enumerate(found, 1)]


def _fitting(items: list[JSON], room: int) -> Iterator[JSON]:
    for item in items:
        cost = _cost(item)
        if cost > room:
            item = _cut(item, room)  # noqa: PLW2901 - it stands for what it was
            cost = _cost(item)
        room = max(room - cost, 0)
        yield item


def _cut(item: JSON, room: int) -> JSON:
    """Text loses its middle; everything else is whole or not there."""
    match item:
        case {"type": "text", "text": str(text)} if room >= _LEAST:
            return {**item, "text": _without_middle(text, room)}
        case {"type": "resource", "resource": {"text": str(text)} as inner} if room >= _LEAST:
            return {**item, "resource": {**inner, "text": _without_middle(text, room)}}
        case {"type": str(kind)}:
            return {"type": "text", "text": f"[{kind[:40]}: left out]"}
        case _:
            return {"type": "text", "text": "[left out]"}


def _without_middle(text: str, room: int) -> str:
    return truncate(text, _MOST_LINES, (room - _LEAST // 2) * _BYTES_PER_TOKEN).text


def _cost(item: JSON) -> int:
    part = parts({"content": [item]})[0] if is_map(item) else Unknown(item)
    match part:
        case Text(text) | EmbeddedText(text=text):
            return tokens(text)
        case Image() | Audio():
            return _PICTURE
        case _:
            return tokens(_json(item))


def _json(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
