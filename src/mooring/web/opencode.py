"""OpenCode's own routes, with its paths and shapes: what its clients ask of a server."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

from mooring import __version__
from mooring.config.load import given_as
from mooring.core.events import CatalogChanged, Event
from mooring.core.redact import clean
from mooring.core.spec import BadServer, RemoteSpec
from mooring.core.status import Connected
from mooring.errors import BadEntry, BadRequest, NoLogin, UnknownServer
from mooring.host.verdict import error_of
from mooring.system.door import Receive, Role, Scope, Send, read_json, visitor_of
from mooring.system.door.asgi import answer, header
from mooring.web.parts import Parts
from mooring.web.rights import must_have, needs_exec
from mooring.web.routing import Route
from mooring.web.statuses import Statuses, in_five_words
from mooring.web.stream import Stream

__all__ = ["OpenCode", "shaped"]

JSON = ((b"content-type", b"application/json"),)
Given = Mapping[str, str]


class OpenCode:
    """Where OpenCode says that something went well although it did not, these routes say what is wrong."""

    def __init__(self, parts: Parts, statuses: Statuses, stream: Stream) -> None:
        self._parts = parts
        self._host = parts.host
        self._logins = parts.logins
        self._statuses = statuses
        self._stream = stream
        self._health = json.dumps({"healthy": True, "version": __version__}).encode()

    @property
    def routes(self) -> tuple[Route, ...]:
        return (
            Route("GET", "/global/health", Role.READ, self.health),
            Route("GET", "/mcp", Role.READ, self.status),
            Route("POST", "/mcp", Role.ADMIN, self.add),
            Route("POST", "/mcp/{name}/connect", Role.ADMIN, self.connect),
            Route("POST", "/mcp/{name}/disconnect", Role.ADMIN, self.disconnect),
            Route("POST", "/mcp/{name}/auth", Role.ADMIN, self.log_in),
            Route("POST", "/mcp/{name}/auth/callback", Role.ADMIN, self.come_back),
            Route("POST", "/mcp/{name}/auth/authenticate", Role.ADMIN, self.authenticate),
            Route("DELETE", "/mcp/{name}/auth", Role.ADMIN, self.log_out),
            Route("GET", "/experimental/resource", Role.READ, self.resources),
            Route("GET", "/event", Role.READ, self.events),
        )

    async def health(self, _scope: Scope, _receive: Receive, send: Send, _given: Given) -> None:
        await answer(send, 200, self._health, JSON)

    async def status(self, _scope: Scope, _receive: Receive, send: Send, _given: Given) -> None:
        await answer(send, 200, await self._statuses.encoded(), JSON)

    async def add(self, scope: Scope, receive: Receive, send: Send, _given: Given) -> None:
        """Until this program ends, whatever becomes of the files; its status says whether it works."""
        match await read_json(scope, receive):
            case {"name": str(name), "config": {**entry}, **rest} if name and not rest:
                pass
            case _:
                raise BadRequest(
                    "`name` and `config` are what is wanted here", hint='{"name": "…", "config": {…}}'
                )
        place = self._parts.place
        spec = given_as({"mcp": {name: entry}}, place.cwd, place.dirs).servers.get(name)
        if spec is None or isinstance(spec, BadServer):
            raise (
                spec.errors[0] if spec else BadEntry(f"`{name}` says neither what to start nor what to call")
            )
        needs = [each for each in (spec, self._host.config.servers.get(name)) if each and needs_exec(each)]
        if needs:
            must_have(visitor_of(scope), Role.EXEC, "To add what starts a program or reads a file")
        await self._host.add(spec)
        await answer(send, 200, await self._statuses.encoded(), JSON)

    async def connect(self, _scope: Scope, _receive: Receive, send: Send, given: Given) -> None:
        """True when it is connected; everything else is the error that its status stands for."""
        try:
            view = await self._host.connect(given["name"])
        except UnknownServer:
            await _not_found(send, given["name"])
            return
        if not isinstance(view.status, Connected):
            raise error_of(view.name, view.status)
        await answer(send, 200, b"true", JSON)

    async def disconnect(self, _scope: Scope, _receive: Receive, send: Send, given: Given) -> None:
        try:
            await self._host.disconnect(given["name"])
        except UnknownServer:
            await _not_found(send, given["name"])
            return
        await answer(send, 200, b"true", JSON)

    async def log_in(self, _scope: Scope, _receive: Receive, send: Send, given: Given) -> None:
        """The address to open; the browser comes back to a page of ours, or its code to the route below."""
        name = given["name"]
        try:
            is_up = isinstance(self._host.server(name).status, Connected)
            takes_logins = isinstance(self._host.config.servers[name], RemoteSpec)
            url, state = ("", "") if is_up and takes_logins else await self._logins.begin(name)
        except UnknownServer:
            await _not_found(send, name)
        except NoLogin as error:
            await answer(send, 400, json.dumps({"error": clean(error.sentence)}).encode(), JSON)
        else:
            found = {"authorizationUrl": url, "oauthState": state}
            await answer(send, 200, json.dumps(found).encode(), JSON)

    async def come_back(self, scope: Scope, receive: Receive, send: Send, given: Given) -> None:
        match await read_json(scope, receive):
            case {"code": str(code), **rest} if not rest:
                pass
            case _:
                raise BadRequest("`code` is what is wanted here, a text", hint='{"code": "…"}')
        try:
            self._host.server(given["name"])
        except UnknownServer:
            await _not_found(send, given["name"])
            return
        view = await self._logins.bring_code(given["name"], code)
        await answer(send, 200, json.dumps(in_five_words(view)).encode(), JSON)

    async def authenticate(self, _scope: Scope, _receive: Receive, send: Send, given: Given) -> None:
        """A browser is opened where this runs; the answer comes when somebody has come back from it."""
        name = given["name"]
        try:
            view = self._host.server(name)
            if not isinstance(view.status, Connected):
                view = await self._logins.through(name, self._parts.browse)
        except UnknownServer:
            await _not_found(send, name)
        except NoLogin as error:
            await answer(send, 400, json.dumps({"error": clean(error.sentence)}).encode(), JSON)
        else:
            await answer(send, 200, json.dumps(in_five_words(view)).encode(), JSON)

    async def log_out(self, _scope: Scope, _receive: Receive, send: Send, given: Given) -> None:
        try:
            await self._host.logout(given["name"])
        except UnknownServer:
            await _not_found(send, given["name"])
        except NoLogin as error:
            await answer(send, 400, json.dumps({"error": clean(error.sentence)}).encode(), JSON)
        else:
            await answer(send, 200, b'{"success": true}', JSON)

    async def resources(self, _scope: Scope, _receive: Receive, send: Send, _given: Given) -> None:
        await self._statuses.settled()
        found: dict[str, dict[str, str]] = {}
        for entry in self._host.catalog.resources():
            item, server = entry.item, clean(entry.server)
            about = {"description": item.description, "mimeType": item.mime}
            found[f"{server}:{item.uri}"] = {
                "name": item.name,
                "uri": item.uri,
                **{key: value for key, value in about.items() if value},
                "client": server,
            }
        await answer(send, 200, json.dumps(found).encode(), JSON)

    async def events(self, scope: Scope, receive: Receive, send: Send, _given: Given) -> None:
        after = header(scope, b"last-event-id")
        first = _frame("", "server.connected", {})
        beat = _frame("", "server.heartbeat", {})
        await self._stream.serve(receive, send, first, beat, after[0].decode("latin-1") if after else "")


async def _not_found(send: Send, name: str) -> None:
    """In OpenCode's words, since its clients read them."""
    found = {
        "_tag": "McpServerNotFoundError",
        "name": clean(name),
        "message": f"MCP server not found: {clean(name)}",
    }
    await answer(send, 404, json.dumps(found).encode(), JSON)


def shaped(identity: str, event: Event) -> bytes | None:
    """The one event about servers that OpenCode's clients know."""
    match event:
        case CatalogChanged(server=server, changes=changes) if changes.tools:
            return _frame(identity, "mcp.tools.changed", {"server": clean(server)})
        case _:
            return None


def missed(identity: str) -> bytes:
    """Something was lost to this listener: that everything may have changed is what it can act on."""
    return _frame(identity, "server.connected", {})


def _frame(identity: str, kind: str, properties: Mapping[str, Any]) -> bytes:
    own = f"evt_{identity or secrets.token_hex(8)}"
    line = f"id: {identity}\n" if identity else ""
    return f"{line}data: {json.dumps({'id': own, 'type': kind, 'properties': properties})}\n\n".encode()
