"""An entry of ours in the words of the client whose file it goes into."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from mooring.config.places import Dialect
from mooring.core.values import is_list, is_map

__all__ = ["SECONDS", "TOOL_LISTS", "key_in", "referring", "seconds", "spelled"]

SECONDS = MappingProxyType({"start": "startup_timeout_sec", "call": "tool_timeout_sec"})
TOOL_LISTS = MappingProxyType({"include": "enabled_tools", "exclude": "disabled_tools"})

# What stands behind a `$` is a reference of the client's already.
_ENV = re.compile(r"(?<!\$)\{env:([A-Za-z_][A-Za-z0-9_]*(?::-[^{}]*)?)\}")
_PLAIN = re.compile(r"(?<!\$)\{(?:env:[A-Za-z_][A-Za-z0-9_]*|input:[^{}:]+)\}")
_CLAUDE = {"environment": "env", "headersCommand": "headersHelper"}
_KEYS: Mapping[Dialect, Mapping[str, str]] = {
    Dialect.NATIVE: {},
    Dialect.CLAUDE: _CLAUDE,
    Dialect.CURSOR: _CLAUDE,
    Dialect.VSCODE: {"environment": "env"},
    Dialect.CODEX: {"environment": "env", "headers": "http_headers", "inherit": "env_vars"},
}


def key_in(dialect: Dialect, key: str) -> str:
    """One key in a client's words."""
    return _KEYS[dialect].get(key, key)


def seconds(milliseconds: Any) -> Any:
    """What is no number stays, for whoever reads it to refuse."""
    if not isinstance(milliseconds, int):
        return milliseconds
    return milliseconds // 1000 if milliseconds % 1000 == 0 else milliseconds / 1000


def spelled(entry: Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
    """An entry of `type`, `command` (a list), `url` and the rest, as `dialect` writes it.

    OpenCode reads our native files too, so they hold its own shape: `type` and a list for `command`.
    """
    if dialect is Dialect.NATIVE:
        return dict(entry)
    found: dict[str, Any] = {}
    for key, value in entry.items():
        match key:
            case "type":
                kind = "stdio" if value == "local" else entry.get("transport", "http").replace("auto", "http")
                found |= {} if dialect is Dialect.CODEX else {"type": kind}
            case "command" if is_list(value) and value:
                found |= {"command": value[0], "args": value[1:]}
            case "transport":
                continue
            case "timeout" | "tools" if dialect is Dialect.CODEX:
                found |= dict(_in_codex(key, value))
            case "enabled" if dialect in (Dialect.CLAUDE, Dialect.CURSOR):
                found["disabled"] = not value
            case _:
                found[key_in(dialect, key)] = value
    return referring(found, dialect)


def referring(value: Any, dialect: Dialect) -> Any:
    """A value whose references the client fills in too, as far as it has a word for them."""
    if is_map(value):
        return {key: referring(item, dialect) for key, item in value.items()}
    if is_list(value):
        return [referring(item, dialect) for item in value]
    if not isinstance(value, str) or "{" not in value:
        return value
    match dialect:
        case Dialect.CLAUDE:
            return _ENV.sub(lambda named: f"${{{named[1]}}}", value)
        case Dialect.CURSOR | Dialect.VSCODE:
            return _PLAIN.sub(r"$\g<0>", value)
        case _:
            return value


def _in_codex(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Codex knows two of our budgets; a list of tools is the ones that exist."""
    if key == "timeout":
        budgets = value if is_map(value) else dict.fromkeys(SECONDS, value)
        yield from ((word, seconds(budgets[name])) for name, word in SECONDS.items() if name in budgets)
    else:
        lists = value if is_map(value) else {"include": value}
        yield from ((word, lists[name]) for name, word in TOOL_LISTS.items() if name in lists)
