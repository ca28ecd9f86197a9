"""A small server without the SDK, so that a command line has it up in a moment."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

TOOLS = [
    {
        "name": "add",
        "description": "Keep a note.\nIt gets a number.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": "What it is called"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "stars": {"type": "integer"},
            },
            "required": ["title"],
        },
    },
    {"name": "draw", "description": "A picture.", "inputSchema": {}, "annotations": {"readOnlyHint": True}},
    {"name": "refuse", "description": "It never works.", "inputSchema": {}},
    {"name": "hang", "description": "It never ends.", "inputSchema": {}},
    {"name": "count", "description": "It tells how far it is.", "inputSchema": {}},
    {"name": "ask", "description": "It wants to know something.", "inputSchema": {}},
]
RESOURCES = [{"uri": "notes://today", "name": "today", "mimeType": "text/plain", "description": "Of today"}]
TEMPLATES = [{"uriTemplate": "notes://{day}", "name": "day"}]
PROMPTS = [{"name": "summary", "description": "Sum up.", "arguments": [{"name": "tone", "required": True}]}]


def say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def mark(what: str) -> None:
    """For a test that has to know how far things are."""
    with Path(os.environ["NOTES_MARKS"]).open("w") as marks:
        marks.write(f"{what}\n")


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


def say_progress(token: Any, done: int) -> None:
    progress = {"progressToken": token, "progress": done, "total": 4, "message": f"page {done}"}
    say({"method": "notifications/progress", "params": progress})


def call(params: dict[str, Any]) -> dict[str, Any] | None:
    arguments = params.get("arguments") or {}
    match params["name"]:
        case "add":
            return text(json.dumps(arguments, sort_keys=True), structuredContent=arguments)
        case "draw":
            return {"content": [{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}]}
        case "refuse":
            return text("no more paper", isError=True)
        case "count":
            token = params.get("_meta", {}).get("progressToken")
            for done in (1, 2):
                say_progress(token, done)
            # the answer waits until somebody has seen it
            if "NOTES_GATE" in os.environ:
                with Path(os.environ["NOTES_GATE"]).open() as gate:
                    gate.readline()
            return text("done")
        case "ask":
            say(
                {
                    "id": "q",
                    "method": "elicitation/create",
                    "params": {"message": "Why?", "requestedSchema": arguments.get("form", {})},
                }
            )
            answer = json.loads(sys.stdin.readline())
            result = answer.get("result", {})
            content = f" {json.dumps(result['content'])}" if result.get("content") else ""
            return text(f"{result.get('action', 'none')}{content}")
        case _:
            mark("hanging")
            return None


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    match method:
        case "initialize":
            return {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
                "serverInfo": {"name": "notes", "version": "1"},
            }
        case "tools/list":
            return {"tools": TOOLS}
        case "resources/list":
            return {"resources": RESOURCES}
        case "resources/templates/list":
            return {"resourceTemplates": TEMPLATES}
        case "prompts/list":
            return {"prompts": PROMPTS}
        case "resources/read":
            return {"contents": [{"uri": params["uri"], "text": f"the text of {params['uri']}"}]}
        case "prompts/get":
            tone = params["arguments"]["tone"]
            return {"messages": [{"role": "user", "content": {"type": "text", "text": f"Be {tone}"}}]}
        case "tools/call":
            return call(params)
        case _:
            return {}


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "notifications/cancelled":
            mark("cancelled")
        if "id" not in message or "method" not in message:
            continue
        if message["method"] == "server/discover":
            say({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
            continue
        result = answer(message["method"], message.get("params") or {})
        if result is not None:
            say({"id": message["id"], "result": result})


main()
