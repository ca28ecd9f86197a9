"""What each client's keys mean in ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

from mooring.config.keys import OAUTH, SERVER, TIMEOUTS, TOOLS, Key
from mooring.core.values import is_list, is_map, is_number

__all__ = ["INNER", "KNOWN", "TRANSPORTS", "Piece", "budgets", "respell"]

Raw: TypeAlias = Mapping[str, Any]
Rule: TypeAlias = "Callable[[str, Any], Iterator[Piece]]"


class Piece(NamedTuple):
    """A value, where it belongs in our shape, and where it stood in the entry."""

    target: tuple[str, ...]
    value: Any
    path: tuple[str | int, ...]


# (kind, transport) for the words that others write in `type` and `transport`
TRANSPORTS = {
    "stdio": ("local", None),
    "http": ("remote", "http"),
    "streamable-http": ("remote", "http"),
    "streamableHttp": ("remote", "http"),
    "streamable_http": ("remote", "http"),
    "sse": ("remote", "sse"),
}


def _spellings(keys: tuple[Key, ...]) -> dict[str, str]:
    return {spelling: key.name for key in keys for spelling in (key.name, *key.aliases)}


_SERVER, _TIMEOUTS, _TOOLS, _OAUTH = (_spellings(keys) for keys in (SERVER, TIMEOUTS, TOOLS, OAUTH))


def respell(raw: Raw) -> Iterator[Piece]:
    """The entry in our keys; a key that nobody knows passes through under its own name."""
    if "command" in raw:
        yield from _command(raw)
    for key, value in raw.items():
        name = _SERVER.get(key, key)
        if name in _RULES:
            yield from _RULES[name](key, value)
        elif "command" not in raw or name not in ("command", "args"):
            yield Piece((name,), value, (key,))


def budgets(value: Any, path: tuple[str | int, ...]) -> Iterator[Piece]:
    """Timeouts: one number is all of them, except the ceiling."""
    if is_map(value):
        yield from _renamed("timeout", _TIMEOUTS, value, path)
    else:
        yield from (Piece(("timeout", name), value, path) for name in ("start", "list", "call"))


def _renamed(
    name: str, spellings: Mapping[str, str], value: Raw, path: tuple[str | int, ...]
) -> Iterator[Piece]:
    if not value:
        yield Piece((name,), value, path)
    for key, item in value.items():
        yield Piece((name, spellings.get(key, str(key))), item, (*path, key))


def _command(raw: Raw) -> Iterator[Piece]:
    """`command` as a list, as a text beside `args`, or as Zed's map of both; always sets both."""
    value, args = raw["command"], raw.get("args")
    if args is None:
        args = list[Any]()
    path: tuple[str | int, ...] = ("command",)
    if is_map(value):
        if "env" in value:
            yield Piece(("environment",), value["env"], (*path, "env"))
        path = (*path, "path") if "path" in value else path
        args, value = value.get("args", args), value.get("path")
    if is_list(value) and value and is_list(args):
        args = [*value[1:], *args]
        value = value[0]
    yield Piece(("command",), value, path)
    yield Piece(("args",), args, ("args",) if "args" in raw else ("command",))


def _oauth(key: str, value: Any) -> Iterator[Piece]:
    if not is_map(value):
        yield Piece(("oauth",), value, (key,))
        return
    for piece in _renamed("oauth", _OAUTH, value, (key,)):
        yield piece._replace(value=_spaced(piece.value)) if piece.target[-1] == "scope" else piece


def _auth(key: str, value: Any) -> Iterator[Piece]:
    """Cursor's word for a client that is registered beforehand."""
    ours = {"CLIENT_ID": "clientId", "CLIENT_SECRET": "clientSecret", "scopes": "scope"}
    for name, item in value.items() if is_map(value) else ():
        target = ("oauth", ours[name]) if name in ours else (key, str(name))
        yield Piece(target, _spaced(item) if name == "scopes" else item, (key, name))


def _spaced(scopes: Any) -> Any:
    """Scopes in a list as the text that a server is asked with."""
    return " ".join(map(str, scopes)) if is_list(scopes) else scopes


def _tools(key: str, value: Any) -> Iterator[Piece]:
    """Codex keeps approvals under the names of single tools here, which say nothing of what exists."""
    if is_map(value):
        ours = {name: item for name, item in value.items() if not is_map(item)}
        yield from _renamed("tools", _TOOLS, ours, (key,)) if ours or not value else ()
    else:
        yield Piece(("tools", "include"), value, (key,))


def _headers_command(key: str, value: Any) -> Iterator[Piece]:
    """One client writes this as one text."""
    if isinstance(value, str):
        import shlex  # noqa: PLC0415 - rarely needed

        try:
            value = shlex.split(value)
        except ValueError:
            value = [value]
    yield Piece(("headersCommand",), value, (key,))


def _disabled(key: str, value: Any) -> Iterator[Piece]:
    yield Piece(("enabled",), not value if isinstance(value, bool) else value, (key,))


def _http_url(key: str, value: Any) -> Iterator[Piece]:
    yield Piece(("url",), value, (key,))
    if key == "httpUrl":
        yield Piece(("transport",), "http", (key,))


def _bearer(key: str, value: Any) -> Iterator[Piece]:
    yield Piece(("headers", "Authorization"), f"Bearer {{env:{value}}}", (key,))


def _env_headers(key: str, value: Any) -> Iterator[Piece]:
    for name, variable in value.items() if is_map(value) else ():
        yield Piece(("headers", name), f"{{env:{variable}}}", (key, name))


def _seconds(name: str) -> Rule:
    def rule(key: str, value: Any) -> Iterator[Piece]:
        milliseconds = value * 1000 if is_number(value) else value
        whole = isinstance(milliseconds, float) and isfinite(milliseconds)
        yield Piece(("timeout", name), round(milliseconds) if whole else milliseconds, (key,))

    return rule


def _put(*target: str) -> Rule:
    def rule(key: str, value: Any) -> Iterator[Piece]:
        yield Piece(target, value, (key,))

    return rule


def _inherit(key: str, value: Any) -> Iterator[Piece]:
    """Codex names a variable as a text, or as a map that also says where it is."""
    if is_list(value):
        value = [item.get("name") if is_map(item) else item for item in value]
    yield Piece(("inherit",), value, (key,))


def _scopes(key: str, value: Any) -> Iterator[Piece]:
    yield Piece(("oauth", "scope"), _spaced(value), (key,))


_RULES: dict[str, Rule] = {
    "auth": _auth,
    "bearer_token_env_var": _bearer,
    "disabled": _disabled,
    "disabledTools": _put("tools", "exclude"),
    "disabled_tools": _put("tools", "exclude"),
    "enabled_tools": _put("tools", "include"),
    "env_http_headers": _env_headers,
    "excludeTools": _put("tools", "exclude"),
    "headersCommand": _headers_command,
    "inherit": _inherit,
    "includeTools": _put("tools", "include"),
    "oauth": _oauth,
    "scopes": _scopes,
    "startup_timeout_ms": _put("timeout", "start"),
    "startup_timeout_sec": _seconds("start"),
    "timeout": lambda key, value: budgets(value, (key,)),
    "tool_timeout_sec": _seconds("call"),
    "tools": _tools,
    "url": _http_url,
}

# Keys of other clients that change nothing here and are no mistakes either.
_FOREIGN = """
always_allow alwaysAllow alwaysLoad approval_mode auto_approve autoApprove codemode
default_tools_approval_mode description dev displayName experimental_environment gallery icon
includeInContext label sandbox sandboxEnabled settings source supports_parallel_tool_calls title
version
"""

KNOWN = frozenset((*_SERVER, *_RULES, *_FOREIGN.split()))
INNER = {"timeout": frozenset(_TIMEOUTS), "oauth": frozenset(_OAUTH), "tools": frozenset(_TOOLS)}
