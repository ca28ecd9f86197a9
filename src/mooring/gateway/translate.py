"""What a result has to say in the new era, and need not in the old one."""

from __future__ import annotations

from msgspec import UNSET, DecodeError, Struct, UnsetType, ValidationError
from msgspec.json import Decoder

from mooring.core.values import JSON

__all__ = ["FRESH", "complete"]

COMPLETE = b'"resultType":"complete"'
# A view depends on who looks, and changes are announced: nobody has to remember it for us.
FRESH = COMPLETE + b',"ttlMs":0,"cacheScope":"private"'


class _Head(Struct, rename="camel"):
    result_type: JSON | UnsetType = UNSET
    ttl_ms: JSON | UnsetType = UNSET
    cache_scope: JSON | UnsetType = UNSET


_HEAD = Decoder(_Head).decode


def complete(result: bytes, *, cacheable: bool = False) -> bytes:
    """The same with what the era demands, where the server did not write it; all else stays as it is."""
    if not cacheable and b'"resultType"' not in result:
        return _with(COMPLETE, result)
    try:
        head = _HEAD(result)
    except (DecodeError, ValidationError, RecursionError):
        return result
    if head.result_type not in (UNSET, "complete"):
        # It is none yet.
        return result
    missing = [COMPLETE] if head.result_type is UNSET else []
    if cacheable and head.ttl_ms is UNSET:
        missing.append(b'"ttlMs":0')
    if cacheable and head.cache_scope is UNSET:
        missing.append(b'"cacheScope":"private"')
    return _with(b",".join(missing), result) if missing else result


def _with(members: bytes, result: bytes) -> bytes:
    """Put in front: nothing behind the first brace has to be looked at."""
    rest = result[result.index(b"{") + 1 :]
    return b"{%b}" % members if rest.strip() == b"}" else b"{%b,%b" % (members, rest)
