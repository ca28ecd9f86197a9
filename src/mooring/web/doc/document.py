"""The whole document, out of what FastAPI knows of requests and what stands here of answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mooring.web.doc import ours, theirs, values
from mooring.web.doc.pieces import TEXT, named
from mooring.web.routing import Route

__all__ = ["completed"]

BASE = "/api/v1"
METRICS = 'mooring_server_up{server="greet"} 1\n'
PROBLEM = {
    "type": "urn:mooring:MOOR-CONFIG-008",
    "title": "Not Found",
    "status": 404,
    "detail": "There is no server `gret`",
    "code": "MOOR-CONFIG-008",
    "hint": "Did you mean `greet`?",
}
TAGS = {
    "servers": "How each server is, starting and stopping it, and what it says.",
    "offers": "What servers offer.",
    "use": "Calls, resources and prompts.",
    "questions": "What calls wait for.",
    "logins": "Who we are to servers.",
    "config": "What is configured, and changing it.",
    "trust": "What projects want to start.",
    "records": "What is kept.",
    "opencode": "OpenCode's own routes, for its clients.",
}
_WAYS = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "password": {"type": "http", "scheme": "basic"},
    "page": {"type": "apiKey", "in": "cookie", "name": "mooring"},
}


def completed(found: dict[str, Any], routes: Iterable[Route]) -> dict[str, Any]:
    """`found` with every answer, every other route, and what each of `routes` takes."""
    paths: dict[str, Any] = {**found["paths"], **theirs.PATHS, **_plain()}
    for (method, path), (schema, example) in ours.ANSWERS.items():
        paths[BASE + path][method.lower()]["responses"] = {"200": _well(schema, example)}
    for (method, path), example in ours.STREAMS.items():
        content = paths[BASE + path][method.lower()]["responses"]["200"]["content"]
        content["text/event-stream"] = {"schema": TEXT, "example": example}
    metrics = paths[f"{BASE}/metrics"]["get"]["responses"]["200"]["content"]
    metrics["text/plain"] = {"schema": TEXT, "example": METRICS}
    roles = {(route.path, route.method.lower()): route.role for route in routes}
    told = {
        path: {method: _with_role(each, roles[path, method]) for method, each in methods.items()}
        for path, methods in paths.items()
    }
    requests = {
        name: schema
        for name, schema in found["components"]["schemas"].items()
        if name not in ("HTTPValidationError", "ValidationError", "Page")
    }
    components = {"schemas": {**requests, **values.SCHEMAS, **theirs.SCHEMAS}, "securitySchemes": _WAYS}
    tags = [{"name": name, "description": text} for name, text in TAGS.items()]
    security: list[dict[str, list[str]]] = [{way: []} for way in _WAYS]
    return {**found, "paths": told, "components": components, "tags": tags, "security": security}


def _well(schema: Any, example: Any) -> dict[str, Any]:
    return {
        "description": "It went well.",
        "content": {"application/json": {"schema": schema, "example": example}},
    }


def _with_role(operation: dict[str, Any], role: str | None) -> dict[str, Any]:
    """Whatever goes wrong is a problem document."""
    problem = {"application/problem+json": {"schema": named("Problem"), "example": PROBLEM}}
    wrong = {"default": {"description": "What is wrong, and what to do next.", "content": problem}}
    takes = f"Takes the role `{role}`." if role else "Takes no credential."
    description = f"{operation.get('description', '')}\n\n{takes}".strip()
    return {**operation, "description": description, "responses": {**operation["responses"], **wrong}}


def _plain() -> dict[str, Any]:
    """What is ours and no route of FastAPI's."""
    last = {
        "name": "Last-Event-ID",
        "in": "header",
        "required": False,
        "schema": TEXT,
        "description": "What came after this comes first.",
    }
    events: dict[str, Any] = {
        "operationId": "events",
        "summary": "Everything that happens",
        "tags": ["servers"],
        "parameters": [last],
        "responses": {"200": {"description": "A stream of events.", "content": {}}},
    }
    itself = {
        "operationId": "doc",
        "summary": "This document",
        "tags": ["servers"],
        "responses": {"200": _well({"type": "object"}, {"openapi": "3.1.0"})},
    }
    return {f"{BASE}/events": {"get": events}, "/doc": {"get": itself}}
