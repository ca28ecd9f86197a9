"""A server and its authorization server on this machine, whose every answer a test decides."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias
from urllib.parse import parse_qsl


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode()))

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Said:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


ASKED = "https://docs.example.com/mcp"


@dataclass(frozen=True)
class Turned:
    """How a server turns a request away."""

    status: int = 401
    challenge: str = ""
    nonce: str = ""

    @property
    def headers(self) -> Mapping[str, str]:
        return {"www-authenticate": self.challenge, **({"dpop-nonce": self.nonce} if self.nonce else {})}


Answer: TypeAlias = Callable[[Asked], Said] | Said | dict[str, Any] | int


@dataclass
class Place:
    """`answers` by path, with or without the method before it; whatever is not in it is 404."""

    origin: str = ""
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def paths(self) -> list[str]:
        return [f"{asked.method} {asked.path}" for asked in self.asked]

    def to(self, path: str) -> list[Asked]:
        return [asked for asked in self.asked if asked.path.partition("?")[0] == path]

    def answer(self, asked: Asked) -> Said:
        path = asked.path.partition("?")[0]
        answer = self.answers.get(f"{asked.method} {path}", self.answers.get(path, 404))
        if callable(answer):
            answer = answer(asked)
        match answer:
            case Said():
                return answer
            case int():
                return Said(answer)
            case _:
                return Said(200, json.dumps(answer).encode(), {"content-type": "application/json"})


@contextmanager
def place(answers: Mapping[str, Answer] | None = None) -> Iterator[Place]:
    """Anything over http on a port of its own, until the block ends."""
    here = Place(answers=dict(answers or {}))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _do(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, headers, body)
            here.asked.append(asked)
            said = here.answer(asked)
            self.send_response(said.status)
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(said.body)))
            self.end_headers()
            self.wfile.write(said.body)

        do_GET = do_POST = _do  # noqa: N815 - http.server's own names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's own name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    here.origin = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()


def describe(here: Place, **changes: Any) -> dict[str, Any]:
    """Metadata of an authorization server that can do everything; a change to None takes a key out."""
    said = {
        "issuer": here.origin,
        "authorization_endpoint": f"{here.origin}/authorize",
        "token_endpoint": f"{here.origin}/token",
        "registration_endpoint": f"{here.origin}/register",
        "revocation_endpoint": f"{here.origin}/revoke",
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
        "authorization_response_iss_parameter_supported": True,
        **changes,
    }
    return {key: value for key, value in said.items() if value is not None}


def trust(here: Place, **changes: Any) -> None:
    """The same place is the server at `/mcp` and its authorization server."""
    here.answers["/.well-known/oauth-protected-resource/mcp"] = {
        "resource": f"{here.origin}/mcp",
        "authorization_servers": [here.origin],
    }
    here.answers["/.well-known/oauth-authorization-server"] = describe(here, **changes)
