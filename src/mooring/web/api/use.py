"""Using what is offered: calls, resources and prompts."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from mooring.core import views
from mooring.core.questions import Caller, Face
from mooring.host import Host
from mooring.system.door import visitor_of
from mooring.web.api.progress import frames
from mooring.web.api.shapes import Asked, Calling, Gap, Reading

__all__ = ["router"]


def router(host: Host) -> APIRouter:
    found = APIRouter(tags=["use"])

    @found.post(
        "/call",
        summary="Call a tool; with `Accept: text/event-stream` its progress comes first",
        response_model=dict[str, Any],
    )
    async def call(request: Request, wanted: Calling) -> Any:
        if "text/event-stream" in request.headers.get("accept", ""):
            told = frames(host, _caller(request), wanted.name, wanted.arguments)
            return StreamingResponse(told, headers={"content-type": "text/event-stream"})
        return views.result((await host.call(_caller(request), wanted.name, wanted.arguments)).value)

    @found.post("/read", summary="Read a resource")
    async def read(request: Request, wanted: Reading) -> dict[str, Any]:
        return views.contents((await host.read(_caller(request), wanted.uri, server=wanted.server)).value)

    @found.post("/prompt", summary="Have a prompt filled in")
    async def prompt(request: Request, wanted: Asked) -> dict[str, Any]:
        return views.messages((await host.prompt(_caller(request), wanted.name, wanted.arguments)).value)

    @found.post("/complete", summary="What could stand in one gap of a prompt or template")
    async def complete(wanted: Gap) -> dict[str, Any]:
        argument = {"name": wanted.argument, "value": wanted.value}
        result = await host.complete(wanted.server, wanted.reference, argument, wanted.given)
        return views.completion(result.value)

    return found


def _caller(request: Request) -> Caller:
    """Nobody can be asked back over this way."""
    return Caller(visitor_of(request.scope).name, Face.HTTP)
