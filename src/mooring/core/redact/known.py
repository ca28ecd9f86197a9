"""Values that a server was given and that must not show up anywhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from mooring.core.redact.secrets import HIDDEN
from mooring.core.redact.shapes import mask_shapes, names_secret
from mooring.core.redact.values import mask_url, mask_value

__all__ = ["hidden", "secret_values", "with_bare"]

_PATH = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\].*", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9-]{1,15} +(?=\S)")


def secret_values(values: Mapping[str, str]) -> Iterator[str]:
    """Those of variables or headers; a path is none, unless its name says otherwise."""
    for name, value in values.items():
        if mask_value(name, value) == value:
            continue
        is_path = _PATH.fullmatch(value) is not None and mask_shapes(value) == value
        if names_secret(name) or not is_path:
            yield value
        if "://" in value:
            yield from hidden(value, mask_url(value))


def hidden(value: str, shown: str) -> Iterator[str]:
    """What of `value` is not in `shown`, which is the same with `***` in it."""
    pieces = shown.split(HIDDEN)
    if len(pieces) == 1:
        return
    match = re.fullmatch("(.+?)".join(map(re.escape, pieces)), value, re.DOTALL)
    if match is not None:
        yield from match.groups()


def with_bare(values: Iterable[str]) -> tuple[str, ...]:
    """The same, and each without the word that says of what kind it is (`Bearer`)."""
    found: dict[str, None] = {}
    for value in values:
        found[value] = None
        scheme = _SCHEME.match(value)
        if scheme:
            found[value[scheme.end() :]] = None
    return tuple(found)
