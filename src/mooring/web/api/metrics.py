"""Calls and servers in numbers, for people and for Prometheus."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from mooring.web.parts import Parts

__all__ = ["router"]

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


def router(parts: Parts) -> APIRouter:
    found = APIRouter(tags=["records"])

    @found.get(
        "/metrics",
        summary="Calls, durations and servers by state; with `Accept: text/plain` as Prometheus reads it",
        response_model=dict[str, Any],
    )
    async def metrics(request: Request) -> Any:
        wanted = request.headers.get("accept", "")
        if "text/plain" in wanted or "application/openmetrics-text" in wanted:
            return Response(parts.metrics.text(), headers={"content-type": PROMETHEUS})
        return parts.metrics.view()

    return found
