"""JSON in colour."""

from __future__ import annotations

import re

from mooring.cli.render import mark

__all__ = ["coloured"]

# Rich would need minutes for what some servers send; this is one pass.
_TOKEN = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*+"(?=: ))|(?P<text>"(?:[^"\\]|\\.)*+")'
    r"|(?P<value>-?\d[\d.eE+-]*+|true|false|null)"
)
_COLOURS = {"key": "cyan", "text": "green", "value": "yellow"}
_MOST = 200_000


def coloured(text: str) -> str:
    """What is long is not looked at in colour."""
    if len(text) > _MOST:
        return text
    return _TOKEN.sub(
        lambda found: mark(found.group(), _COLOURS[found.lastgroup or "text"], bold=False), text
    )
