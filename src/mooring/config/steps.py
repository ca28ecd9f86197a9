"""Which keys of an entry to write or drop, so that it says a value in the words it already uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from mooring.config.keys import OAUTH, SERVER, TIMEOUTS, TOOLS, Key
from mooring.config.places import Dialect
from mooring.config.spell import SECONDS, TOOL_LISTS, key_in, seconds
from mooring.core.frozen import frozen
from mooring.core.values import is_list, is_map
from mooring.errors import BadKey

__all__ = ["Drop", "Put", "Step", "steps"]

Path = tuple[str, ...]
Entry: TypeAlias = Mapping[str, Any]


@frozen
class Put:
    """A value written at a path inside the entry."""

    path: Path
    value: Any


@frozen
class Drop:
    """A path inside the entry that would say something else."""

    path: Path


Step: TypeAlias = Put | Drop

_BUDGETS = {"start": ("startup_timeout_sec", "startup_timeout_ms"), "call": ("tool_timeout_sec",)}
_FILTERS = {
    "include": ("enabled_tools", "includeTools"),
    "exclude": ("disabled_tools", "disabledTools", "excludeTools"),
}


def steps(there: Entry, dialect: Dialect, path: Path, value: Any) -> Iterator[Step]:
    """How to set `path`, which begins with one of our own keys, in an entry that says `there` now."""
    match path:
        case ("enabled",):
            yield from _switch(there, dialect, value)
        case ("command",):
            yield from _command(there, dialect, value)
        case ("args",):
            yield from _args(there, value)
        case ("timeout", *rest):
            yield from _timeout(there, dialect, rest, value)
        case ("tools", *rest):
            yield from _tools(there, dialect, rest, value)
        case ("oauth", "scope") if is_list(there.get("scopes")):
            yield Put(("scopes",), str(value).split())
        case ("headers", *rest):
            yield from (Drop(other) for other in _other_headers(there, rest))
            yield from _plain(there, dialect, path, value)
        case _:
            yield from _plain(there, dialect, path, value)


def _plain(there: Entry, dialect: Dialect, path: Path, value: Any) -> Iterator[Step]:
    word = _word(SERVER, path[0], there) or key_in(dialect, path[0])
    rest = path[1:]
    old = there.get(word)
    if path[0] == "oauth" and rest:
        rest = (_word(OAUTH, rest[0], old if is_map(old) else {}) or rest[0], *rest[1:])
    if len(rest) == 1 and old is not None and not is_map(old):
        yield Put((word,), {rest[0]: value})
    else:
        yield Put((word, *rest), value)


def _word(keys: tuple[Key, ...], name: str, there: Entry) -> str | None:
    """How the entry spells a key, if it does."""
    key = next((key for key in keys if key.name == name), None)
    words = (key.name, *key.aliases) if key else (name,)
    return next((word for word in words if word in there), None)


def _switch(there: Entry, dialect: Dialect, value: Any) -> Iterator[Step]:
    is_client = dialect in (Dialect.CLAUDE, Dialect.CURSOR)
    if "disabled" not in there and ("enabled" in there or not is_client):
        yield Put(("enabled",), value)
        return
    yield Put(("disabled",), not value)
    if "enabled" in there:
        yield Drop(("enabled",))


def _command(there: Entry, dialect: Dialect, value: Any) -> Iterator[Step]:
    if not is_list(value) or dialect is Dialect.NATIVE:
        yield Put(("command",), value)
        if is_list(value) and "args" in there:
            yield Drop(("args",))
    else:
        yield Put(("command",), value[0])
        yield Put(("args",), value[1:])


def _args(there: Entry, value: Any) -> Iterator[Step]:
    command = there.get("command")
    if is_list(command) and command:
        yield Put(("command",), [command[0], *(value or ())])
        if "args" in there:
            yield Drop(("args",))
    elif is_map(command):
        yield Put(("command", "args"), value)
    else:
        yield Put(("args",), value)


def _timeout(there: Entry, dialect: Dialect, rest: list[str], value: Any) -> Iterator[Step]:
    if not rest:
        yield from (Drop((word,)) for words in _BUDGETS.values() for word in words if word in there)
        if dialect is Dialect.CODEX and value is not None and not is_map(value):
            yield from (Put((word,), seconds(value)) for word in SECONDS.values())
            yield from [Drop(("timeout",))] if "timeout" in there else []
        else:
            yield Put(("timeout",), value)
        return
    part = rest[0]
    word = next((word for word in _BUDGETS.get(part, ()) if word in there), None)
    if dialect is Dialect.CODEX and word is None:
        word = SECONDS.get(part)
        if word is None:
            sentence = f"Codex has no word for `timeout.{part}`"
            raise BadKey(sentence, hint="Say it in a file of your own: --global")
    old = there.get("timeout")
    if word is not None:
        yield Put((word,), seconds(value) if word.endswith("_sec") else value)
    elif old is None or is_map(old):
        yield Put(("timeout", _word(TIMEOUTS, part, old or {}) or part), value)
    else:
        yield Put(("timeout",), {**dict.fromkeys(("start", "list", "call"), old), part: value})


def _tools(there: Entry, dialect: Dialect, rest: list[str], value: Any) -> Iterator[Step]:
    part = rest[0] if rest else "include"
    word = next((word for word in _FILTERS.get(part, ()) if word in there), None)
    if dialect is Dialect.CODEX and word is None:
        word = TOOL_LISTS.get(part)
    old = there.get("tools")
    if not rest and is_map(value):
        for name, item in value.items():
            yield from _tools(there, dialect, [name], item)
    elif word is not None:
        yield Put((word,), value)
    elif is_map(old) or (old is None and rest):
        yield Put(("tools", _word(TOOLS, part, old or {}) or part), value)
    else:
        yield Put(("tools",), value if part == "include" else {"include": old, part: value})


def _other_headers(there: Entry, rest: list[str]) -> Iterator[Path]:
    """Where Codex says a header by the name of a variable."""
    if "bearer_token_env_var" in there and (not rest or rest[0] == "Authorization"):
        yield ("bearer_token_env_var",)
    named = there.get("env_http_headers")
    if not rest and named is not None:
        yield ("env_http_headers",)
    elif rest and is_map(named) and rest[0] in named:
        yield ("env_http_headers", rest[0])
