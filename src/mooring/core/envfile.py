"""What a file of NAME=value lines says, as shells and other programs read it."""

from __future__ import annotations

import re

__all__ = ["assignments"]

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*(.*)")
_COMMENT = re.compile(r"\s+#.*")


def assignments(text: str) -> dict[str, str]:
    """The values by name; a line that says nothing is passed over, the last one of a name counts."""
    found = (_LINE.fullmatch(line) for line in text.splitlines())
    return {match[1]: _unquoted(match[2].strip()) for match in found if match}


def _unquoted(value: str) -> str:
    """Quotes protect everything inside; without them a comment ends the value."""
    if len(value) > 1 and value[0] in "'\"":
        end = value.find(value[0], 1)
        if end > 0:
            inner = value[1:end]
            return inner.replace("\\n", "\n") if value[0] == '"' else inner
    return _COMMENT.sub("", value)
