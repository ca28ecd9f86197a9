"""A small MCP server that needs nothing but Python: it greets, and says what time it is."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

NO_ARGUMENTS = {"type": "object", "properties": {}}
TOOLS = [
    {"name": "greet", "description": "Greets whoever starts this server.", "inputSchema": NO_ARGUMENTS},
    {"name": "now", "description": "The local time.", "inputSchema": NO_ARGUMENTS},
]


def called(tool: str) -> dict[str, Any]:
    match tool:
        case "greet":
            text = f"{os.environ.get('GREETING', 'Hello')}, {os.environ.get('GUEST', 'stranger')}!"
        case "now":
            text = time.strftime("%H:%M:%S")
        case _:
            return {"content": [{"type": "text", "text": f"There is no tool `{tool}`"}], "isError": True}
    return {"content": [{"type": "text", "text": text}]}


def answer(method: str, given: dict[str, Any]) -> dict[str, Any] | None:
    match method:
        case "initialize":
            about = {"name": "hello", "version": "1"}
            version = given.get("protocolVersion", "2025-11-25")
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
        case "tools/list":
            return {"tools": TOOLS}
        case "tools/call":
            return called(given.get("name", ""))
        case "ping":
            return {}
        case _:
            return None


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request or "method" not in request:
            continue
        result = answer(request["method"], request.get("params") or {})
        unknown = {"error": {"code": -32601, "message": "Method not found"}}
        reply = unknown if result is None else {"result": result}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **reply}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
