"""Messages of the protocol, and headers, as they may be shown to anybody."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from mooring.core.redact.secrets import HIDDEN, mask
from mooring.core.redact.shapes import mask_shapes, names_secret
from mooring.core.redact.text import clean
from mooring.core.redact.values import mask_url, mask_value
from mooring.core.values import JSON, is_list, is_map

__all__ = ["mask_headers", "mask_message"]

_DEEPEST = 100
# They tell, but of nothing that is secret.
_OF_THE_PROTOCOL = frozenset({"progressToken", "code"})
_SHOWN = frozenset(
    (
        *("accept", "accept-encoding", "allow", "cache-control", "connection", "content-encoding"),
        *("content-length", "content-type", "date", "host", "keep-alive", "last-event-id", "mcp-method"),
        *("mcp-name", "mcp-protocol-version", "retry-after", "server", "transfer-encoding", "user-agent"),
        *("vary", "via", "www-authenticate"),
    )
)
_ADDRESSES = frozenset({"location", "origin", "referer"})
_SCHEMES = frozenset({"authorization", "proxy-authorization"})


def mask_message(value: JSON, secrets: Collection[str]) -> JSON:
    """`value` without `secrets`, what looks like one, and what stands under the name of one."""
    text = json.dumps(value, ensure_ascii=False)
    # To look for all forms of a secret takes time: string by string only where there is one.
    return _masked(value, secrets if mask(text, secrets) != text else (), _DEEPEST)


def _masked(value: JSON, secrets: Collection[str], left: int) -> JSON:
    if isinstance(value, str):
        return mask_shapes(mask(clean(value), secrets))
    if not left:
        return HIDDEN
    if is_map(value):
        return {
            mask_shapes(mask(clean(key), secrets)): _under(key, inner, secrets, left - 1)
            for key, inner in value.items()
        }
    if is_list(value):
        return [_masked(inner, secrets, left - 1) for inner in value]
    return value


def _under(key: str, value: JSON, secrets: Collection[str], left: int) -> JSON:
    if isinstance(value, str) and key not in _OF_THE_PROTOCOL and names_secret(key):
        return mask_value(key, value)
    return _masked(value, secrets, left)


def mask_headers(headers: Iterable[tuple[str, str]], secrets: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Every header by its name; of the values only those that cannot hold a secret."""
    return tuple((clean(name).lower(), _header(name.lower(), value, secrets)) for name, value in headers)


def _header(name: str, value: str, secrets: Collection[str]) -> str:
    if name in _SHOWN:
        return mask_shapes(mask(clean(value), secrets))
    if name in _ADDRESSES:
        return mask(mask_url(clean(value)), secrets)
    if name in _SCHEMES:
        scheme, space, _ = value.partition(" ")
        return f"{clean(scheme)} {HIDDEN}" if space else HIDDEN
    return HIDDEN
