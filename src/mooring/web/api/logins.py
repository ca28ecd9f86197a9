"""Logins: where we are logged in, logging in and out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from mooring.core import views
from mooring.core.redact import clean
from mooring.web.api.shapes import CameBack, plain
from mooring.web.parts import Parts

__all__ = ["router"]


def router(parts: Parts) -> APIRouter:
    found = APIRouter(tags=["logins"])

    @found.get("/logins", summary="Where we are logged in, and where we could be")
    async def every() -> list[dict[str, Any]]:
        return [views.account(account) for account in parts.host.accounts()]

    @found.post("/servers/{name}/login", summary="Begin to log in: the address to open in a browser")
    async def begin(name: str) -> dict[str, Any]:
        url, state = await parts.logins.begin(parts.host.server(plain(name)).name)
        return {"url": url, "state": state}

    @found.post("/servers/{name}/login/callback", summary="Bring the address that the browser ended at")
    async def bring(name: str, came: CameBack) -> dict[str, Any]:
        return views.server(await parts.logins.bring(parts.host.server(plain(name)).name, came.url))

    @found.delete("/servers/{name}/login", summary="Have a login taken back and forget it")
    async def leave(name: str) -> dict[str, Any]:
        farewell = await parts.host.logout(plain(name))
        return {
            "name": clean(plain(name)),
            "loggedOut": farewell.had,
            "revoked": farewell.revoked,
            "note": clean(farewell.note) or None,
        }

    return found
