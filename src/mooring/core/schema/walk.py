"""From a schema to the schemas inside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeAlias
from urllib.parse import unquote

from mooring.core.schema.repairs import Log, Path
from mooring.core.values import JSON, is_list, is_map

__all__ = ["COMBINERS", "Node", "Rule", "distinct", "pointed_at", "rewrite"]

Node: TypeAlias = dict[str, JSON]
Rule: TypeAlias = Callable[[JSON, Path, Log], JSON]

COMBINERS = ("anyOf", "oneOf", "allOf")
_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_LISTS = frozenset({*COMBINERS, "prefixItems"})
_SINGLE = frozenset({"items", "contains", "propertyNames", "not", "if", "then", "else"})
_SWITCHES = frozenset(
    {"additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems"}
)


def rewrite(node: JSON, path: Path, log: Log, rule: Rule) -> JSON:
    """`node` with `rule` applied to every schema in it, the innermost first."""
    if is_map(node):
        node = {key: _inside(key, value, (*path, key), log, rule) for key, value in node.items()}
        for key in [key for key in node if _is_malformed(key, node[key])]:
            log.add((*path, key), "malformed", f"`{key}` has no meaning in this form, dropped")
            del node[key]
    elif not isinstance(node, bool):
        log.add(path, "malformed", "not a schema, emptied")
        node = {}
    return rule(node, path, log)


def _inside(key: str, value: JSON, path: Path, log: Log, rule: Rule) -> JSON:
    if key in _MAPS and is_map(value):
        return {name: rewrite(item, (*path, name), log, rule) for name, item in value.items()}
    if (key in _LISTS or key == "items") and is_list(value):
        return [rewrite(item, (*path, str(index)), log, rule) for index, item in enumerate(value)]
    if key in _SINGLE or (key in _SWITCHES and is_map(value)):
        return rewrite(value, path, log, rule)
    return value


def _is_malformed(key: str, value: JSON) -> bool:
    if key in _MAPS:
        return not is_map(value)
    if key in _LISTS:
        return not is_list(value) or not value
    if key in _SWITCHES:
        return not isinstance(value, (bool, dict))
    return key == "$ref" and not isinstance(value, str)


def distinct(nodes: list[JSON]) -> list[JSON]:
    """Each schema once, in the order they came."""
    return list({json.dumps(node, sort_keys=True): node for node in nodes}.values())


def pointed_at(document: JSON, reference: JSON) -> JSON:
    """What a local `$ref` points at, None where that is nothing."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    place: JSON = document
    first, *parts = unquote(reference[1:]).split("/")
    if first:
        return None
    for part in parts:
        name = part.replace("~1", "/").replace("~0", "~")
        if is_map(place) and name in place:
            place = place[name]
        elif is_list(place) and name.isdecimal() and len(name) < 9 and int(name) < len(place):
            place = place[int(name)]
        else:
            return None
    return place
