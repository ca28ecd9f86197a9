"""Moonshot: a reference stands alone."""

from __future__ import annotations

from mooring.core.schema.common import first_of_tuple, without_empty_promises
from mooring.core.schema.repairs import Log, Path, listed
from mooring.core.values import JSON, is_map

__all__ = ["moonshot"]


def moonshot(node: JSON, path: Path, log: Log) -> JSON:
    if not is_map(node):
        return node
    if "$ref" in node:
        if beside := [key for key in node if key != "$ref"]:
            log.add(path, "ref-siblings", f"{listed(beside)} stood beside a reference, dropped")
        return {"$ref": node["$ref"]}
    first_of_tuple(node, path, log)
    return without_empty_promises(node, path, log)
