"""Regular expressions mean the same on every Python that is supported."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

import mooring

LOOKS_AROUND = (kinds.ASSERT, kinds.ASSERT_NOT)


def patterns() -> Iterator[tuple[str, str, int]]:
    for found in pkgutil.walk_packages(mooring.__path__, "mooring."):
        if found.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(found.name)).items():
            if isinstance(value, re.Pattern):
                yield f"{found.name}.{name}", value.pattern, value.flags


def inside(node: object) -> Iterator[object]:
    """The node and everything in it, however it is nested."""
    yield node
    parts = getattr(node, "data", node)  # a pattern within the pattern
    if isinstance(parts, list | tuple):
        for part in parts:
            yield from inside(part)


def is_at_risk(pattern: str, flags: int) -> bool:
    """Whether a possessive group looks around: before 3.11.5 that leaves the engine in the wrong place."""
    groups = (
        part
        for part in inside(parser.parse(pattern, flags & ~re.UNICODE))
        if isinstance(part, tuple) and part and part[0] is kinds.POSSESSIVE_REPEAT
    )
    return any(part is kind for group in groups for part in inside(group) for kind in LOOKS_AROUND)


def test_no_possessive_group_looks_around() -> None:
    found = [*patterns()]
    assert len(found) > 20
    assert [name for name, pattern, flags in found if is_at_risk(pattern, flags)] == []


def test_a_possessive_group_that_looks_around_would_be_noticed() -> None:
    assert is_at_risk(r"/\*(?:[^*]++|\*(?!/))*+", 0)
    assert not is_at_risk(r"/\*(?:[^*]++|\*++[^*/])*+(?=x)", 0)
