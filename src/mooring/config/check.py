"""Whether a value fits its key, and if not, in words."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from mooring.config.keys import Key
from mooring.core.merge import Leaf, Node, leaves
from mooring.core.spec import Origin
from mooring.errors import MooringError, Spot

__all__ = ["SpotOf", "fits", "mistyped", "origin_of", "words"]

SpotOf = Callable[[Origin | None], Spot | None]


def fits(key: Key, value: Any) -> bool:
    """A strict check: a number in quotes is not a number."""
    try:
        msgspec.convert(value, key.type, strict=True)
    except msgspec.ValidationError:
        return False
    return True


def mistyped(kind: type[MooringError], path: str, key: Key, spot: Spot | None) -> MooringError:
    """The error for a value that does not fit."""
    hint = key.means
    if key.example is not None:
        import json  # noqa: PLC0415 - needed only when something is wrong

        hint = f'For example "{key.name}": {json.dumps(key.example)}'
    return kind(f"`{path}` should be {words(key.type)}", hint=hint, spot=spot)


def origin_of(node: Node) -> Origin | None:
    """Where a node was written; for a map that several wrote, where its likeliest mistake was."""
    if isinstance(node, Leaf):
        return node.origin
    found = [leaf for _, leaf in leaves(node)]
    odd = [leaf for leaf in found if not isinstance(leaf.value, (str, int, float, bool))]
    return (odd or [node] if node.origin else found or [node])[0].origin


_WORDS = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    Any: "anything",
}


def words(kind: Any) -> str:
    """A type as a person would say it."""
    if kind in _WORDS:
        return _WORDS[kind]
    arguments = get_args(kind)
    origin = get_origin(kind)
    if origin is Annotated:
        return _limited(arguments)
    if origin is Literal:
        return " or ".join("true" if item is True else f"`{item}`" for item in arguments)
    if origin is list:
        return f"a list of {_plural(arguments[0])}"
    if origin is dict:
        return "a map" if arguments[1] is Any else f"a map of {_plural(arguments[1])}"
    if origin in (Union, types.UnionType):
        parts = list(dict.fromkeys(words(item) for item in arguments if item is not float))
        return " or ".join(parts)
    return str(kind)


def _plural(kind: Any) -> str:
    """Several of a type."""
    if get_origin(kind) in (Union, types.UnionType):
        return "texts, numbers or true/false"
    if get_origin(kind) is list:
        return f"lists of {_plural(get_args(kind)[0])}"
    word, limit, limits = words(kind).partition(" from ")
    plurals = {"anything": "any values", "true or false": "true or false values"}
    return plurals.get(word, word.removeprefix("a ") + "s") + limit + limits


def _limited(arguments: tuple[Any, ...]) -> str:
    kind, *limits = arguments
    word = words(kind)
    for meta in limits:
        if meta.min_length:
            word += " that is not empty"
        elif meta.le:
            word += f" from {meta.ge} to {meta.le}"
    return word
