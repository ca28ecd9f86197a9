"""One tool in a line: what it is called, what it must be given, what it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from mooring.core.items import Tool
from mooring.core.tokens import fitting, tokens
from mooring.core.values import JSON, is_list, is_map

__all__ = ["MOST", "outline"]

MOST = 120
_INPUTS = 60
# What ends a sentence, and how much has to stand before it: less would be a heading.
_ENDS = {". ": 24, "! ": 24, "? ": 24, "。": 8}


def outline(name: str, tool: Tool) -> str:
    """At most `MOST` tokens; the whole definition is there for whoever asks."""
    head = f"{name}({_inputs(tool.input_schema)})"
    said = _sentence(tool.description or tool.title)
    return f"{head}: {fitting(said, MOST - tokens(head) - 2)}" if said else head


def _sentence(text: str) -> str:
    """The first one that says something; many descriptions begin with a heading."""
    words = " ".join(text[:2_000].split())
    ends = (words.find(end, shortest) for end, shortest in _ENDS.items())
    end = min((place for place in ends if place >= 0), default=len(words))
    return words[:end].rstrip(".")


def _inputs(schema: Mapping[str, JSON]) -> str:
    required = schema.get("required")
    names = [name for name in required if isinstance(name, str)] if is_list(required) else []
    written = schema.get("properties")
    fields = written if is_map(written) else {}
    shown: list[str] = []
    room = _INPUTS
    for each in _typed(names, fields):
        room -= tokens(each) + 1
        if room < 0:
            break
        shown.append(each)
    left = len(names) - len(shown)
    optional = len(fields.keys() - set(names))
    shown += [f"{left} more required"] * bool(left) + [f"{optional} optional"] * bool(optional)
    return ", ".join(shown)


def _typed(names: list[str], fields: Mapping[str, JSON]) -> Iterator[str]:
    for name in names:
        field = fields.get(name)
        kind = _kind(field) if is_map(field) else ""
        yield f"{name[:64]}: {kind}" if kind else name[:64]


def _kind(field: Mapping[str, JSON]) -> str:
    choices, kind = field.get("enum"), field.get("type")
    if is_list(choices) and 0 < len(choices) < 6 and all(isinstance(each, str) for each in choices):
        joined = "|".join(str(each) for each in choices)
        if len(joined) < 60:
            return joined
    if is_list(kind):
        return "|".join(each for each in islice(kind, 4) if isinstance(each, str))[:40]
    return kind[:40] if isinstance(kind, str) else ""
