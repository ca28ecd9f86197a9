"""The root of a tool's schema: one closed object."""

from __future__ import annotations

import re

from mooring.core.schema.family import Family
from mooring.core.schema.flatten import flatten
from mooring.core.schema.repairs import Log, listed
from mooring.core.schema.walk import COMBINERS, Node, pointed_at
from mooring.core.values import JSON, is_map

__all__ = ["empty_root", "root"]

_FLATTENED = frozenset({Family.OPENAI, Family.ANTHROPIC, Family.GEMINI})
_NOT_OF_AN_OBJECT = ("enum", "const")
_ANTHROPIC_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def empty_root() -> Node:
    return {"type": "object", "properties": {}, "additionalProperties": False}


def root(schema: JSON, family: Family, log: Log) -> Node:
    """`schema` as an object whose properties stand at the root."""
    if not is_map(schema):
        log.add((), "not-an-object", "not a schema, became an object without properties")
        return empty_root()
    node = _inlined(schema, log)
    if node.get("type") != "object":
        log.add((), "root-type", "the arguments of a tool are an object, so `type` is `object`")
        node["type"] = "object"
    if not is_map(node.get("properties", {})):
        log.add(("properties",), "malformed", "`properties` has no meaning in this form, dropped")
        del node["properties"]
    if family in _FLATTENED and any(combiner in node for combiner in COMBINERS):
        node = flatten(node, log)
    node.setdefault("properties", {})
    _drop_refused(node, family, log)
    # A root that opens itself stays open: its arguments have no other place, closed it could not be called.
    if node.get("additionalProperties") is not True and not is_map(node.get("additionalProperties")):
        node["additionalProperties"] = False
    return node


def _inlined(schema: Node, log: Log) -> Node:
    """Without `$ref` at the root; a chain that leads back to itself leads nowhere."""
    node, seen = dict(schema), set[str]()
    while "$ref" in node:
        reference = node.pop("$ref")
        target = pointed_at(schema, reference)
        if not is_map(target) or reference in seen:
            log.add(("$ref",), "dangling-ref", "a reference to nothing, dropped")
            continue
        log.add(("$ref",), "root-ref", "a root cannot be a reference, so its target stands here")
        seen.add(reference)
        node = {**target, **node}
    return node


def _drop_refused(node: Node, family: Family, log: Log) -> None:
    if family is not Family.PLAIN and (refused := [key for key in _NOT_OF_AN_OBJECT if key in node]):
        log.add((), "root-keyword", f"{listed(refused)} cannot stand at the root, dropped")
        for key in refused:
            del node[key]
    if family is Family.ANTHROPIC:
        properties: dict[str, JSON] = node["properties"]
        kept = {name: item for name, item in properties.items() if _ANTHROPIC_PROPERTY.fullmatch(name)}
        for name in [name for name in properties if name not in kept]:
            # One such name makes the API refuse the whole request, with every other tool in it.
            log.add(("properties", name), "property-name", "a name this family refuses, dropped")
        node["properties"] = kept
