"""A part of the configuration as it may be shown to anybody."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeGuard

from mooring.core.redact.arguments import mask_argument, mask_arguments
from mooring.core.redact.keys import Kind, kind_of
from mooring.core.redact.secrets import HIDDEN
from mooring.core.redact.shapes import mask_literal
from mooring.core.redact.values import mask_url, mask_value
from mooring.core.values import JSON, is_map

__all__ = ["mask_tree"]

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}|[a-z_]{1,64}")
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,63}")
_DEEPEST = 100  # no configuration is; what lies below is not worth an overflow


def mask_tree(value: JSON) -> JSON:
    """`value` with every secret hidden, by the key it stands under and by its shape."""
    return _plain(value, _DEEPEST)


def _plain(value: JSON, left: int) -> JSON:
    if _is_sequence(value):
        return _command_line(value, left)
    return _walk(value, left, mask_argument, _under)


def _under(key: str, value: JSON, left: int) -> JSON:
    match kind_of(key):
        case Kind.VALUES if isinstance(value, str):
            return mask_value(key, value)
        case Kind.VALUES:
            return _walk(value, left, _listed, _value)
        case Kind.SECRET:
            return _secret(value, left)
        case Kind.URL if isinstance(value, str):
            return mask_url(value)
        case _:
            return _plain(value, left)


def _command_line(items: Sequence[JSON], left: int) -> JSON:
    """A list of words is a command line until proven otherwise."""
    if not left:
        return HIDDEN
    words = iter(mask_arguments([item for item in items if isinstance(item, str)]))
    return [next(words) if isinstance(item, str) else _plain(item, left - 1) for item in items]


def _value(key: str, value: JSON, left: int) -> JSON:
    """One header or variable: a secret unless it says otherwise."""
    if isinstance(value, str):
        return mask_value(key, value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value if mask_value(key, str(value)) != HIDDEN else HIDDEN
    return _secret(value, left)


def _listed(text: str) -> str:
    """`NAME=value` in a list of variables; a name alone is not a secret."""
    name, equals, value = text.partition("=")
    if equals and _NAME.fullmatch(name):
        return f"{name}={mask_value(name, value)}"
    return text if _VARIABLE.fullmatch(text) else mask_literal(text)


def _secret(value: JSON, left: int) -> JSON:
    """Below a telling name (`credentials`, or a server called `auth`) only what is known to be harmless."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return HIDDEN
    return _walk(value, left, lambda text: mask_literal(text) if text else text, _below)


def _below(key: str, value: JSON, left: int) -> JSON:
    return _secret(value, left) if kind_of(key) is Kind.UNKNOWN else _under(key, value, left)


def _walk(
    value: JSON, left: int, word: Callable[[str], str], entry: Callable[[str, JSON, int], JSON]
) -> JSON:
    """`value` with `word` applied to its strings and `entry` to what its keys hold."""
    if isinstance(value, str):
        return word(value)
    if is_map(value):
        return {key: entry(str(key), item, left - 1) for key, item in value.items()} if left else HIDDEN
    if _is_sequence(value):
        return [_walk(item, left - 1, word, entry) for item in value] if left else HIDDEN
    return value if value is None or isinstance(value, (bool, int, float)) else HIDDEN


def _is_sequence(value: JSON) -> TypeGuard[Sequence[JSON]]:
    return isinstance(value, (list, tuple))
