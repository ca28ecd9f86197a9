"""What came back from a call, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from mooring.core.frozen import frozen
from mooring.core.values import JSON, is_list, is_map

__all__ = [
    "Audio",
    "EmbeddedBlob",
    "EmbeddedText",
    "Image",
    "Link",
    "Part",
    "Structured",
    "Text",
    "Unknown",
    "parts",
]


@frozen
class Text:
    text: str


@frozen
class Image:
    """`data` is Base64, here and below."""

    data: str
    mime: str


@frozen
class Audio:
    data: str
    mime: str


@frozen
class Link:
    """A resource that is only pointed at; nobody follows it unasked."""

    uri: str
    name: str
    description: str = ""
    mime: str = ""
    size: int | None = None


@frozen
class EmbeddedText:
    uri: str
    text: str
    mime: str = ""


@frozen
class EmbeddedBlob:
    uri: str
    data: str
    mime: str = "application/octet-stream"


@frozen
class Structured:
    value: JSON


@frozen
class Unknown:
    """Of a kind that a later protocol may know, or damaged; kept as it came."""

    raw: JSON


Part: TypeAlias = Text | Image | Audio | Link | EmbeddedText | EmbeddedBlob | Structured | Unknown


def parts(result: Mapping[str, JSON]) -> tuple[Part, ...]:
    """Everything in a result; what cannot be understood is `Unknown`, never an error and never lost.

    What was read is a list of contents, what a prompt says a list of messages: these are parts too.
    """
    content = result.get("content")
    items = content if is_list(content) else [] if content is None else [content]
    if content is None:
        items = [*_read(result.get("contents")), *_said(result.get("messages"))]
    structured = (Structured(result["structuredContent"]),) if "structuredContent" in result else ()
    return (*(_part(item) for item in items), *structured)


def _read(contents: JSON) -> Iterator[JSON]:
    for item in contents if is_list(contents) else []:
        yield {"type": "resource", "resource": item}


def _said(messages: JSON) -> Iterator[JSON]:
    for message in messages if is_list(messages) else []:
        said = message.get("content") if is_map(message) else message
        yield from said if is_list(said) else [said]


def _part(item: JSON) -> Part:
    match item:
        case {"type": "text", "text": str(text)}:
            return Text(text)
        case {"type": "image", "data": str(data)}:
            return Image(data, _text(item, "mimeType"))
        case {"type": "audio", "data": str(data)}:
            return Audio(data, _text(item, "mimeType"))
        case {"type": "resource_link", "uri": str(uri)}:
            size = item.get("size")
            return Link(
                uri,
                _text(item, "title") or _text(item, "name"),
                _text(item, "description"),
                _text(item, "mimeType"),
                size if isinstance(size, int) else None,
            )
        case {"type": "resource", "resource": {"uri": str(uri), "text": str(text)} as inner}:
            return EmbeddedText(uri, text, _text(inner, "mimeType"))
        case {"type": "resource", "resource": {"uri": str(uri), "blob": str(blob)} as inner}:
            return EmbeddedBlob(uri, blob, _text(inner, "mimeType") or "application/octet-stream")
        case _:
            return Unknown(item)


def _text(item: Mapping[str, JSON], key: str) -> str:
    value = item.get(key)
    return value if isinstance(value, str) else ""
