"""The configuration: what holds, where it was written, and changes in the file that owns it."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from mooring.config.clients import Around, Client
from mooring.config.consent import approve_own
from mooring.config.document import dotted
from mooring.config.draft import Draft
from mooring.config.edit import Change, add, owner_of, remove, set_value, sources_of
from mooring.config.foreign import inventory
from mooring.config.load import Loaded
from mooring.config.places import Place
from mooring.config.proof import proven
from mooring.config.refill import refilled
from mooring.config.targets import global_place
from mooring.config.trust import Approvals
from mooring.core.merge import find, plain
from mooring.core.nearest import no_server
from mooring.core.redact import clean
from mooring.core.views import entry_view, problem_views, tree_view, value_views
from mooring.errors import UnknownServer
from mooring.system.door import Role, Visitor, visitor_of
from mooring.web.api.files import editable, files, loaded
from mooring.web.api.shapes import Switch, Writing
from mooring.web.api.shapes import plain as named
from mooring.web.parts import Parts
from mooring.web.rights import must_have, needs_exec

__all__ = ["router"]

Preview = Annotated[bool, Query(description="Only say what would be different.")]


def router(parts: Parts) -> APIRouter:
    found = APIRouter(tags=["config"])
    place = parts.place

    @found.get("/config", summary="Every value that holds, with the file and line it was written in")
    async def effective() -> dict[str, Any]:
        known = await asyncio.to_thread(loaded, place)
        return {
            "values": value_views(known.tree, known.spots.of, dotted),
            "servers": [entry_view(entry) for entry in known.config.servers.values()],
            "files": [{"layer": source.layer.value, "file": source.name} for source in known.sources],
            "problems": problem_views(known.config.problems),
        }

    @found.get("/config/files", summary="Every file that is read or would be, the weakest first")
    async def every_file() -> list[dict[str, Any]]:
        return await asyncio.to_thread(files, place)

    @found.get("/config/clients", summary="What other clients on this machine have")
    async def clients() -> list[dict[str, Any]]:
        return await asyncio.to_thread(_clients, parts)

    @found.get("/config/servers/{name}", summary="One entry, as it can be changed and sent back")
    async def entry(name: str) -> dict[str, Any]:
        return await asyncio.to_thread(_entry, parts, named(name))

    @found.put("/config/servers/{name}", summary="Write a server down, anew or in place of its entry")
    async def put(request: Request, name: str, wanted: Writing) -> dict[str, Any]:
        visitor = visitor_of(request.scope)
        told = await asyncio.to_thread(_put, parts, visitor, named(name), wanted)
        return await _taken_over(parts, told)

    @found.patch("/config/servers/{name}", summary="Switch a server on or off")
    async def switch(name: str, wanted: Switch, preview: Preview = False) -> dict[str, Any]:
        told = await asyncio.to_thread(_switch, parts, named(name), wanted, dry=preview)
        return await _taken_over(parts, told)

    @found.delete("/config/servers/{name}", summary="Take a server out of the file that owns it")
    async def take_out(name: str, preview: Preview = False) -> dict[str, Any]:
        told = await asyncio.to_thread(_remove, parts, named(name), dry=preview)
        return await _taken_over(parts, told)

    return found


async def _taken_over(parts: Parts, told: dict[str, Any]) -> dict[str, Any]:
    """What was written counts at once."""
    if told["applied"]:
        await parts.host.reload(await parts.place.read(None))
    return told


def _entry(parts: Parts, name: str) -> dict[str, Any]:
    known = loaded(parts.place)
    spec = known.config.servers.get(name)
    if spec is None:
        raise no_server(name, known.config.servers)
    return {
        "name": clean(name),
        "entry": tree_view(known.tree, ("mcp", name)),
        "files": [source.name for source in sources_of(known, name)],
        "needs": Role.EXEC if needs_exec(spec) else Role.ADMIN,
    }


def _put(parts: Parts, visitor: Visitor, name: str, wanted: Writing) -> dict[str, Any]:
    known = loaded(parts.place)
    path = ("mcp", name)
    node = find(known.tree, path)
    raw = None if node is None else plain(node)
    entry: dict[str, Any] = refilled(wanted.entry, raw, tree_view(known.tree, path))
    specs = proven(name, entry, parts.place.dirs), known.config.servers.get(name)
    needs = Role.EXEC if any(spec is not None and needs_exec(spec) for spec in specs) else Role.ADMIN
    if not wanted.preview:
        must_have(visitor, needs, "To write down what starts a program or reads a file")
    place = _place(parts, known, name, wanted.file)
    draft = Draft(dry=wanted.preview)
    change = add(place, name, entry, replace=True, write=draft.write)
    told = {**_told(change, draft, applied=not wanted.preview), "needs": needs}
    if wanted.preview:
        return told
    after = loaded(parts.place)
    if Role.EXEC in visitor.roles:
        around = parts.place.env, parts.place.folder
        approve_own(Approvals(parts.place.dirs.data), after, name, change, around, int(time.time()))
    return told | {"overruledBy": _overruled(after, name, change)}


def _place(parts: Parts, known: Loaded, name: str, file: str | None) -> Place:
    if file is not None:
        return editable(parts.place, file)
    if find(known.tree, ("mcp", name)) is not None:
        return owner_of(known, name)
    return global_place(parts.place.dirs)


def _switch(parts: Parts, name: str, wanted: Switch, *, dry: bool) -> dict[str, Any]:
    known = loaded(parts.place)
    if find(known.tree, ("mcp", name)) is None:
        raise no_server(name, known.config.servers)
    draft = Draft(dry=dry)
    change = set_value(known, ("mcp", name, "enabled"), wanted.enabled, write=draft.write)
    told = _told(change, draft, applied=not dry)
    return told if dry else told | {"overruledBy": _overruled(loaded(parts.place), name, change)}


def _remove(parts: Parts, name: str, *, dry: bool) -> dict[str, Any]:
    draft = Draft(dry=dry)
    change = remove(loaded(parts.place), name, write=draft.write)
    told = _told(change, draft, applied=not dry)
    if dry:
        return told
    try:
        left = [source.name for source in sources_of(loaded(parts.place), name)]
    except UnknownServer:
        left = []
    return told | {"stillIn": left}


def _told(change: Change, draft: Draft, *, applied: bool) -> dict[str, Any]:
    return {"file": change.file, "diff": draft.diff, "applied": applied}


def _overruled(after: Loaded, name: str, change: Change) -> list[str]:
    """A stronger file that says something of it too."""
    saying = sources_of(after, name) if find(after.tree, ("mcp", name)) else ()
    return [str(source) for source in saying[-1:] if source.name != change.file]


def _clients(parts: Parts) -> list[dict[str, Any]]:
    """Only those that have something."""
    place = parts.place
    tree = loaded(place).tree
    around = Around(place.cwd, place.dirs, place.env)
    stocks = [inventory(client, around, tree) for client in Client if client is not Client.OPENCODE]
    return [
        {
            "client": stock.client.value,
            "files": list(stock.files),
            "servers": [clean(server.name) for server in stock.servers],
            "problems": problem_views(stock.problems),
        }
        for stock in stocks
        if stock.files or stock.problems
    ]
