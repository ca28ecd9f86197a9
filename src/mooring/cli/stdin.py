"""Everything that is piped into a command."""

from __future__ import annotations

import sys

from mooring.errors import UsageError

__all__ = ["whole_stdin"]

_MOST = 8 * 1024 * 1024


def whole_stdin() -> str:
    if sys.stdin is None or sys.stdin.isatty():  # pyright: ignore[reportUnnecessaryComparison]
        raise UsageError("Nothing is piped into this command", hint="echo '{}' | mooring …")
    content = sys.stdin.buffer.read(_MOST + 1)
    if len(content) > _MOST:
        raise UsageError(f"stdin holds more than {_MOST // 1024 // 1024} MiB", hint="Name a file with @FILE")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise UsageError("stdin is no UTF-8 text", hint="Save it as UTF-8 first") from error
