"""`/api/v1`: servers, what they offer, and what is kept of them, in the JSON of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from mooring import __version__
from mooring.errors import BadRequest, MooringError
from mooring.system.door.problem import STATUS, problem
from mooring.web.api import config, log, logins, metrics, offers, questions, records, servers, trust, use
from mooring.web.doc.document import completed
from mooring.web.encoded import encoded
from mooring.web.parts import Parts
from mooring.web.routing import Route
from mooring.web.status import status_of

__all__ = ["build"]


class _Escaped(JSONResponse):
    def render(self, content: Any) -> bytes:
        return encoded(content)


def build(parts: Parts, routes: Sequence[Route]) -> tuple[FastAPI, dict[str, Any]]:
    """The application, and its OpenAPI document."""
    app = FastAPI(
        title="Mooring",
        version=__version__,
        summary="Every MCP server you have configured, over HTTP",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        default_response_class=_Escaped,
    )
    for group in (servers, log, logins, offers, use, questions, records, metrics, config, trust):
        app.include_router(group.router(parts), prefix="/api/v1")
    app.add_exception_handler(MooringError, _refused)
    app.add_exception_handler(RequestValidationError, _misfit)
    return app, completed(app.openapi(), routes)


async def _refused(_request: Request, error: Any) -> Response:
    return _problem(error)


def _problem(error: MooringError) -> Response:
    status = STATUS.get(type(error)) or status_of(error)
    return Response(problem(error, status), status, media_type="application/problem+json")


async def _misfit(_request: Request, error: Any) -> Response:
    """The first thing that does not fit, by its place and never by its value."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return _problem(BadRequest(f"`{place}`: {first['msg'].lower()}", hint="`GET /doc` describes it"))
