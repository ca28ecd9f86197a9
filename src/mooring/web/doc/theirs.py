"""OpenCode's own routes as OpenAPI says them, with the names that its clients know them by."""

from __future__ import annotations

from typing import Any

from mooring.web.doc.pieces import BOOLEAN, TEXT, Schema, listed, mapped, named, one_of, shaped

__all__ = ["PATHS", "SCHEMAS"]

POSITIVE: Schema = {"type": "integer", "exclusiveMinimum": 0}
NAME = {
    "name": "name",
    "in": "path",
    "required": True,
    "schema": TEXT,
    "description": "The server; a slash in it is written `%2F`.",
}
ANYWHERE = [
    {
        "name": word,
        "in": "query",
        "required": False,
        "schema": TEXT,
        "description": "Of OpenCode's; there is one project here, and this changes nothing.",
    }
    for word in ("directory", "workspace")
]


def _status(word: str, *more: str) -> Schema:
    return shaped({"status": one_of(word), **dict.fromkeys(more, TEXT)})


SCHEMAS: dict[str, Schema] = {
    "MCPStatusConnected": _status("connected"),
    "MCPStatusDisabled": _status("disabled"),
    "MCPStatusFailed": _status("failed", "error"),
    "MCPStatusNeedsAuth": _status("needs_auth"),
    "MCPStatusNeedsClientRegistration": _status("needs_client_registration", "error"),
    "MCPStatus": {
        "anyOf": [
            named(f"MCPStatus{word}")
            for word in ("Connected", "Disabled", "Failed", "NeedsAuth", "NeedsClientRegistration")
        ]
    },
    "McpLocalConfig": shaped(
        {"type": one_of("local"), "command": listed(TEXT)},
        {"cwd": TEXT, "environment": mapped(TEXT), "enabled": BOOLEAN, "timeout": POSITIVE},
    ),
    "McpOAuthConfig": shaped(
        {},
        {
            "clientId": TEXT,
            "clientSecret": TEXT,
            "scope": TEXT,
            "callbackPort": {"type": "integer", "minimum": 1, "maximum": 65535},
            "redirectUri": TEXT,
        },
    ),
    "McpRemoteConfig": shaped(
        {"type": one_of("remote"), "url": TEXT},
        {
            "enabled": BOOLEAN,
            "headers": mapped(TEXT),
            "oauth": {"anyOf": [named("McpOAuthConfig"), {"type": "boolean", "enum": [False]}]},
            "timeout": POSITIVE,
        },
    ),
    "McpResource": shaped(
        {"name": TEXT, "uri": TEXT, "client": TEXT}, {"description": TEXT, "mimeType": TEXT}
    ),
    "McpServerNotFoundError": shaped(
        {"_tag": one_of("McpServerNotFoundError"), "name": TEXT, "message": TEXT}
    ),
    "McpUnsupportedOAuthError": shaped({"error": TEXT}),
}
STATUS, STATUSES = named("MCPStatus"), mapped(named("MCPStatus"))
UP = {"greet": {"status": "connected"}}


def _answers(schema: Schema, example: Any) -> dict[str, Any]:
    return {"description": "It went well.", "content": _json(schema, example)}


def _json(schema: Schema, example: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema, "example": example}}


_NOT_FOUND = {
    "description": "No server of that name.",
    "content": _json(
        named("McpServerNotFoundError"),
        {"_tag": "McpServerNotFoundError", "name": "x", "message": "MCP server not found: x"},
    ),
}
_NO_LOGIN = {
    "description": "A server that takes no login.",
    "content": {
        **_json(named("McpUnsupportedOAuthError"), {"error": "`greet` is a program on this machine"}),
        "application/problem+json": {"schema": named("Problem")},
    },
}


def _route(
    identity: str,
    summary: str,
    well: tuple[Schema, Any],
    *,
    body: tuple[Schema, Any] | None = None,
    more: dict[str, Any] | None = None,
    is_named: bool = False,
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": identity,
        "summary": summary,
        "tags": ["opencode"],
        "parameters": [*([NAME] if is_named else []), *ANYWHERE],
        "responses": {"200": _answers(*well), **(more or {}), **({"404": _NOT_FOUND} if is_named else {})},
    }
    if body is not None:
        found["requestBody"] = {"required": True, "content": _json(*body)}
    return found


_EITHER: Schema = {"anyOf": [named("McpLocalConfig"), named("McpRemoteConfig")]}
_ADDED = {"name": "far", "config": {"type": "remote", "url": "https://mcp.example.com/mcp"}}
_VISIT = {"authorizationUrl": "https://login.example.com/authorize?state=…", "oauthState": "…"}
_HEALTH = shaped({"healthy": {"type": "boolean", "enum": [True]}, "version": TEXT})
_RESOURCE = {"name": "a", "uri": "note://a", "client": "notes"}
_EVENT = 'data: {"id": "evt_1", "type": "mcp.tools.changed", "properties": {"server": "greet"}}\n\n'

PATHS: dict[str, dict[str, Any]] = {
    "/global/health": {
        "get": _route("global.health", "That it is well", (_HEALTH, {"healthy": True, "version": "1.0.0"}))
        | {"parameters": []}
    },
    "/mcp": {
        "get": _route("mcp.status", "Every server in five words", (STATUSES, UP)),
        "post": _route(
            "mcp.add",
            "Add a server until this program ends; `exec` where it starts a program",
            (STATUSES, {"far": {"status": "needs_auth"}}),
            body=(shaped({"name": TEXT, "config": _EITHER}), _ADDED),
        ),
    },
    "/mcp/{name}/connect": {
        "post": _route("mcp.connect", "Start it, or try it again at once", (BOOLEAN, True), is_named=True)
    },
    "/mcp/{name}/disconnect": {
        "post": _route("mcp.disconnect", "Stop it until somebody connects it", (BOOLEAN, True), is_named=True)
    },
    "/mcp/{name}/auth": {
        "post": _route(
            "mcp.auth.start",
            "Begin to log in",
            (shaped({"authorizationUrl": TEXT, "oauthState": TEXT}), _VISIT),
            more={"400": _NO_LOGIN},
            is_named=True,
        ),
        "delete": _route(
            "mcp.auth.remove",
            "Forget a login",
            (shaped({"success": {"type": "boolean", "enum": [True]}}), {"success": True}),
            more={"400": _NO_LOGIN},
            is_named=True,
        ),
    },
    "/mcp/{name}/auth/callback": {
        "post": _route(
            "mcp.auth.callback",
            "Bring the code that the browser came back with",
            (STATUS, UP["greet"]),
            body=(shaped({"code": TEXT}), {"code": "…"}),
            is_named=True,
        )
    },
    "/mcp/{name}/auth/authenticate": {
        "post": _route(
            "mcp.auth.authenticate",
            "Open a browser where this runs, and wait for it to come back",
            (STATUS, UP["greet"]),
            more={"400": _NO_LOGIN},
            is_named=True,
        )
    },
    "/experimental/resource": {
        "get": _route(
            "experimental.resource.list",
            "Every resource",
            (mapped(named("McpResource")), {"notes:note://a": _RESOURCE}),
        )
    },
    "/event": {
        "get": {
            "operationId": "event.subscribe",
            "summary": "Changed tools, as OpenCode's clients hear of them",
            "tags": ["opencode"],
            "parameters": ANYWHERE,
            "responses": {
                "200": {
                    "description": "A stream of events.",
                    "content": {"text/event-stream": {"schema": TEXT, "example": _EVENT}},
                }
            },
        }
    },
}
