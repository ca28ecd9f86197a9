"""What one source says besides its servers; a value that cannot be understood never opens anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mooring.config.check import fits, mistyped, words
from mooring.config.document import KeyPath, dotted
from mooring.config.keys import OWN, TIMEOUTS, TOP
from mooring.config.notes import Note
from mooring.core.rules import Effect
from mooring.core.values import is_map
from mooring.errors import BadValue, IgnoredValue

__all__ = ["is_budget", "no_budget", "not_theirs", "understood", "without_nulls"]

_TOP = {key.name: key for key in TOP}
_OWN = {key.name: key for key in OWN}
_EFFECTS = ("allow", "ask", "deny")
_BUDGETS = tuple(key.name for key in TIMEOUTS)
_BUDGET = TIMEOUTS[0]


def understood(key: str, value: Any, notes: list[Note]) -> Any:
    """The value as it may be used; None where nothing is left of it, so that weaker layers show through.

    A permission that is no permission counts as `deny`, a switch that is no switch as `false`.
    """
    if value is None or key not in _TOP:
        return value
    match key:
        case "permission":
            return _permission((key,), value, notes)
        case "tools":
            return _tools((key,), value, notes)
        case "agent":
            return _map((key,), value, notes, _agent)
        case "experimental" if is_map(value):
            return _budgets(key, value, notes)
        case "mooring" if is_map(value):
            return _choices(_budgets(key, value, notes), notes)
        case _ if fits(_TOP[key], value):
            return value
        case _:
            return _dropped(key, notes)


def without_nulls(value: Any) -> Any:
    """A null has done its work, which is to unset what lay below, once all layers are together."""
    if not is_map(value):
        return value
    return {key: without_nulls(item) for key, item in value.items() if item is not None}


def _dropped(key: str, notes: list[Note]) -> None:
    error = mistyped(BadValue, key, _TOP[key], None)
    notes.append(Note(BadValue, (key,), error.sentence, error.hint))


def _permission(path: KeyPath, value: Any, notes: list[Note]) -> Any:
    """An effect, or a map of effects, or a map of such maps."""
    if value is None or (isinstance(value, str) and value in _EFFECTS):
        return value
    if is_map(value) and len(path) < _depth(path):
        return {name: _permission((*path, name), item, notes) for name, item in value.items()}
    sentence = f"`{dotted(path)}` is not an effect, and counts as `deny`"
    notes.append(Note(BadValue, path, sentence, "Write allow, ask or deny"))
    return Effect.DENY.value


def _depth(path: KeyPath) -> int:
    """How deep maps may be: `permission.TOOL.PATTERN`, below `agent.NAME` for one agent."""
    return 3 + 2 * (path[0] == "agent")


def _tools(path: KeyPath, value: Any, notes: list[Note]) -> Any:
    return _map(path, value, notes, _switch)


def _switch(path: KeyPath, value: Any, notes: list[Note]) -> Any:
    if value is None or isinstance(value, bool):
        return value
    sentence = f"`{dotted(path)}` is neither `true` nor `false`, and counts as `false`"
    notes.append(Note(BadValue, path, sentence, "Write true or false"))
    return False


def _agent(path: KeyPath, value: Any, notes: list[Note]) -> Any:
    rules = {"permission": _permission, "tools": _tools}

    def one(inner: KeyPath, item: Any, notes: list[Note]) -> Any:
        rule = rules.get(str(inner[-1]))
        return rule(inner, item, notes) if rule else item

    return _map(path, value, notes, one)


def _map(
    path: KeyPath, value: Any, notes: list[Note], each: Callable[[KeyPath, Any, list[Note]], Any]
) -> Any:
    """A map with each of its values understood; anything else is left out, except a null."""
    if value is None:
        return None
    if not is_map(value):
        notes.append(Note(BadValue, path, f"`{dotted(path)}` should be a map", f'"{path[-1]}": {{…}}'))
        return None
    found = {name: (item, each((*path, name), item, notes)) for name, item in value.items()}
    return {name: after for name, (before, after) in found.items() if before is None or after is not None}


def _budgets(key: str, value: Mapping[str, Any], notes: list[Note]) -> dict[str, Any]:
    """Timeouts for servers that say nothing themselves."""
    kept = dict(value)
    if key == "experimental":
        _keep_budget(kept, "mcp_timeout", (key,), notes)
    elif is_map(kept.get("timeout")):
        kept["timeout"] = dict(kept["timeout"])
        for name in _BUDGETS:
            _keep_budget(kept["timeout"], name, (key, "timeout"), notes)
    else:
        _keep_budget(kept, "timeout", (key,), notes)
    return kept


# A word that is none of those that are known counts as this one.
_STRICTEST = {"pins": "block", "credentials": "keyring"}


def _choices(values: dict[str, Any], notes: list[Note]) -> dict[str, Any]:
    """A mistyped choice is never a reason to be laxer than any of those that were meant."""
    for key, strictest in _STRICTEST.items():
        if values.get(key) is not None and not fits(_OWN[key], values[key]):
            values[key] = strictest
            meant = words(_OWN[key].type)
            sentence = f"`mooring.{key}` should be {meant}, and counts as `{strictest}`"
            notes.append(Note(BadValue, ("mooring", key), sentence, f'Write "{key}": "{strictest}"'))
    return values


def not_theirs(key: str, value: Any, notes: list[Note]) -> Any:
    """The value as a stranger may say it: a project or organisation can make choices stricter, no laxer."""
    if key != "mooring":
        return value
    if value is None:
        return {name: None for name in _OWN if name not in _STRICTEST}
    if not is_map(value):
        return value
    kept = dict(value)
    for name, strictest in _STRICTEST.items():
        if name in kept and kept[name] != strictest:
            sentence = f"`mooring.{name}` has no effect in a file that is not your own"
            notes.append(Note(IgnoredValue, ("mooring", name), sentence, "Say it in your global file"))
            del kept[name]
    return kept


def _keep_budget(values: dict[str, Any], name: str, path: KeyPath, notes: list[Note]) -> None:
    if not is_budget(values.get(name)):
        del values[name]
        notes.append(no_budget((*path, name)))


def is_budget(value: Any) -> bool:
    return value is None or fits(_BUDGET, value)


def no_budget(path: KeyPath) -> Note:
    sentence = f"`{dotted(path)}` should be {words(_BUDGET.type)}"
    return Note(BadValue, path, sentence, f'In milliseconds, for example "{path[-1]}": 30000')
