"""OpenAI and Azure: a short list of keywords, every schema with a type."""

from __future__ import annotations

from mooring.core.schema.common import items_of_tuple, with_enum_for_const, without_empty_promises
from mooring.core.schema.repairs import Log, Path, listed
from mooring.core.schema.walk import COMBINERS, Node
from mooring.core.values import JSON, is_list, is_map

__all__ = ["openai"]

_KEPT = frozenset(
    {"$ref", "description", "enum", "properties", "required", "items", "additionalProperties", "type"}
    | {"$defs", "definitions", *COMBINERS}
)
# They tell the model nothing it must obey, so losing them is not worth a word.
_REMARKS = frozenset(
    {
        "$schema",
        "$id",
        "$comment",
        "title",
        "default",
        "example",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
    }
)
_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_SIGNS = (
    ("object", ("properties", "required", "additionalProperties")),
    ("array", ("items", "prefixItems")),
    ("string", ("format", "pattern", "minLength", "maxLength")),
    ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
)


def openai(node: JSON, path: Path, log: Log) -> JSON:
    if not is_map(node):
        log.add(path, "boolean", "a schema that is only true or false became a string")
        return {"type": "string"}
    node = with_enum_for_const(node)
    _settle_type(node, path, log)
    items_of_tuple(node, path, log)
    if _is(node, "object"):
        node.setdefault("properties", {})
    if _is(node, "array") and not is_map(node.get("items")):
        log.add((*path, "items"), "items", "a list of unknown things became a list of strings")
        node["items"] = {"type": "string"}
    _drop_unknown(node, path, log)
    return without_empty_promises(node, path, log)


def _is(node: Node, kind: str) -> bool:
    given = node.get("type")
    return given == kind or (is_list(given) and kind in given)


def _settle_type(node: Node, path: Path, log: Log) -> None:
    given = node.pop("type", [])
    names: list[JSON] = given if is_list(given) else [given]
    known = [name for name in names if isinstance(name, str) and name in _TYPES]
    if len(known) != len(names):
        log.add((*path, "type"), "type", "a type that does not exist, dropped")
    if known:
        node["type"] = known if is_list(given) else known[0]
    elif "$ref" not in node and not any(combiner in node for combiner in COMBINERS):
        inferred = _inferred(node)
        if inferred is not None:
            log.add(path, "no-type", f"no type was given, `{inferred}` fits")
            node["type"] = inferred


def _inferred(node: Node) -> str | None:
    if is_list(values := node.get("enum")) and values:
        kinds = {_kind(value) for value in values}
        if kinds == {"integer", "number"}:
            return "number"
        return kinds.pop() if len(kinds) == 1 else None
    for kind, signs in _SIGNS:
        if any(sign in node for sign in signs):
            return kind
    return None


def _kind(value: JSON) -> str | None:
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case _:
            return None


def _drop_unknown(node: Node, path: Path, log: Log) -> None:
    dropped = [key for key in node if key not in _KEPT]
    if lost := [key for key in dropped if key not in _REMARKS and not key.startswith("x-")]:
        log.add(path, "keyword", f"{listed(lost)} mean nothing to this family, dropped")
    for key in dropped:
        del node[key]
