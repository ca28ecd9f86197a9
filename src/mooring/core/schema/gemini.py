"""Gemini: enumerations of text, one type at a time."""

from __future__ import annotations

import json

from mooring.core.schema.common import items_of_tuple, with_enum_for_const, without_empty_promises
from mooring.core.schema.repairs import Log, Path, listed
from mooring.core.schema.walk import COMBINERS, Node
from mooring.core.values import JSON, is_list, is_map

__all__ = ["gemini"]

_BELONGS_TO = {
    "object": ("properties", "required", "additionalProperties", "patternProperties"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems"),
    "string": ("format", "pattern", "minLength", "maxLength"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_INTENT = frozenset({"type", "$ref", "enum", "properties", "items", "prefixItems", "not", *COMBINERS})


def gemini(node: JSON, path: Path, log: Log) -> JSON:
    if not is_map(node):
        log.add(path, "boolean", "a schema that is only true or false became one without conditions")
        return {}
    node = with_enum_for_const(node)
    if is_list(node.get("enum")):
        _enum_of_text(node, path, log)
    items_of_tuple(node, path, log)
    if is_list(node.get("type")):
        node = _one_type_at_a_time(node, path, log)
    _of_its_type(node, path, log)
    return without_empty_promises(node, path, log)


def _enum_of_text(node: Node, path: Path, log: Log) -> None:
    values: list[JSON] = node["enum"]
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values if value is not None]
    node["enum"] = [text for text in dict.fromkeys(texts) if text]
    if None in values:
        node["nullable"] = True
    kind = node.get("type")
    if node["enum"] and kind != "string" and kind is not None:
        node["type"] = "string"
        if is_list(kind) and "null" in kind:
            node["nullable"] = True
    if node["enum"] != values:
        log.add((*path, "enum"), "enum-text", "every value of an enumeration became text")


def _one_type_at_a_time(node: Node, path: Path, log: Log) -> Node:
    given: list[JSON] = node.pop("type")
    log.add((*path, "type"), "type-list", "several types became alternatives")
    kinds = list(dict.fromkeys(kind for kind in given if isinstance(kind, str) and kind != "null"))
    if "null" in given:
        if not kinds:
            return {**node, "type": "null"}
        node["nullable"] = True
    if len(kinds) == 1:
        return {**node, "type": kinds[0]}
    if not kinds or any(combiner in node for combiner in COMBINERS):
        return node
    moved = {key for kind in kinds for key in _BELONGS_TO.get(kind, ()) if key in node}
    alternatives = [
        gemini(
            {"type": kind, **{key: node[key] for key in _BELONGS_TO.get(kind, ()) if key in node}}, path, log
        )
        for kind in kinds
    ]
    return {**{key: value for key, value in node.items() if key not in moved}, "anyOf": alternatives}


def _of_its_type(node: Node, path: Path, log: Log) -> None:
    kind = node.get("type")
    if kind == "array":
        items = node.setdefault("items", {})
        if is_map(items) and _INTENT.isdisjoint(items):
            log.add((*path, "items"), "items", "a list of unknown things became a list of strings")
            node["items"] = {**items, "type": "string"}
    if isinstance(kind, str) and kind != "object" and not any(combiner in node for combiner in COMBINERS):
        strange = [key for key in ("properties", "required") if key in node]
        if strange:
            log.add(path, "keyword", f"{listed(strange)} belong to objects, dropped")
        for key in strange:
            del node[key]
