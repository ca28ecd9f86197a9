"""Anthropic: any schema that is valid in draft 2020-12."""

from __future__ import annotations

from mooring.core.schema.common import without_empty_promises
from mooring.core.schema.repairs import Log, Path
from mooring.core.schema.walk import Node
from mooring.core.values import JSON, is_list, is_map

__all__ = ["anthropic"]

_LIMITS = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))


def anthropic(node: JSON, path: Path, log: Log) -> JSON:
    if not is_map(node):
        return node
    if is_list(places := node.get("items")):
        log.add((*path, "items"), "tuple", "a schema per place is called `prefixItems` today")
        del node["items"]
        if places:
            node["prefixItems"] = places
    _number_limits(node, path, log)
    return without_empty_promises(node, path, log)


def _number_limits(node: Node, path: Path, log: Log) -> None:
    """Draft 4 said `minimum: 1, exclusiveMinimum: true`."""
    for exclusive, limit in _LIMITS:
        if not isinstance(node.get(exclusive), bool):
            continue
        log.add((*path, exclusive), "draft-4", f"`{exclusive}` is a number today")
        if node.pop(exclusive) and limit in node:
            node[exclusive] = node.pop(limit)
