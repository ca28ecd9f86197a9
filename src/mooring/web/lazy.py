"""Our own API as routes that anybody may look at, built when the first of them is used: FastAPI is dear."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from urllib.parse import unquote

from mooring.core.values import JSON
from mooring.errors import NotJson
from mooring.system.door import App, Receive, Role, Scope, Send
from mooring.system.door.asgi import Message, answer, header
from mooring.system.door.body import parse_json, read_body
from mooring.web.parts import Parts
from mooring.web.routing import Route

__all__ = ["PATHS", "Api"]

# What there is under `/api/v1`, and what it takes; `web/api` answers each of them and nothing else.
PATHS: Mapping[tuple[str, str], Role] = {
    ("GET", "/servers"): Role.READ,
    ("GET", "/servers/{name}"): Role.READ,
    ("GET", "/servers/{name}/log"): Role.READ,
    ("POST", "/servers/{name}/login"): Role.ADMIN,
    ("DELETE", "/servers/{name}/login"): Role.ADMIN,
    ("POST", "/servers/{name}/login/callback"): Role.ADMIN,
    ("GET", "/logins"): Role.READ,
    ("GET", "/servers/{name}/trust"): Role.READ,
    ("POST", "/servers/{name}/trust"): Role.EXEC,
    ("GET", "/config"): Role.READ,
    ("GET", "/config/files"): Role.READ,
    ("GET", "/config/clients"): Role.ADMIN,
    ("GET", "/config/servers/{name}"): Role.READ,
    ("PUT", "/config/servers/{name}"): Role.ADMIN,
    ("PATCH", "/config/servers/{name}"): Role.ADMIN,
    ("DELETE", "/config/servers/{name}"): Role.ADMIN,
    ("POST", "/servers/{name}/connect"): Role.ADMIN,
    ("POST", "/servers/{name}/disconnect"): Role.ADMIN,
    ("GET", "/servers/{name}/pins"): Role.READ,
    ("POST", "/servers/{name}/pins/approve"): Role.ADMIN,
    ("DELETE", "/servers/{name}/pins"): Role.ADMIN,
    ("GET", "/pins"): Role.READ,
    ("GET", "/tools"): Role.READ,
    ("GET", "/resources"): Role.READ,
    ("GET", "/templates"): Role.READ,
    ("GET", "/prompts"): Role.READ,
    ("GET", "/search"): Role.READ,
    ("POST", "/call"): Role.CALL,
    ("POST", "/read"): Role.CALL,
    ("POST", "/prompt"): Role.CALL,
    ("POST", "/complete"): Role.CALL,
    ("GET", "/calls"): Role.READ,
    ("GET", "/metrics"): Role.READ,
    ("GET", "/questions"): Role.CALL,
    ("POST", "/questions/{ticket}"): Role.CALL,
}


class Api:
    """A slash in a name stays encoded until the name is used; `beside` are routes that are described too."""

    def __init__(self, parts: Parts, beside: Sequence[Route]) -> None:
        self._parts = parts
        self._beside = beside
        self._app: App | None = None
        self._document: JSON = None
        self._building = asyncio.Lock()

    @property
    def routes(self) -> tuple[Route, ...]:
        ours = [Route(method, f"/api/v1{path}", role, self.serve) for (method, path), role in PATHS.items()]
        return (*ours, Route("GET", "/doc", Role.READ, self.document))

    async def warm(self) -> None:
        """Built before anybody waits for it."""
        await self._built()

    async def document(self, _scope: Scope, _receive: Receive, send: Send, _given: Mapping[str, str]) -> None:
        """OpenAPI of all that is served, except the page."""
        await self._built()
        await answer(
            send, 200, json.dumps(self._document).encode(), ((b"content-type", b"application/json"),)
        )

    async def serve(self, scope: Scope, receive: Receive, send: Send, _given: Mapping[str, str]) -> None:
        app = await self._built()
        path = "/".join(unquote(each).replace("/", "%2F") for each in scope["raw_path"].decode().split("/"))
        inner = {**scope, "path": path, "root_path": ""}
        await app(inner, await _checked(scope, receive), send)

    async def _built(self) -> App:
        async with self._building:
            if self._app is not None:
                return self._app
            module = await asyncio.to_thread(import_module, "mooring.web.api")
            self._app, self._document = app, _ = module.build(self._parts, (*self.routes, *self._beside))
            return app


async def _checked(scope: Scope, receive: Receive) -> Receive:
    """The same body, once it is known to be JSON that means one thing only."""
    if scope["method"] in ("GET", "HEAD"):
        return receive
    body = await read_body(receive)
    if body:
        kinds = header(scope, b"content-type")
        if len(kinds) != 1 or kinds[0].partition(b";")[0].strip().lower() != b"application/json":
            raise NotJson("The body has to be JSON", hint="Send `Content-Type: application/json`")
        parse_json(body)
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again
