"""What an edit comes to in any format: the tree that must result, and pieces of text put in place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from mooring.config.document import MAX_DEPTH, Document, KeyPath, dotted, same
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadKey, BadValue, ConfigError, EditFailed

__all__ = ["Splice", "apply", "check_value", "newline_of", "value_at", "verified", "with_value", "without"]

_MISSING = object()
_SURROGATE = re.compile("[\ud800-\udfff]")


class Splice(NamedTuple):
    """What stands between two offsets becomes `text`."""

    start: int
    end: int
    text: str


def apply(text: str, splices: list[Splice]) -> str:
    """All of them at once; they do not overlap, and those of one place keep their order."""
    pieces: list[str] = []
    done = 0
    for splice in sorted(splices, key=lambda one: (one.start, one.end)):
        pieces += (text[done : splice.start], splice.text)
        done = splice.end
    return "".join((*pieces, text[done:]))


def newline_of(text: str) -> str:
    """The one that the file uses first."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def value_at(tree: JSON, path: KeyPath) -> tuple[bool, JSON]:
    """Whether there is something at `path`, and what; a path through what holds nothing is refused."""
    if not path:
        raise BadKey("A key path is empty", hint="Name a key, as in `mcp.notes`")
    for depth, name in enumerate(path):
        found = _MISSING
        if is_map(tree) and isinstance(name, str):
            found = tree.get(name, _MISSING)
        elif is_list(tree) and isinstance(name, int) and not isinstance(name, bool):
            found = tree[name] if 0 <= name < len(tree) else _MISSING
            if found is _MISSING:
                raise BadKey(f"`{dotted(path[:depth])}` has no element {name}", hint=f"It has {len(tree)}")
        else:
            raise _no_way(path, depth, tree)
        if found is _MISSING:
            _check_rest(path, depth + 1)
            return False, None
        tree = found
    return True, tree


def _no_way(path: KeyPath, depth: int, value: JSON) -> BadKey:
    kind = "an object" if is_map(value) else "a list" if is_list(value) else "a single value"
    what = f"`{dotted(path[:depth])}` is {kind}" if depth else "The file is an object"
    return BadKey(
        f"{what} and has no `{dotted(path[depth:])}` inside", hint="`mooring config get` shows what there is"
    )


def _check_rest(path: KeyPath, depth: int) -> None:
    """Missing parents are made, and they are objects."""
    if not all(isinstance(name, str) for name in path[depth:]):
        raise BadKey(
            f"`{dotted(path)}` counts elements of a list that is not there", hint="Set the whole list"
        )


def with_value(tree: JSON, path: KeyPath, value: JSON) -> JSON:
    """The tree with `value` at `path`; what is not on the way is shared."""
    if not path:
        return value
    if is_list(tree):
        return [
            with_value(old, path[1:], value) if index == path[0] else old for index, old in enumerate(tree)
        ]
    old: dict[str | int, JSON] = {**tree} if is_map(tree) else {}
    return {**old, path[0]: with_value(old.get(path[0]), path[1:], value)}


def without(tree: JSON, path: KeyPath) -> JSON:
    """The tree with nothing at `path`."""
    name, rest = path[0], path[1:]
    if is_list(tree):
        kept = [(index, old) for index, old in enumerate(tree) if rest or index != name]
        return [without(old, rest) if index == name else old for index, old in kept]
    return {
        key: without(old, rest) if key == name else old for key, old in tree.items() if rest or key != name
    }


def check_value(value: JSON, where: KeyPath) -> None:
    """Refuse what JSON cannot hold, before any text is made of it."""
    level: list[JSON] = [value]
    for _ in range(MAX_DEPTH):
        inner: list[JSON] = []
        for one in level:
            _check_one(one, where)
            inner.extend(one.values() if is_map(one) else one if is_list(one) else ())
        if not inner:
            return
        level = inner
    raise BadValue(f"The value for `{dotted(where)}` is nested too deep", hint=f"At most {MAX_DEPTH} levels")


def _check_one(one: JSON, where: KeyPath) -> None:
    texts: list[JSON] = [*one] if is_map(one) else [one] if isinstance(one, str) else []
    wrong = not (one is None or isinstance(one, (str, int, float, dict, list)))
    if wrong or any(not isinstance(text, str) or _SURROGATE.search(text) for text in texts):
        raise BadValue(
            f"The value for `{dotted(where)}` is not JSON",
            hint="Give a string, a number, a list or an object",
        )
    if isinstance(one, float) and (one != one or one in (float("inf"), float("-inf"))):  # noqa: PLR0124
        raise BadValue(f"The value for `{dotted(where)}` is not a number", hint="Give an ordinary number")


def verified(after: str, expected: JSON, parse: Callable[[str, str], Document], where: KeyPath) -> str:
    """`after`, if reading it gives what the edit was to give; nothing else is ever written to a file."""
    hint = "Nothing was changed; edit the file by hand"
    try:
        tree = parse(after, "the edited text").tree
    except ConfigError as error:
        raise EditFailed(f"`{dotted(where)}` cannot be edited in this file", hint=hint) from error
    if not same(tree, expected):
        raise EditFailed(f"`{dotted(where)}` cannot be edited in this file", hint=hint)
    return after
