"""JSON Schema in few words."""

from __future__ import annotations

from typing import Any, TypeAlias

__all__ = [
    "ANY",
    "BOOLEAN",
    "INTEGER",
    "NUMBER",
    "OBJECT",
    "TEXT",
    "Schema",
    "listed",
    "mapped",
    "named",
    "one_of",
    "or_null",
    "shaped",
]

Schema: TypeAlias = dict[str, Any]

ANY: Schema = {}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
INTEGER: Schema = {"type": "integer"}
BOOLEAN: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}


def shaped(
    properties: dict[str, Schema], optional: dict[str, Schema] | None = None, *, is_open: bool = False
) -> Schema:
    """An object that always has these, may have the optional ones, and nothing else unless it is open."""
    found = {
        "type": "object",
        "properties": properties | (optional or {}),
        "required": list(properties),
        "additionalProperties": False,
    }
    if is_open:
        del found["additionalProperties"]
    return {key: value for key, value in found.items() if value != []}


def listed(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def mapped(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def one_of(*words: str) -> Schema:
    return {"type": "string", "enum": list(words)}


def named(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
