"""Whether two hosts are of one house, as far as their names tell."""

from __future__ import annotations

import ipaddress

__all__ = ["is_near"]

# `co.uk` and the like: two labels that belong to nobody.
_SHORT = 3


def is_near(one: str, other: str) -> bool:
    """The same host, one above the other, or both below one name that somebody owns."""
    one, other = one.lower().rstrip("."), other.lower().rstrip(".")
    if one == other:
        return True
    if _is_number(one) or _is_number(other):
        return False
    mine, theirs = one.split("."), other.split(".")
    common: list[str] = []
    for label, same in zip(reversed(mine), reversed(theirs), strict=False):
        if label != same:
            break
        common.insert(0, label)
    return len(common) > 1 and not _is_public(common)


def _is_public(labels: list[str]) -> bool:
    is_country = len(labels) == 2 and len(labels[1]) == 2
    return is_country and len(labels[0]) <= _SHORT


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
