"""A value as JSON text, in the style of the file that it goes into."""

from __future__ import annotations

import json
import re

from mooring.config.jsonc_scan import Value
from mooring.config.splice import newline_of
from mooring.core.frozen import frozen
from mooring.core.values import JSON, is_list, is_map

__all__ = ["Style", "begins_line", "indent_at", "line_start", "render", "render_inline", "style_of"]

_WIDTH = 80
_INDENT = re.compile(r"[ \t]*")


@frozen
class Style:
    """How the people of this file write it."""

    unit: str
    newline: str
    colon: str


def style_of(text: str, root: Value) -> Style:
    """Taken from the first member that begins a line, and the first that has a colon."""
    unit = colon = None
    waiting: list[Value] = [root]
    while waiting and unit is None:
        container = waiting.pop()
        outer = indent_at(text, container.start)
        for member in container.members or ():
            if colon is None and isinstance(member.name, str):
                colon = ": " if text[member.value.start - 1] in " \t\r\n/" else ":"
            inner = indent_at(text, member.start)
            if (
                unit is None
                and begins_line(text, member.start)
                and inner.startswith(outer)
                and inner != outer
            ):
                unit = inner[len(outer) :]
        waiting.extend(member.value for member in reversed(container.members or ()) if member.value.members)
    return Style(unit or "  ", newline_of(text), colon or ": ")


def begins_line(text: str, offset: int) -> bool:
    """Whether there is nothing but white space before it."""
    return offset - line_start(text, offset) == len(indent_at(text, offset))


def line_start(text: str, offset: int) -> int:
    """Where the line of `offset` begins."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def indent_at(text: str, offset: int) -> str:
    """The white space that the line of `offset` begins with."""
    match = _INDENT.match(text, line_start(text, offset), offset)
    return match.group() if match else ""


def render(value: JSON, style: Style, indent: str) -> str:
    """Over several lines; lists of plain values stay on one where they fit."""
    inner = indent + style.unit
    if is_map(value) and value:
        lines = [f"{_scalar(key)}{style.colon}{render(one, style, inner)}" for key, one in value.items()]
    elif is_list(value) and value:
        flat = render_inline(value, style)
        if len(flat) <= _WIDTH and not any(is_map(one) or is_list(one) for one in value):
            return flat
        lines = [render(one, style, inner) for one in value]
    else:
        return _scalar(value)
    opening, closing = "{}" if is_map(value) else "[]"
    between = f",{style.newline}{inner}"
    return f"{opening}{style.newline}{inner}{between.join(lines)}{style.newline}{indent}{closing}"


def render_inline(value: JSON, style: Style) -> str:
    """On one line, whatever its length."""
    if is_map(value) and value:
        members = [f"{_scalar(key)}{style.colon}{render_inline(one, style)}" for key, one in value.items()]
        return f"{{ {', '.join(members)} }}" if style.colon == ": " else f"{{{','.join(members)}}}"
    if is_list(value) and value:
        elements = [render_inline(one, style) for one in value]
        return f"[{(', ' if style.colon == ': ' else ',').join(elements)}]"
    return _scalar(value)


def _scalar(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False)
