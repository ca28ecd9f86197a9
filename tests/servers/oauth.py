"""An MCP server that is its own authorization server, whose every answer a test decides."""

from __future__ import annotations

import asyncio
import threading
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Any
from urllib.parse import parse_qsl, urlencode

from tests.servers.scripted_http import HttpServer, Request, as_json, listening, raw

Answer = Callable[[Request], bytes]


@dataclass
class Guarded(HttpServer):
    """`changes` are those of its metadata, `instead` whole answers by path; `tokens` open the door.

    `wants` names the scope without which a method of the protocol is refused.
    """

    changes: dict[str, Any] = field(default_factory=dict)
    instead: dict[str, Answer] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    lifetime: int = 3600
    wants: dict[str, str] = field(default_factory=dict)
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)
    _scopes: dict[str, str] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def origin(self) -> str:
        return self.url.removesuffix("/mcp")

    def paths(self) -> list[str]:
        """What was asked, but for the protocol's own."""
        asked = [request for request in self.requests if request.target != "/mcp"]
        return [f"{request.method} {request.target.partition('?')[0]}" for request in asked]

    async def plainly(self, request: Request, writer: asyncio.StreamWriter) -> None:
        path = request.target.partition("?")[0]
        if path in self.instead:
            writer.write(self.instead[path](request))
        elif path != "/mcp":
            writer.write(self._answer(request, path))
        elif (token := request.headers.get("authorization", "").removeprefix("Bearer ")) in self.tokens:
            wanted = self.wants.get(request.verb)
            if wanted is None or wanted in self._scopes.get(token, ""):
                await super().plainly(request, writer)
            else:
                challenge = f'Bearer error="insufficient_scope", scope="{wanted}"'
                writer.write(raw(403, b"", **{"www-authenticate": challenge}))
        else:
            metadata = f"{self.origin}/.well-known/oauth-protected-resource/mcp"
            challenge = f'Bearer resource_metadata="{metadata}", scope="notes:read"'
            writer.write(raw(401, b"", **{"www-authenticate": challenge}))

    def _answer(self, request: Request, path: str) -> bytes:
        match path:
            case "/.well-known/oauth-protected-resource/mcp":
                return as_json({"resource": self.url, "authorization_servers": [self.origin]})
            case "/.well-known/oauth-authorization-server":
                return as_json(self._metadata())
            case "/register":
                return as_json({**request.message, "client_id": f"client-{next(self._numbers)}"}, 201)
            case "/authorize":
                return self._authorize(dict(parse_qsl(request.target.partition("?")[2])))
            case "/token":
                return self._token(dict(parse_qsl(request.body.decode())))
            case "/revoke":
                self.tokens.discard(dict(parse_qsl(request.body.decode()))["token"])
                return raw(200)
            case _:
                return raw(404)

    def _metadata(self) -> dict[str, Any]:
        said = {
            "issuer": self.origin,
            **{f"{name}_endpoint": f"{self.origin}/{path}" for name, path in ENDPOINTS.items()},
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "authorization_response_iss_parameter_supported": True,
            **self.changes,
        }
        return {key: value for key, value in said.items() if value is not None}

    def _authorize(self, asked: dict[str, str]) -> bytes:
        code = f"code-{next(self._numbers)}"
        self._codes[code] = asked
        query = urlencode({"code": code, "state": asked["state"], "iss": self.origin})
        return raw(302, b"", location=f"{asked['redirect_uri']}?{query}")

    def _token(self, given: dict[str, str]) -> bytes:
        asked = self._codes.pop(given.get("code", ""), None)
        if asked is None:
            return as_json({"error": "invalid_grant"}, 400)
        digest = sha256(given["code_verifier"].encode()).digest()
        is_ours = urlsafe_b64encode(digest).decode().rstrip("=") == asked["code_challenge"]
        if not is_ours or given["redirect_uri"] != asked["redirect_uri"] or given["resource"] != self.url:
            return as_json({"error": "invalid_grant"}, 400)
        token = f"token-{next(self._numbers)}"
        self.tokens.add(token)
        self._scopes[token] = asked.get("scope", "")
        about = {"token_type": "Bearer", "expires_in": self.lifetime, "scope": asked.get("scope", "")}
        return as_json({"access_token": token, "refresh_token": f"again-{token}", **about})


ENDPOINTS = {
    "authorization": "authorize",
    "token": "token",
    "registration": "register",
    "revocation": "revoke",
}


@asynccontextmanager
async def guarded(**settings: Any) -> AsyncIterator[Guarded]:
    server = Guarded(**settings)
    async with listening(server.serve) as port:
        server.port = port
        yield server


@contextmanager
def guarded_beside(**settings: Any) -> Iterator[Guarded]:
    """The same in a thread, for a test whose own loop is the command's."""
    ready: list[Guarded] = []
    began = threading.Event()
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def serve() -> None:
        async with guarded(**settings) as server:
            ready.append(server)
            began.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    assert began.wait(10)
    try:
        yield ready[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
        loop.close()
