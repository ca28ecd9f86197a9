"""Servers: how each is, and starting and stopping it."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter

from mooring.core import views
from mooring.core.past import moments
from mooring.core.status import Connected
from mooring.host.verdict import error_of
from mooring.web.api.log import stderr
from mooring.web.api.shapes import plain
from mooring.web.parts import Parts

__all__ = ["router"]


def router(parts: Parts) -> APIRouter:
    host = parts.host
    found = APIRouter(tags=["servers"])

    @found.get("/servers", summary="Every server as it stands now")
    async def every() -> list[dict[str, Any]]:
        return views.servers(host.servers())

    @found.get("/servers/{name}", summary="One server as it stands now")
    async def one(name: str) -> dict[str, Any]:
        """What `servers` says of it, and more: what it said last, and what it was before."""
        view = host.server(plain(name))
        said = await asyncio.to_thread(stderr, parts, view.name)
        about = views.server(view)
        past = moments(view.name, parts.history.of(view.name))
        return {**about, "stderr": about["stderr"] or said, "history": past}

    @found.post("/servers/{name}/connect", summary="Start it, or try it again at once")
    async def connect(name: str) -> dict[str, Any]:
        view = await host.connect(plain(name))
        if not isinstance(view.status, Connected):
            raise error_of(view.name, view.status)
        return views.server(view)

    @found.post("/servers/{name}/disconnect", summary="Stop it until somebody connects it")
    async def disconnect(name: str) -> dict[str, Any]:
        return views.server(await host.disconnect(plain(name)))

    return found
