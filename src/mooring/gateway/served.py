"""The gateway as something to be served: its addresses, and what each of them shows."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qs, unquote

from mooring.errors import NoSuchRoute
from mooring.gateway.http import Face
from mooring.gateway.hub import Hub
from mooring.gateway.view import Scope as View
from mooring.system.door import Scope

__all__ = ["at"]

ALL = View()


def at(hub: Hub, path: str, whole: View = ALL) -> Face:
    """`path` shows all servers as `whole` does, `path/SERVER` one of them under its own names."""

    def view_of(scope: Scope) -> View:
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        where, _, name = raw.decode("ascii").removeprefix("/").partition("/")
        view = replace(whole, agent=_agent(scope) or whole.agent)
        if f"/{where}" != path:
            raise NoSuchRoute("There is nothing at this path", hint=f"It is at {path}")
        if not name:
            return view
        server = unquote(name)
        if server not in hub.host.config.servers:
            raise NoSuchRoute("There is no server of this name", hint="mooring list")
        return replace(view, server=server, plain=True)

    return Face(hub, view_of)


def _agent(scope: Scope) -> str:
    query: bytes = scope.get("query_string", b"")
    return parse_qs(query.decode("latin-1")).get("agent", [""])[0] if query else ""
