"""What every family but the plain one wants of a single schema."""

from __future__ import annotations

from mooring.core.schema.repairs import Log, Path
from mooring.core.schema.walk import Node, distinct
from mooring.core.values import JSON, is_list, is_map

__all__ = ["first_of_tuple", "items_of_tuple", "with_enum_for_const", "without_empty_promises"]


def without_empty_promises(node: Node, path: Path, log: Log) -> Node:
    """Nothing is required that is not defined, and no enumeration is empty."""
    if "enum" in node and not (is_list(node["enum"]) and node["enum"]):
        log.add((*path, "enum"), "enum", "an enumeration without values, dropped")
        del node["enum"]
    if "required" in node:
        _filter_required(node, path, log)
    return node


def _filter_required(node: Node, path: Path, log: Log) -> None:
    required, properties = node["required"], node.get("properties")
    names: list[JSON] = required if is_list(required) else []
    kept = [
        name
        for name in dict.fromkeys(name for name in names if isinstance(name, str))
        if not is_map(properties) or name in properties
    ]
    if kept != required:
        log.add((*path, "required"), "required", "names that no property has, dropped")
    if kept:
        node["required"] = kept
    else:
        del node["required"]


def with_enum_for_const(node: Node) -> Node:
    if "const" not in node:
        return node
    const = node.pop("const")
    node.setdefault("enum", [const])
    return node


def items_of_tuple(node: Node, path: Path, log: Log) -> None:
    """A list with a schema per place becomes a list of any of them."""
    places = node["items"] if is_list(node.get("items")) else node.get("prefixItems")
    if not is_list(places) or is_map(node.get("items")):
        return
    log.add((*path, "items"), "tuple", "a schema per place became one schema for all places")
    node.pop("prefixItems", None)
    kinds = distinct(places)
    node["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else {}


def first_of_tuple(node: Node, path: Path, log: Log) -> None:
    places = node.get("items")
    if is_list(places):
        log.add((*path, "items"), "tuple", "a schema per place became that of the first place")
        node["items"] = places[0] if places else {}
