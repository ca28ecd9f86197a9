"""What is kept: calls that were made, and what tools were when they were approved."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from mooring.core import kept
from mooring.core.pins import PinChanges
from mooring.errors import ToolNotApproved
from mooring.store import Asked
from mooring.web.api.shapes import Approval, Limit, Server, plain
from mooring.web.parts import Parts

__all__ = ["router"]


def router(parts: Parts) -> APIRouter:
    host = parts.host
    found = APIRouter(tags=["records"])

    @found.get("/calls", summary="Which tools were called, newest first")
    async def calls(
        limit: Limit = 50,
        before: Annotated[int | None, Query(description="Only older ones than this `id`.")] = None,
        server: Server = None,
        tool: str | None = None,
        *,
        failed: Annotated[bool, Query(description="Only what went wrong.")] = False,
    ) -> list[dict[str, Any]]:
        asked = Asked(limit=limit, before=before, server=server, tool=tool, failed=failed)
        return [kept.call(each) for each in await host.store.calls(asked)]

    @found.get("/servers/{name}/pins", summary="Its tools against what was approved")
    async def pins(name: str) -> dict[str, Any]:
        return kept.pins(await host.pins(plain(name)))

    @found.post("/servers/{name}/pins/approve", summary="Accept exactly what was shown")
    async def approve(name: str, shown: Approval) -> dict[str, Any]:
        changes = await host.pins(plain(name))
        offered = {pin.tool: pin.fingerprint for pin in _offered(changes)}
        if shown.fingerprints != offered:
            raise ToolNotApproved("What is offered is not what was shown", hint="Look at it again")
        await host.approve(plain(name), changes)
        return kept.pins(await host.pins(plain(name)))

    @found.delete("/servers/{name}/pins", summary="Forget its pins: what it offers next is approved by that")
    async def reset(name: str) -> dict[str, Any]:
        server = plain(name)
        return {"server": server, "reset": await host.store.unpin(server)}

    @found.get("/pins", summary="Which tools are pinned, and which calls are allowed for good")
    async def pinned() -> list[dict[str, Any]]:
        return [kept.pinned(each) for each in await host.store.pinned()]

    return found


def _offered(changes: PinChanges) -> list[Any]:
    return [*changes.same, *changes.new, *(each.new for each in changes.changed)]
