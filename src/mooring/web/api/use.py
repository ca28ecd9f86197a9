"""Using what is offered: calls, resources and prompts."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from mooring.core import views
from mooring.errors import BadRequest
from mooring.web.api.progress import frames
from mooring.web.api.reading import Following
from mooring.web.api.shapes import Asked, Calling, Gap, Reading
from mooring.web.api.visit import attended, visiting
from mooring.web.parts import Parts

__all__ = ["router"]


def router(parts: Parts) -> APIRouter:
    host, following = parts.host, Following(parts)
    found = APIRouter(tags=["use"])

    @found.post(
        "/call",
        summary="Call a tool; with `Accept: text/event-stream` its progress and its questions come first",
        response_model=dict[str, Any],
    )
    async def call(request: Request, wanted: Calling) -> Any:
        if "text/event-stream" in request.headers.get("accept", ""):
            told = frames(parts, request, wanted.name, wanted.arguments)
            return StreamingResponse(told, headers={"content-type": "text/event-stream"})
        with visiting(parts, request) as visit:
            calling = host.call(visit.caller, wanted.name, wanted.arguments, began=visit.party.began)
            return views.result((await attended(request, calling)).value)

    @found.post(
        "/read",
        summary="Read a resource; with `Accept: text/event-stream` again whenever it has changed",
        response_model=dict[str, Any],
    )
    async def read(request: Request, wanted: Reading) -> Any:
        if "text/event-stream" in request.headers.get("accept", ""):
            if wanted.server is None:
                raise BadRequest(
                    "`server`: whose resource it is has to be said", hint="GET /api/v1/resources"
                )
            told = following.frames(request, wanted.server, wanted.uri)
            return StreamingResponse(told, headers={"content-type": "text/event-stream"})
        with visiting(parts, request) as visit:
            reading = host.read(visit.caller, wanted.uri, server=wanted.server)
            return views.contents((await attended(request, reading)).value)

    @found.post("/prompt", summary="Have a prompt filled in")
    async def prompt(request: Request, wanted: Asked) -> dict[str, Any]:
        with visiting(parts, request) as visit:
            asking = host.prompt(visit.caller, wanted.name, wanted.arguments)
            return views.messages((await attended(request, asking)).value)

    @found.post("/complete", summary="What could stand in one gap of a prompt or template")
    async def complete(wanted: Gap) -> dict[str, Any]:
        argument = {"name": wanted.argument, "value": wanted.value}
        result = await host.complete(wanted.server, wanted.reference, argument, wanted.given)
        return views.completion(result.value)

    return found
