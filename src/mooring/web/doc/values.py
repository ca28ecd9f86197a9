"""The shapes that answers of our own API are made of."""

from __future__ import annotations

from mooring.web.doc.pieces import (
    ANY,
    BOOLEAN,
    INTEGER,
    NUMBER,
    OBJECT,
    TEXT,
    Schema,
    listed,
    mapped,
    named,
    one_of,
    or_null,
    shaped,
)

__all__ = ["SCHEMAS"]

WORDS = (
    *("disabled", "pending", "connecting", "connected", "needs_approval", "needs_auth"),
    *("needs_client_registration", "failed"),
)
MAYBE_TEXT, MAYBE_NUMBER = or_null(TEXT), or_null(NUMBER)
PLACE: dict[str, Schema] = {
    "layer": TEXT,
    "file": TEXT,
    "line": INTEGER,
    "column": INTEGER,
    "text": TEXT,
}
ERROR: Schema = shaped(
    {"code": TEXT, "message": TEXT, "hint": TEXT}, {key: PLACE[key] for key in PLACE if key != "layer"}
)
SERVER: dict[str, Schema] = {
    "name": TEXT,
    "status": one_of(*WORDS),
    "transport": TEXT,
    "protocol": MAYBE_TEXT,
    "serverName": MAYBE_TEXT,
    "serverVersion": MAYBE_TEXT,
    "required": BOOLEAN,
    "lazy": BOOLEAN,
    "counts": shaped(dict.fromkeys(("tools", "resources", "templates", "prompts"), INTEGER)),
    "pins": shaped({"changed": listed(TEXT), "new": listed(TEXT), "blocked": BOOLEAN}),
    "latencyMs": MAYBE_NUMBER,
    "since": MAYBE_NUMBER,
    "lastOk": MAYBE_NUMBER,
    "nextTry": MAYBE_NUMBER,
    "reason": MAYBE_TEXT,
    "hint": MAYBE_TEXT,
    "error": or_null(named("Error")),
    "exitCode": or_null(INTEGER),
    "stderr": listed(TEXT),
}
OFFER: dict[str, Schema] = {"server": TEXT, "title": TEXT, "description": TEXT}
ITEM: dict[str, Schema] = {**OFFER, "name": TEXT, "mimeType": TEXT}
DIFFERENCE = shaped({"field": TEXT, "old": MAYBE_TEXT, "new": MAYBE_TEXT})

SCHEMAS: dict[str, Schema] = {
    "Problem": shaped(
        {"type": TEXT, "title": TEXT, "status": INTEGER, "detail": TEXT, "code": TEXT, "hint": TEXT},
        is_open=True,
    ),
    "Error": ERROR,
    "Notice": shaped(
        {"severity": one_of("error", "notice"), **ERROR["properties"]},
    )
    | {"required": ["severity", "code", "message", "hint"]},
    "Server": shaped(SERVER),
    "ServerDetail": shaped({**SERVER, "history": listed(named("Moment"))}),
    "Moment": shaped(
        {
            "at": NUMBER,
            "status": one_of(*WORDS),
            "reason": MAYBE_TEXT,
            "code": MAYBE_TEXT,
            "exitCode": or_null(INTEGER),
        }
    ),
    "Tool": shaped(
        {
            **OFFER,
            "name": TEXT,
            "tool": TEXT,
            "readOnly": BOOLEAN,
            "destructive": BOOLEAN,
            "openWorld": BOOLEAN,
            "inputSchema": OBJECT,
            "outputSchema": or_null(OBJECT),
        }
    ),
    "Resource": shaped({**ITEM, "uri": TEXT, "size": MAYBE_NUMBER}),
    "Template": shaped({**ITEM, "uriTemplate": TEXT}),
    "Prompt": shaped(
        {
            **OFFER,
            "name": TEXT,
            "prompt": TEXT,
            "arguments": listed(shaped({"name": TEXT, "description": TEXT, "required": BOOLEAN})),
        }
    ),
    "Hit": shaped(
        {
            "kind": one_of("tool", "resource", "template", "prompt"),
            "name": TEXT,
            "server": TEXT,
            "description": TEXT,
            "required": listed(TEXT),
            "readOnly": or_null(BOOLEAN),
            "destructive": or_null(BOOLEAN),
            "openWorld": or_null(BOOLEAN),
            "score": NUMBER,
        }
    ),
    "Result": shaped({"content": listed(ANY), "structured": ANY, "isError": BOOLEAN}),
    "Completion": shaped({"values": listed(ANY), "total": ANY, "hasMore": ANY}),
    "Question": shaped(
        {
            "id": TEXT,
            "asked": TEXT,
            "kind": one_of("approve", "elicit", "sample", "visit"),
            "server": TEXT,
            "caller": TEXT,
            "call": MAYBE_TEXT,
            "mayAnswer": BOOLEAN,
        },
        {
            "message": TEXT,
            "tool": TEXT,
            "arguments": OBJECT,
            "readOnly": BOOLEAN,
            "schema": OBJECT,
            "request": OBJECT,
            "url": TEXT,
        },
    ),
    "Call": shaped(
        {
            "id": INTEGER,
            "at": NUMBER,
            "caller": TEXT,
            "face": TEXT,
            "agent": TEXT,
            "server": MAYBE_TEXT,
            "tool": TEXT,
            "arguments": OBJECT,
            "outcome": one_of("done", "tool_error", "failed", "refused", "cancelled"),
            "code": MAYBE_TEXT,
            "durationMs": NUMBER,
            "sentBytes": INTEGER,
            "receivedBytes": INTEGER,
        }
    ),
    "Pins": shaped(
        {
            "changed": listed(shaped({"tool": TEXT, "fields": listed(DIFFERENCE)})),
            "new": listed(TEXT),
            "gone": listed(TEXT),
            "same": listed(TEXT),
            "fingerprints": mapped(TEXT),
        }
    ),
    "Pinned": shaped(
        {
            "server": TEXT,
            "at": MAYBE_NUMBER,
            "tools": listed(TEXT),
            "allowed": listed(shaped({"agent": TEXT, "tool": TEXT})),
        }
    ),
    "Login": shaped(
        {
            "name": TEXT,
            "url": TEXT,
            "status": one_of("authenticated", "expired", "not_authenticated"),
            "issuer": MAYBE_TEXT,
            "scopes": listed(TEXT),
            "expiresAt": MAYBE_NUMBER,
            "renews": BOOLEAN,
            "source": MAYBE_TEXT,
            "stored": MAYBE_TEXT,
            "configured": BOOLEAN,
        }
    ),
    "LogRecord": shaped(
        {
            "at": NUMBER,
            "run": TEXT,
            "from": one_of("stderr", "log", "mooring"),
            "level": MAYBE_TEXT,
            "logger": MAYBE_TEXT,
            "text": TEXT,
        }
    ),
    "Trust": shaped(
        {
            "name": TEXT,
            "approved": BOOLEAN,
            "files": listed(TEXT),
            "folder": TEXT,
            "launch": OBJECT,
            "variables": listed(TEXT),
            "fingerprint": TEXT,
            "changed": listed(TEXT),
        }
    ),
    "Metrics": shaped(
        {
            "since": NUMBER,
            "callsUnderWay": INTEGER,
            "servers": mapped(INTEGER),
            "calls": listed(
                shaped(
                    {
                        "server": TEXT,
                        "outcomes": mapped(INTEGER),
                        "seconds": NUMBER,
                        "buckets": mapped(INTEGER),
                    }
                )
            ),
        }
    ),
    "Value": shaped({"key": TEXT, "value": ANY}, PLACE),
    "Edited": shaped(
        {"file": TEXT, "diff": TEXT, "applied": BOOLEAN},
        {"needs": one_of("admin", "exec"), "overruledBy": listed(TEXT), "stillIn": listed(TEXT)},
    ),
}
