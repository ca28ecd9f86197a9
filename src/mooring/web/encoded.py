"""JSON as it leaves: only ASCII, and no number that JSON does not have."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, cast

from mooring.core.values import is_list, is_map

__all__ = ["encoded"]


def encoded(value: Any) -> bytes:
    """Half of a surrogate pair, which a server may well send, is escaped; what is no number is null."""
    try:
        return _written(value)
    except ValueError:
        return _written(_finite(value))


def _written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not isfinite(value):
        return None
    if is_map(value):
        return {key: _finite(inner) for key, inner in value.items()}
    if is_list(value):
        return [_finite(inner) for inner in value]
    if isinstance(value, tuple):
        return _finite(list(cast("tuple[Any, ...]", value)))
    return value
