"""Values and tables as TOML text."""

from __future__ import annotations

import json
import re

from mooring.config.document import KeyPath, dotted
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadValue

__all__ = ["key_text", "pair_text", "refuse_null", "table_lines", "value_text"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def key_text(path: KeyPath) -> str:
    """A dotted key; the numbers of elements are never written."""
    return ".".join(one if _BARE.fullmatch(one) else _string(one) for one in path if isinstance(one, str))


def pair_text(path: KeyPath, value: JSON) -> str:
    """`key = value` on one line."""
    return f"{key_text(path)} = {value_text(value)}"


def value_text(value: JSON) -> str:
    """A value on one line; an object becomes an inline table."""
    if is_map(value):
        return f"{{ {', '.join(pair_text((key,), one) for key, one in value.items())} }}" if value else "{}"
    if is_list(value):
        return f"[{', '.join(value_text(one) for one in value)}]"
    return _string(value) if isinstance(value, str) else json.dumps(value)


def _string(text: str) -> str:
    # What JSON escapes, TOML reads the same way; TOML alone refuses a bare DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def table_lines(path: KeyPath, table: dict[str, JSON]) -> list[str]:
    """`[path]` with its values, then a table for each object inside, each after an empty line."""
    tables = {key: one for key, one in table.items() if is_map(one)}
    values = [pair_text((key,), one) for key, one in table.items() if key not in tables]
    lines = [f"[{key_text(path)}]", *values] if values or not tables else []
    for key, one in tables.items():
        lines += [*([""] if lines else []), *table_lines((*path, key), one)]
    return lines


def refuse_null(value: JSON, where: KeyPath) -> None:
    """TOML has no word for nothing."""
    waiting: list[JSON] = [value]
    while waiting:
        one = waiting.pop()
        if one is None:
            raise BadValue(f"`{dotted(where)}` cannot be null in a TOML file", hint="Remove the key instead")
        waiting.extend(one.values() if is_map(one) else one if is_list(one) else ())
