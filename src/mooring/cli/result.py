"""What came back from a server, as a person reads it."""

from __future__ import annotations

import sys
from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import assert_never

from mooring.cli.colours import coloured
from mooring.cli.keep import Keep
from mooring.cli.pictures import drawn
from mooring.cli.render import document, mark, out, say
from mooring.core.intake import tidy
from mooring.core.parts import Audio, EmbeddedBlob, EmbeddedText, Image, Link, Part, Structured, Text, Unknown
from mooring.core.redact import clean
from mooring.core.results import is_error, size_of, told
from mooring.core.values import JSON, is_list, is_map

__all__ = ["Paper", "show", "show_contents", "show_messages"]


@dataclass(frozen=True, slots=True)
class Paper:
    """Where it is shown: the environment says what the terminal can, `keep` takes what has to be saved."""

    env: Mapping[str, str]
    keep: Keep | None = None
    is_terminal: bool = False

    @staticmethod
    def of(env: Mapping[str, str], keep: Keep | None = None) -> Paper:
        return Paper(env, keep, sys.stdout.isatty())


def show(result: Mapping[str, JSON], paper: Paper) -> None:
    """Data on stdout; what the tool called an error on stderr."""
    if not is_error(result):
        for part in told(result):
            _show(part, paper, out)
        return
    parts = told(result)
    say(f"{mark('error', 'red')} The tool reported an error{':' if parts else ' and gave no reason'}")
    for part in parts:
        _show(part, paper, say)


def show_contents(read: Mapping[str, JSON], paper: Paper) -> None:
    """What was read of a resource: its texts as they are, its bytes saved or named."""
    contents = read.get("contents")
    for each in contents if is_list(contents) else []:
        if is_map(each):
            mime = each.get("mimeType")
            shown = {"type": "resource", "resource": {"uri": "", "mimeType": mime or "", **each}}
            for part in told({"content": [shown]}):
                _show(part, paper, out)


def show_messages(prompt: Mapping[str, JSON], paper: Paper) -> None:
    """What a prompt became, message by message."""
    messages = prompt.get("messages")
    for each in messages if is_list(messages) else []:
        if is_map(each):
            say(mark(tidy(each.get("role"), 40).replace("\n", " ") or "message", "cyan"))
            for part in told({"content": [each.get("content")]}):
                _show(part, paper, out)


def _show(part: Part, paper: Paper, put: Callable[[str], None]) -> None:
    match part:
        case Text(text) | EmbeddedText(text=text):
            put(_text(text, paper))
        case Structured(value):
            text = document(value)
            put(coloured(text) if paper.is_terminal else text)
        case Image(data, mime):
            put(_bytes(data, mime, ("image", mime.removeprefix("image/")), paper))
        case Audio(data, mime):
            put(_bytes(data, mime, ("audio", mime.removeprefix("audio/")), paper))
        case EmbeddedBlob(uri, data, mime):
            put(_bytes(data, mime, ("file", f"{mime} {uri}"), paper))
        case Link(uri, name, description, mime, size):
            known = [mime, size_of(size)] if size is not None else [mime]
            about = ", ".join(each for each in known if each)
            words = (name, f"<{uri}>", f"({about})" if about else "", description)
            put(_line(f"[link {' '.join(word for word in words if word)}]"))
        case Unknown(raw):
            kind = raw.get("type") if is_map(raw) else None
            put(_line(f"[content of an unknown type {kind}]" if kind else "[content without a type]"))
        case _:
            assert_never(part)


def _text(text: str, paper: Paper) -> str:
    """On a terminal nothing in it can act; into a pipe it goes as it came."""
    if not paper.is_terminal:
        return text
    import json

    if text.lstrip()[:1] in ("{", "["):
        try:
            return coloured(document(json.loads(text)))
        except (ValueError, RecursionError):
            pass
    return clean(text)


def _bytes(data: str, mime: str, kind: tuple[str, str], paper: Paper) -> str:
    """Drawn, saved, or named in one line; a picture may be both of the first two."""
    try:
        content = b64decode(data, validate=True)
    except (BadBase64, ValueError):
        return _line(f"[{kind[0]} {kind[1]}: damaged, it is no Base64]")
    about = f"{kind[0]} {kind[1]} {size_of(len(content))}"
    picture = drawn(content, mime, paper.env) if paper.is_terminal else None
    if paper.keep is not None:
        saved = _line(f"[{about}: saved as {paper.keep.put(content, mime)}]")
        return f"{picture}\n{saved}" if picture else saved
    return picture or _line(f"[{about}: --save DIR keeps it]")


def _line(text: str) -> str:
    return " ".join(clean(text).split())
