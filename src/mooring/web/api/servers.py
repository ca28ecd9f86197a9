"""Servers: how each is, and starting and stopping it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from mooring.core import views
from mooring.core.status import Connected
from mooring.host.verdict import error_of
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
        return views.server(host.server(plain(name)))

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
