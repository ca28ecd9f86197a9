"""What a project wants to start: shown, and approved."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from fastapi import APIRouter

from mooring.config.consent import standing
from mooring.config.trust import Approvals, Launch, launch_of
from mooring.core import views
from mooring.core.nearest import no_server
from mooring.core.spec import BadServer, LocalSpec, RemoteSpec
from mooring.errors import NeedsApprovalError
from mooring.web.api.shapes import Yes, plain
from mooring.web.parts import Parts

__all__ = ["router"]


def router(parts: Parts) -> APIRouter:
    found = APIRouter(tags=["trust"])

    @found.get("/servers/{name}/trust", summary="The whole command, and whether it is approved")
    async def show(name: str) -> dict[str, Any]:
        return await asyncio.to_thread(_shown, parts, plain(name))

    @found.post("/servers/{name}/trust", summary="Approve exactly what was shown, and start it")
    async def approve(name: str, yes: Yes) -> dict[str, Any]:
        await asyncio.to_thread(_approve, parts, plain(name), yes.fingerprint)
        return views.server(await parts.host.connect(plain(name)))

    return found


def _shown(parts: Parts, name: str) -> dict[str, Any]:
    spec, what = _launch(parts, name)
    return standing(Approvals(parts.place.dirs.data), spec, what) | {"folder": what.folder}


def _approve(parts: Parts, name: str, fingerprint: str) -> None:
    _, what = _launch(parts, name)
    if what.fingerprint != fingerprint:
        raise NeedsApprovalError(f"`{name}` is not what was shown", hint="Look at it again")
    Approvals(parts.place.dirs.data).add(what, int(time.time()))


def _launch(parts: Parts, name: str) -> tuple[LocalSpec | RemoteSpec, Launch]:
    match parts.host.config.servers.get(name):
        case None:
            raise no_server(name, parts.host.config.servers)
        case BadServer(errors=errors):
            raise errors[0]
        case spec:
            return spec, launch_of(spec, parts.place.env, parts.place.folder)
