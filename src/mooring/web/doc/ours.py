"""What each route of our own API answers, with an example of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from mooring.web.doc.pieces import (
    ANY,
    BOOLEAN,
    INTEGER,
    OBJECT,
    TEXT,
    Schema,
    listed,
    named,
    one_of,
    or_null,
    shaped,
)

__all__ = ["ANSWERS", "STREAMS"]

Example: TypeAlias = dict[str, Any]

CLOCK: Example = {
    "name": "greet",
    "status": "connected",
    "transport": "stdio",
    "protocol": "2026-07-28",
    "serverName": "greet",
    "serverVersion": "1.0.0",
    "required": False,
    "lazy": False,
    "counts": {"tools": 1, "resources": 1, "templates": 0, "prompts": 1},
    "pins": {"changed": [], "new": [], "blocked": False},
    "latencyMs": 12.5,
    "since": 1789000000.0,
    "lastOk": 1789000000.0,
    "nextTry": None,
    "reason": None,
    "hint": None,
    "error": None,
    "exitCode": None,
    "stderr": [],
}
MOMENT: Example = {"at": 1789000000.0, "status": "connected", "reason": None, "code": None, "exitCode": None}
TOOL: Example = {
    "name": "greet_greet",
    "server": "greet",
    "tool": "greet",
    "title": "Greet",
    "description": "Say hello to somebody",
    "readOnly": True,
    "destructive": False,
    "openWorld": False,
    "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
    "outputSchema": None,
}
RESOURCE: Example = {
    "uri": "greet://languages",
    "server": "greet",
    "name": "languages",
    "title": "Languages",
    "description": "What can be said hello in",
    "mimeType": "application/json",
    "size": None,
}
TEMPLATE: Example = {key: value for key, value in RESOURCE.items() if key not in ("uri", "size")} | {
    "uriTemplate": "greet://hello/{language}"
}
PROMPT: Example = {
    "name": "greet:introduce",
    "server": "greet",
    "prompt": "introduce",
    "title": "",
    "description": "",
    "arguments": [{"name": "name", "description": "Who it is", "required": True}],
}
HIT: Example = {
    "kind": "tool",
    "name": "greet_greet",
    "server": "greet",
    "description": "Say hello to somebody",
    "required": ["name"],
    "readOnly": True,
    "destructive": False,
    "openWorld": False,
    "score": 4.2,
}
RESULT: Example = {"content": [{"type": "text", "text": "Hello, Ada!"}], "structured": None, "isError": False}
QUESTION: Example = {
    "id": "q7Kd0c2mZr1x",
    "asked": "2026-09-10T12:00:00+00:00",
    "kind": "approve",
    "server": "greet",
    "message": "May `greet_greet` run with this?",
    "tool": "greet_greet",
    "arguments": {"name": "Ada"},
    "readOnly": False,
    "caller": "token",
    "call": "call-7",
    "mayAnswer": True,
}
CALL: Example = {
    "id": 7,
    "at": 1789000000.0,
    "caller": "token",
    "face": "http",
    "agent": "build",
    "server": "greet",
    "tool": "greet_greet",
    "arguments": {"name": "Ada"},
    "outcome": "done",
    "code": None,
    "durationMs": 3.4,
    "sentBytes": 14,
    "receivedBytes": 61,
}
PINS: Example = {"changed": [], "new": [], "gone": [], "same": ["greet"], "fingerprints": {"greet": "0" * 64}}
PINNED: Example = {"server": "greet", "at": 1789000000.0, "tools": ["greet"], "allowed": []}
LOGIN: Example = {
    "name": "far",
    "url": "https://mcp.example.com/mcp",
    "status": "authenticated",
    "issuer": "https://login.example.com",
    "scopes": ["read"],
    "expiresAt": 1789003600.0,
    "renews": True,
    "source": None,
    "stored": None,
    "configured": True,
}
RECORD: Example = {
    "at": 1789000000.0,
    "run": "1f0c9a72",
    "from": "stderr",
    "level": None,
    "logger": None,
    "text": "listening",
}
TRUST: Example = {
    "name": "greet",
    "approved": False,
    "files": ["/home/ada/project/mooring.json"],
    "folder": "/home/ada/project",
    "launch": {"program": "/usr/bin/python3", "command": ["python3", "-m", "mooring.servers.greet"]},
    "variables": ["{env:GREETING}"],
    "fingerprint": "0" * 64,
    "changed": [],
}
EDITED: Example = {
    "file": "/home/ada/.config/mooring/mooring.jsonc",
    "diff": '@@ -1 +1,5 @@\n-{}\n+{\n+  "mcp": {…}\n+}',
    "applied": True,
    "overruledBy": [],
}
CONFIG: Example = {
    "values": [{"key": "mcp.far.url", "value": "https://mcp.example.com/mcp", "layer": "global"}],
    "servers": [{"name": "far", "enabled": True, "type": "remote", "url": "https://mcp.example.com/mcp"}],
    "files": [{"layer": "global", "file": EDITED["file"]}],
    "problems": [],
}
METRICS: Example = {
    "since": 1789000000.0,
    "callsUnderWay": 0,
    "servers": {"connected": 1},
    "calls": [
        {"server": "greet", "outcomes": {"done": 2}, "seconds": 0.007, "buckets": {"0.005": 2, "+Inf": 2}}
    ],
}
FILE: Schema = shaped({"layer": TEXT, "file": TEXT})


def _page(schema: str, example: Any) -> tuple[Schema, Any]:
    pages = shaped({"items": listed(named(schema)), "total": INTEGER, "next": or_null(TEXT)})
    return pages, {"items": [example], "total": 1, "next": None}


ANSWERS: Mapping[tuple[str, str], tuple[Schema, Any]] = {
    ("GET", "/servers"): (listed(named("Server")), [CLOCK]),
    ("GET", "/servers/{name}"): (named("ServerDetail"), {**CLOCK, "history": [MOMENT]}),
    ("POST", "/servers/{name}/connect"): (named("Server"), CLOCK),
    ("POST", "/servers/{name}/disconnect"): (named("Server"), CLOCK | {"status": "disabled"}),
    ("GET", "/servers/{name}/log"): (listed(named("LogRecord")), [RECORD]),
    ("POST", "/servers/{name}/login"): (
        shaped({"url": TEXT, "state": TEXT}),
        {"url": "https://login.example.com/authorize?state=…", "state": "…"},
    ),
    ("POST", "/servers/{name}/login/callback"): (named("Server"), CLOCK),
    ("DELETE", "/servers/{name}/login"): (
        shaped({"name": TEXT, "loggedOut": BOOLEAN, "revoked": BOOLEAN, "note": or_null(TEXT)}),
        {"name": "far", "loggedOut": True, "revoked": True, "note": None},
    ),
    ("GET", "/logins"): (listed(named("Login")), [LOGIN]),
    ("GET", "/servers/{name}/trust"): (named("Trust"), TRUST),
    ("POST", "/servers/{name}/trust"): (named("Server"), CLOCK),
    ("GET", "/servers/{name}/pins"): (named("Pins"), PINS),
    ("POST", "/servers/{name}/pins/approve"): (named("Pins"), PINS),
    ("DELETE", "/servers/{name}/pins"): (
        shaped({"server": TEXT, "reset": INTEGER}),
        {"server": "greet", "reset": 1},
    ),
    ("GET", "/pins"): (listed(named("Pinned")), [PINNED]),
    ("GET", "/tools"): _page("Tool", TOOL),
    ("GET", "/resources"): _page("Resource", RESOURCE),
    ("GET", "/templates"): _page("Template", TEMPLATE),
    ("GET", "/prompts"): _page("Prompt", PROMPT),
    ("GET", "/search"): (listed(named("Hit")), [HIT]),
    ("POST", "/call"): (named("Result"), RESULT),
    ("POST", "/read"): (
        shaped({"contents": listed(ANY)}),
        {"contents": [{"uri": "greet://languages", "text": "[]"}]},
    ),
    ("POST", "/prompt"): (
        shaped({"description": ANY, "messages": listed(ANY)}),
        {"description": None, "messages": [{"role": "user", "content": {"type": "text", "text": "Hello"}}]},
    ),
    ("POST", "/complete"): (named("Completion"), {"values": ["Ada"], "total": 1, "hasMore": None}),
    ("GET", "/calls"): (listed(named("Call")), [CALL]),
    ("GET", "/questions"): (shaped({"questions": listed(named("Question"))}), {"questions": [QUESTION]}),
    ("POST", "/questions/{ticket}"): (shaped({}), {}),
    ("GET", "/config"): (
        shaped(
            {
                "values": listed(named("Value")),
                "servers": listed(OBJECT),
                "files": listed(FILE),
                "problems": listed(named("Notice")),
            }
        ),
        CONFIG,
    ),
    ("GET", "/config/files"): (
        listed(shaped({"layer": TEXT, "file": TEXT, "state": one_of("read", "broken", "-")})),
        [{"layer": "global", "file": EDITED["file"], "state": "read"}],
    ),
    ("GET", "/config/clients"): (
        listed(
            shaped(
                {
                    "client": TEXT,
                    "files": listed(TEXT),
                    "servers": listed(TEXT),
                    "problems": listed(named("Notice")),
                }
            )
        ),
        [{"client": "cursor", "files": ["/home/ada/.cursor/mcp.json"], "servers": ["db"], "problems": []}],
    ),
    ("GET", "/config/servers/{name}"): (
        shaped({"name": TEXT, "entry": OBJECT, "files": listed(TEXT), "needs": one_of("admin", "exec")}),
        {"name": "far", "entry": {"url": "https://mcp.example.com/mcp"}, "files": [], "needs": "admin"},
    ),
    ("PUT", "/config/servers/{name}"): (named("Edited"), EDITED | {"needs": "admin"}),
    ("PATCH", "/config/servers/{name}"): (named("Edited"), EDITED),
    ("DELETE", "/config/servers/{name}"): (
        named("Edited"),
        {**{key: EDITED[key] for key in ("file", "diff", "applied")}, "stillIn": []},
    ),
    ("GET", "/metrics"): (named("Metrics"), METRICS),
}

# Those that are, or can be, a stream of events.
STREAMS: Mapping[tuple[str, str], str] = {
    ("POST", "/call"): 'event: progress\ndata: {"progress": 1, "total": 2, "message": ""}\n\n',
    ("GET", "/servers/{name}/log"): 'event: line\ndata: {"text": "listening"}\n\n',
    ("GET", "/events"): 'id: 1f-7\nevent: server.status\ndata: {"kind": "server.status"}\n\n',
}
