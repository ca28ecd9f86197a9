"""The JSON Schema of a configuration file, made from the same table that reads it."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from mooring.config.keys import OAUTH, OWN, SERVER, TIMEOUTS, TOOLS, TOP, Key, Milliseconds

__all__ = ["schema"]

Schema: TypeAlias = dict[str, Any]

_NULL: Schema = {"type": "null"}
_TEXTS: Schema = {"type": "array", "items": {"type": "string"}}


def schema() -> Schema:
    """Draft 2020-12; unknown keys are allowed, and null unsets, as they do when a file is read."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Mooring configuration",
        "type": "object",
        "properties": _top(),
        "$defs": {
            "server": {"type": "object", "properties": _server()},
            "timeouts": _either(_object(_properties(TIMEOUTS)), _milliseconds()),
            "oauth": _object(_properties(OAUTH)),
            "tools": _object(_properties(TOOLS)),
            "permission": _either(_effect(), _map_of(_either(_effect(), _map_of(_either(_effect()))))),
        },
    }


def _top() -> Schema:
    switches = _map_of(_either({"type": "boolean"}))
    agent = _object({"tools": _either(switches), "permission": _ref("permission")})
    second = {
        "timeout": {"anyOf": [_ref("timeouts"), _ref("server")]},
        "servers": {"anyOf": [_map_of(_ref("server")), _ref("server")]},
    }
    kinds = {
        "mcp": _either(_map_of(_ref("server")) | {"properties": second}),
        "tools": _either(switches),
        "permission": _ref("permission"),
        "agent": _either(_map_of(_either(agent))),
        "experimental": _either(_object({"mcp_timeout": _either(_milliseconds())})),
        "mooring": _either(_object(_properties(OWN, {"timeout": _ref("timeouts")}))),
    }
    words = "The servers, as Claude and Cursor write them."
    return _properties(TOP, kinds) | {"mcpServers": _either(_map_of(_ref("server"))) | {"description": words}}


def _server() -> Schema:
    types = ["local", "remote", "stdio", "http", "sse", "streamable-http"]
    kinds = {
        "type": {"enum": [*types, None]},
        "command": _either({"type": "string", "minLength": 1}, {**_TEXTS, "minItems": 1}),
        "headersCommand": _either({"type": "string"}, _TEXTS),
        "timeout": _ref("timeouts"),
        "oauth": _either({"type": "boolean"}, _ref("oauth")),
        "tools": _either(_TEXTS, _ref("tools")),
    }
    return _properties(SERVER, kinds) | {
        "disabled": {"type": "boolean", "description": "The opposite of `enabled`."}
    }


def _properties(keys: tuple[Key, ...], kinds: Schema | None = None) -> Schema:
    """Each key with its meaning, under its own name and the other ones that are read."""
    found: Schema = {}
    for key in keys:
        kind = (kinds or {}).get(key.name) or _either(_nullable(msgspec.json.schema(key.type)))
        about: Schema = {"description": key.means}
        if key.example is not None:
            about["examples"] = [key.example]
        found[key.name] = kind | about
        for alias in key.aliases:
            found[alias] = kind | {"description": f"The same as `{key.name}`."}
    return found


def _nullable(kind: Schema) -> Schema:
    """A map whose values may be null, too."""
    values = kind.get("additionalProperties")
    return {**kind, "additionalProperties": _either(values)} if isinstance(values, dict) else kind


def _either(*kinds: Any) -> Schema:
    """One of these, or null; choices inside a choice are choices."""
    flat = [inner for kind in kinds for inner in (kind["anyOf"] if set(kind) == {"anyOf"} else [kind])]
    return {"anyOf": [*(kind for kind in flat if kind != _NULL), _NULL]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


def _map_of(kind: Schema) -> Schema:
    return {"type": "object", "additionalProperties": kind}


def _effect() -> Schema:
    return {"enum": ["allow", "ask", "deny"]}


def _milliseconds() -> Schema:
    return msgspec.json.schema(Milliseconds)
