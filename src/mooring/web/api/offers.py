"""What servers offer: lists page by page, and what answers a request."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from mooring.core import views
from mooring.core.items import Kind
from mooring.core.search import Index
from mooring.web.api.shapes import After, Limit, Page, Server, page
from mooring.web.parts import Parts

__all__ = ["router"]


def router(parts: Parts) -> APIRouter:
    host = parts.host
    found = APIRouter(tags=["offers"])

    @found.get("/tools", summary="What can be called")
    async def tools(server: Server = None, limit: Limit = 100, after: After = None) -> Page:
        entries = sorted(host.catalog.tools(server), key=lambda entry: entry.name)
        return page(entries, views.tool, lambda entry: entry.name, limit, after)

    @found.get("/resources", summary="What can be read")
    async def resources(server: Server = None, limit: Limit = 100, after: After = None) -> Page:
        entries = sorted(host.catalog.resources(server), key=lambda entry: f"{entry.server} {entry.item.uri}")
        return page(entries, views.resource, lambda entry: f"{entry.server} {entry.item.uri}", limit, after)

    @found.get("/templates", summary="Families of addresses that can be read")
    async def templates(server: Server = None, limit: Limit = 100, after: After = None) -> Page:
        entries = sorted(
            host.catalog.templates(server), key=lambda entry: f"{entry.server} {entry.item.uri_template}"
        )
        return page(
            entries, views.template, lambda entry: f"{entry.server} {entry.item.uri_template}", limit, after
        )

    @found.get("/prompts", summary="Texts that servers write")
    async def prompts(server: Server = None, limit: Limit = 100, after: After = None) -> Page:
        entries = sorted(host.catalog.prompts(server), key=lambda entry: f"{entry.server} {entry.name}")
        return page(entries, views.prompt, lambda entry: f"{entry.server} {entry.name}", limit, after)

    @found.get("/search", summary="What answers a request, best first")
    async def search(
        q: Annotated[str, Query(min_length=1, max_length=1_000, examples=["say hello"])],
        limit: Limit = 10,
        kind: Kind | None = None,
    ) -> list[dict[str, Any]]:
        return [views.hit(hit) for hit in Index.of(host.catalog).find(q, limit, kind)]

    return found
