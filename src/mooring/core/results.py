"""The result of a call as a model reads it, and an error of ours in the same shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from mooring.core.parts import (
    Audio,
    EmbeddedBlob,
    EmbeddedText,
    Image,
    Link,
    Part,
    Structured,
    Text,
    Unknown,
    parts,
)
from mooring.core.redact import clean
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import MooringError

__all__ = ["as_text", "error_result", "is_error", "size_of", "told"]


def is_error(result: Mapping[str, JSON]) -> bool:
    """Whether the tool itself said that it failed."""
    return result.get("isError") is True


def as_text(result: Mapping[str, JSON]) -> str:
    """A result as a model should read it, nothing twice and nothing missing.

    The texts themselves stay as they are: they may be a file that is edited and written back.
    """
    shown = map(_shown, told(result))
    text = "\n\n".join(part for part in shown if part)
    return "The tool reported an error and gave no reason" if is_error(result) and not text else text


def told(result: Mapping[str, JSON]) -> tuple[Part, ...]:
    """Its parts, without structured content that its texts already are."""
    found = parts(result)
    texts = [part.text for part in found if isinstance(part, Text)]
    return tuple(part for part in found if not (isinstance(part, Structured) and _repeats(texts, part.value)))


def size_of(size: int) -> str:
    """So many bytes, in words."""
    if size < 1000:
        return f"{size} B"
    return f"{-(-size // 1000)} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def _shown(part: Part) -> str:
    match part:
        case Text(text) | EmbeddedText(text=text):
            return text
        case Image(data, mime):
            return f"[image: {_about(mime, _bytes_in(data))}]"
        case Audio(data, mime):
            return f"[audio: {_about(mime, _bytes_in(data))}]"
        case EmbeddedBlob(uri, data, mime):
            return f"[resource: {_line(uri)} ({_about(mime, _bytes_in(data))})]"
        case Link(uri, name, description, mime, size):
            known = _about(mime, size)
            words = (
                name,
                f"<{uri}>",
                f"({known})" if known else "",
                f"- {description}" if description else "",
            )
            return f"[link: {_line(' '.join(word for word in words if word))}]"
        case Structured(value):
            return json.dumps(value, ensure_ascii=False, indent=2)
        case Unknown(raw):
            kind = raw.get("type") if is_map(raw) else None
            named = isinstance(kind, str) and _line(kind)
            return f"[content of an unknown type: `{named}`]" if named else "[content without a type]"
        case _:
            assert_never(part)


def _repeats(texts: Sequence[str], value: JSON) -> bool:
    """Whether the texts already are the structured content.

    Servers send both, for clients that know only one. A value that is no object travels as {"result": value},
    and a list may have become one text for each of its items.
    """
    candidates = [value]
    if is_map(value) and value.keys() == {"result"}:
        candidates.append(value["result"])
    return any(
        any(_says(text, candidate) for text in texts)
        or (is_list(candidate) and len(candidate) == len(texts) and all(map(_says, texts, candidate)))
        for candidate in candidates
    )


def _says(text: str, value: JSON) -> bool:
    if isinstance(value, str) and text == value:
        return True
    try:
        return bool(json.loads(text) == value)
    except (ValueError, RecursionError):
        return False


def error_result(error: MooringError, suggestions: Sequence[str] = ()) -> dict[str, JSON]:
    """One of our errors as the result of a call, so that a model can read it and go on."""
    body: dict[str, JSON] = {
        "error": {"code": error.code, "message": clean(error.sentence), "hint": clean(error.hint)},
        "suggestions": [clean(suggestion) for suggestion in suggestions],
    }
    text = json.dumps(body, ensure_ascii=False, indent=2)
    return {"content": [{"type": "text", "text": text}], "structuredContent": body, "isError": True}


def _line(text: str) -> str:
    return " ".join(clean(text).split())


def _bytes_in(base64: str) -> int:
    return max(len(base64) * 3 // 4 - base64[-2:].count("="), 0)


def _about(mime: str, size: int | None) -> str:
    return ", ".join(_known(mime, size))


def _known(mime: str, size: int | None) -> Iterator[str]:
    if mime:
        yield _line(mime)
    if size is not None:
        yield size_of(size)
