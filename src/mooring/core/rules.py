"""Permission rules, read from the configuration in the order in which they count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from mooring.core.frozen import frozen
from mooring.core.values import JSON, is_map
from mooring.errors import BadValue

__all__ = ["Author", "Effect", "Rule", "rules_of"]

_EDITING = frozenset({"write", "edit", "patch", "multiedit"})


class Effect(StrEnum):
    """What happens to a call."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Author(StrEnum):
    """Whose word a rule is."""

    BUILTIN = "built-in"
    GLOBAL = "global"
    AGENT = "agent"
    SESSION = "session"
    MESSAGE = "message"

    @property
    def is_configured(self) -> bool:
        """Written in a configuration file, where no client can reach."""
        return self in (Author.GLOBAL, Author.AGENT)


@frozen
class Rule:
    """`permission` selects tools, `pattern` what they are used on; both are wildcards."""

    permission: str
    pattern: str
    effect: Effect
    author: Author = Author.SESSION

    def __str__(self) -> str:
        what = self.permission if self.pattern == "*" else f"{self.permission} {self.pattern}"
        return f"{what}: {self.effect}"


def rules_of(
    section: Mapping[str, JSON], author: Author = Author.GLOBAL, *, where: str = "", home: str = ""
) -> tuple[Rule, ...]:
    """The rules of `permission` and the older `tools` in one place; `where` names it in errors.

    A `tools` entry gives its key a position; a `permission` entry of the same key gives it the value.
    """
    merged: dict[str, JSON] = {}
    for name, on in _map(section.get("tools"), f"{where}tools").items():
        if not isinstance(on, bool):
            raise BadValue(f"`{where}tools.{name}` is neither `true` nor `false`", hint="Write true or false")
        merged["edit" if name in _EDITING else name] = Effect.ALLOW if on else Effect.DENY
    permission = section.get("permission")
    if isinstance(permission, str):
        permission = {"*": permission}
    merged.update(_map(permission, f"{where}permission"))
    return tuple(
        Rule(name, _expanded(pattern, home), effect, author)
        for name, value in merged.items()
        for pattern, effect in _patterns(value, f"{where}permission.{name}")
    )


def _patterns(value: JSON, where: str) -> Iterator[tuple[str, Effect]]:
    if is_map(value):
        for pattern, effect in value.items():
            yield pattern, _effect(effect, f"{where}.{pattern}")
    else:
        yield "*", _effect(value, where)


def _effect(value: JSON, where: str) -> Effect:
    # A mistyped `deny` that was skipped would open what it was meant to close.
    if isinstance(value, str) and value in (Effect.ALLOW, Effect.ASK, Effect.DENY):
        return Effect(value)
    raise BadValue(f"`{where}` is not an effect", hint="Write allow, ask or deny")


def _map(value: JSON, where: str) -> Mapping[str, JSON]:
    if value is None:
        return {}
    if not is_map(value):
        raise BadValue(f"`{where}` is not a map", hint='Write {"NAME": …}, one entry for each tool')
    return value


def _expanded(pattern: str, home: str) -> str:
    if not home:
        return pattern
    if pattern == "~" or pattern.startswith("~/"):
        return home + pattern[1:]
    if pattern.startswith("$HOME"):
        return home + pattern[len("$HOME") :]
    return pattern
