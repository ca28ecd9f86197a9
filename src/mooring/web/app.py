"""All that is served, behind one door."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial

from mooring.core.frozen import frozen
from mooring.host import Host
from mooring.host.desk import Desk
from mooring.host.surroundings import Surroundings
from mooring.system.door import App, Door, Keys, Places, Receive, Role, Rules, Scope, Send
from mooring.system.door.door import AT_ONCE
from mooring.web import events, opencode
from mooring.web.audience import Audience
from mooring.web.codes import Codes
from mooring.web.entrance import Entrance
from mooring.web.events import Events
from mooring.web.files import Files
from mooring.web.history import History
from mooring.web.lazy import Api
from mooring.web.local import ANYWHERE, Ourselves
from mooring.web.logins import Logins
from mooring.web.metrics import Metrics
from mooring.web.opencode import OpenCode
from mooring.web.parts import Parts, Site
from mooring.web.routing import Routes
from mooring.web.status import status_of
from mooring.web.statuses import Statuses
from mooring.web.stream import Stream

__all__ = ["Served", "serving"]

NOTHING_ELSE: Mapping[str, App] = {}
# A gateway has many clients behind one credential.
MANY_AT_ONCE = 4096


@frozen
class Served:
    """The application, the same for whoever is known already, its routes, and how its streams are ended."""

    app: App
    local: App
    routes: Routes
    parts: Parts
    close: Callable[[], None]


@asynccontextmanager
async def serving(
    host: Host,
    keys: Keys,
    places: Places,
    wrong: Callable[[Exception], None] = lambda _: None,
    site: Site | None = None,
    others: Mapping[str, App] = NOTHING_ELSE,
) -> AsyncGenerator[Served]:
    """For as long as the host is there; without a `site` that is where this process is.

    `others` answer everything under their paths; who may do what there, beyond looking, they say themselves.
    """
    files = Files()
    theirs, ours = Stream(opencode.shaped, opencode.missed), Stream(events.shaped, events.missed)
    hearing = Statuses(host).kept(), host.bus.hear(theirs.put), host.bus.hear(ours.put)
    here = site or Site(Surroundings.of(None, None))
    desk, audience, ending = Desk(host.bus.publish), Audience(), asyncio.Event()
    kept = History(host).kept(), Metrics(host).kept()
    async with Logins.of(host) as logins:
        with hearing[0] as statuses, hearing[1], hearing[2], kept[0] as history, kept[1] as metrics:
            parts = Parts(host, here.place, desk, audience, history, metrics, logins, ending, here.browse)
            beside = *OpenCode(parts, statuses, theirs).routes, *Events(ours, audience).routes
            api = Api(parts, beside)
            page = *Entrance(keys, files, api.warm).routes, *files.routes, *Codes(files).routes
            routes = Routes([*page, *beside, *api.routes])

            def close() -> None:
                theirs.close()
                ours.close()
                ending.set()

            def role(scope: Scope) -> Role | None:
                is_other = _other(others, scope) is not None
                return Role.READ if is_other else routes.role(scope["method"], _raw(scope))

            def at_once(scope: Scope) -> int:
                return AT_ONCE if _other(others, scope) is None else MANY_AT_ONCE

            answer, rules = partial(_answer, routes, others), Rules(role, status_of, wrong, at_once)
            local = Door(answer, Ourselves(), ANYWHERE, rules)
            yield Served(Door(answer, keys, places, rules), local, routes, parts, close)


async def _answer(
    routes: Routes, others: Mapping[str, App], scope: Scope, receive: Receive, send: Send
) -> None:
    other = _other(others, scope)
    if other is not None:
        await other(scope, receive, send)
        return
    route, given = routes.find(scope["method"], _raw(scope))
    await route.handler(scope, receive, send, given)


def _other(others: Mapping[str, App], scope: Scope) -> App | None:
    first, slash, rest = _raw(scope).removeprefix("/").partition("/")
    return others.get(f"/{first}") if not (slash and not rest) else None


def _raw(scope: Scope) -> str:
    """The path before it was decoded, in which a slash is a border and nothing else."""
    raw: bytes | None = scope.get("raw_path")
    return scope["path"] if raw is None else raw.decode("ascii")
