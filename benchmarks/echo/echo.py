"""The server of `echo.c` in Python: over stdio where there is no compiler, and over HTTP.

It takes the same options. With `--http` it prints its port first, answers calls after `--delay` milliseconds,
and with `--token` lets in only who brings that number.
"""

import json
import os
import socket
import sys
import time
from collections import deque
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Any

NEW_ERA = "2026-07-28"


def option(name: str, otherwise: int) -> int:
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else otherwise


MODERN, HANG = "--modern" in sys.argv, "--hang" in sys.argv
DELAY = option("--delay", 0) / 1000
TOKEN = b"authorization: bearer %d" % option("--token", 0) if "--token" in sys.argv else b""
STAMP = {"resultType": "complete"} if MODERN else {}
CACHE = {**STAMP, "ttlMs": 0, "cacheScope": "public"} if MODERN else {}
US = {"capabilities": {"tools": {}}, "serverInfo": {"name": "echo", "version": "1"}}
SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "What to say"},
        "count": {"type": "integer"},
    },
    "required": ["text"],
}
SAYS = "Gives back a text of a size that was settled when the server was started, whatever it is asked for."
TOOLS = [
    {"name": f"tool_{number}" if number else "echo", "description": SAYS, "inputSchema": SCHEMA}
    for number in range(option("--tools", 5))
]
TEXT = "".join("abcdefghijklmnopqrstuvwxyz"[number % 26] for number in range(option("--size", 100)))
CALLED = {"content": [{"type": "text", "text": TEXT}], "isError": False, **STAMP}
KNOWN = {
    "tools/call": CALLED,
    "tools/list": {"tools": TOOLS, **CACHE},
    "ping": {},
    **({"server/discover": {"supportedVersions": [NEW_ERA], **US, **CACHE}} if MODERN else {}),
}
READY = {
    method: b',"result":' + json.dumps(result, separators=(",", ":")).encode() + b"}"
    for method, result in KNOWN.items()
}


def answer(message: dict[str, Any]) -> bytes:
    """Nothing for a notification."""
    method = message.get("method")
    if "id" not in message or not method or (HANG and method == "tools/call"):
        return b""
    rest = READY.get(method)
    if method == "initialize":
        result = {"protocolVersion": message["params"]["protocolVersion"], **US}
        rest = b',"result":' + json.dumps(result).encode() + b"}"
    elif rest is None:
        rest = b',"error":{"code":-32601,"message":"Method not found"}}'
    return b'{"jsonrpc":"2.0","id":' + json.dumps(message["id"]).encode() + rest


def talk() -> None:
    rest = b""
    while chunk := os.read(0, 65536):
        *lines, rest = (rest + chunk).split(b"\n")
        out = b"".join(said + b"\n" for line in lines if line.strip() and (said := answer(json.loads(line))))
        while out:
            out = out[os.write(1, out) :]


# --- over HTTP


# what is to be said later, and when: each waits as long, so the first is always the next
LATER: deque[tuple[float, socket.socket, bytes]] = deque()


class Caller:
    """One connection that is kept; requests on it are answered in their order."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.taken = b""

    def hear(self) -> bool:
        """Whether it is still there."""
        try:
            chunk = self.connection.recv(65536)
        except ConnectionError:
            return False
        self.taken += chunk
        while (whole := self.cut()) is not None:
            said = respond(*whole)
            if DELAY and b'"tools/call"' in whole[1]:
                LATER.append((time.monotonic() + DELAY, self.connection, said))
            else:
                self.connection.sendall(said)
        return bool(chunk)

    def cut(self) -> tuple[bytes, bytes] | None:
        head, gap, rest = self.taken.partition(b"\r\n\r\n")
        if not gap:
            return None
        _, found, size = head.lower().partition(b"content-length:")
        length = int(size.split(b"\r\n")[0]) if found else 0
        if len(rest) < length:
            return None
        self.taken = rest[length:]
        return head, rest[:length]


def respond(head: bytes, body: bytes) -> bytes:
    if not head.startswith(b"POST"):
        return b"HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\n\r\n"
    if TOKEN not in head.lower():
        return b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"
    message = json.loads(body)
    said = answer(message)
    if not said:
        return b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
    session = b"Mcp-Session-Id: one\r\n" if message["method"] == "initialize" else b""
    start = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + session
    return start + b"Content-Length: %d\r\n\r\n" % len(said) + said


def until_the_next() -> float | None:
    """What is due is said first."""
    while LATER:
        due, connection, said = LATER[0]
        if (left := due - time.monotonic()) > 0:
            return left
        LATER.popleft()
        with suppress(OSError):
            connection.sendall(said)
    return None


def serve() -> None:
    """Until nobody holds its stdin any more."""
    watch = DefaultSelector()
    with socket.create_server(("127.0.0.1", 0)) as door:
        print(door.getsockname()[1], flush=True)
        watch.register(door, EVENT_READ)
        watch.register(0, EVENT_READ)
        while True:
            for key, _ in watch.select(until_the_next()):
                if key.fd == 0:
                    return
                if isinstance(key.data, Caller):
                    if not key.data.hear():
                        watch.unregister(key.data.connection)
                        key.data.connection.close()
                    continue
                connection, _ = door.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                watch.register(connection, EVENT_READ, Caller(connection))


time.sleep(option("--startup", 0) / 1000)
serve() if "--http" in sys.argv else talk()
