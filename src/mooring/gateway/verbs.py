"""What clients can ask for, method by method: at once from what is known, or by way of the host."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias

from msgspec import Raw

from mooring.core.items import Kind
from mooring.core.values import is_map
from mooring.errors import NotUnderstood, UnknownItem
from mooring.gateway.client import Client
from mooring.gateway.exposed import HELPERS, answered
from mooring.gateway.greeting import agreed, discovered, initialized
from mooring.gateway.levels import LEVELS
from mooring.gateway.listen import listen
from mooring.gateway.messages import INVALID_PARAMS
from mooring.gateway.request import Request
from mooring.gateway.rounds import carried
from mooring.gateway.translate import FRESH, complete
from mooring.gateway.view import View
from mooring.gateway.views import GREET_WITHIN, LIST_WITHIN
from mooring.upstream.wire import encode

__all__ = ["LEGACY", "MODERN", "Verb"]

Verb: TypeAlias = "Callable[[Client, Request], bytes | Awaitable[bytes]]"
EMPTY = Raw(b"{}")
NULL, MAP = b"n{"


# --- the first words


def initialize(client: Client, request: Request) -> Awaitable[bytes]:
    """What it says holds at once: the next request may be there before the answer."""
    client.greeted(request)
    return _greeting(client, request)


async def _greeting(client: Client, request: Request) -> bytes:
    await client.views.ready(client.scope, GREET_WITHIN)
    return initialized(agreed(request.params.protocol_version), client.view.instructions)


async def discover(client: Client, _request: Request) -> bytes:
    await client.views.ready(client.scope, GREET_WITHIN)
    return discovered(client.view.instructions)


def ping(_client: Client, _request: Request) -> bytes:
    return b"{}"


# --- lists


def listed(
    key: bytes, kind: Kind, items: Callable[[View], bytes], client: Client, request: Request
) -> bytes | Awaitable[bytes]:
    if request.params.cursor is not None:
        raise NotUnderstood(
            "there is no such page", hint="A list comes as a whole here", number=INVALID_PARAMS
        )
    if client.views.is_ready(LIST_WITHIN):
        return _list(key, kind, items, client, request)
    return _list_later(key, kind, items, client, request)


async def _list_later(
    key: bytes, kind: Kind, items: Callable[[View], bytes], client: Client, request: Request
) -> bytes:
    await client.views.ready(client.scope, LIST_WITHIN)
    return _list(key, kind, items, client, request)


def _list(key: bytes, kind: Kind, items: Callable[[View], bytes], client: Client, request: Request) -> bytes:
    """A list that lacks a server's part says so, where tools read it and people do not."""
    missing = client.views.missing(client.scope)
    note = b',"_meta":{"mooring/missing":%b}' % encode(missing) if missing else b""
    era = b"," + FRESH if request.is_modern else b""
    client.seen[kind] = client.view.catalog
    return b'{"%b":%b%b%b}' % (key, items(client.view), era, note)


# --- use


async def call(client: Client, request: Request) -> bytes:
    params = request.params
    arguments = _map(params.arguments)
    if not params.name:
        raise NotUnderstood("`name` is missing", number=INVALID_PARAMS)
    name = params.name
    if name in HELPERS and client.view.searches:
        found = await answered(client, name, arguments)
        if isinstance(found, bytes):
            return complete(found) if request.is_modern else found
        name, arguments = found.name, found.arguments
    name, server = client.view.tool(name)

    async def work() -> bytes:
        with client.at(request, server):
            found = await client.host.call(request.caller, name, arguments, progress=request.progress)
        most = client.scope.longest_result
        return client.hub.results.shortened(found, most) if most else found.raw

    result = await carried(client, request, work)
    return complete(result) if request.is_modern else result


async def read(client: Client, request: Request) -> bytes:
    kept = client.hub.results.read(request.params.uri)
    if kept is not None:
        return complete(kept, cacheable=True) if request.is_modern else kept
    server, address = client.place(request.params.uri)

    async def work() -> bytes:
        with client.at(request, server):
            found = await client.host.read(
                request.caller, address, server=server or None, progress=request.progress
            )
        return found.raw

    result = await carried(client, request, work)
    return complete(result, cacheable=True) if request.is_modern else result


async def get_prompt(client: Client, request: Request) -> bytes:
    server, own = client.view.prompt(request.params.name)
    name = f"{server}:{own}" if server else own
    arguments = request.value(request.params.arguments, "arguments")

    async def work() -> bytes:
        with client.at(request, server):
            found = await client.host.prompt(request.caller, name, arguments, progress=request.progress)
        return found.raw

    result = await carried(client, request, work)
    return complete(result) if request.is_modern else result


async def fill_in(client: Client, request: Request) -> bytes:
    """Completion, for a prompt or a template by the name that it has here."""
    reference = request.value(request.params.ref, "ref")
    server, own = client.completed(reference)
    argument = request.value(request.params.argument, "argument")
    context = request.value(request.params.context, "context").get("arguments")
    given = context if is_map(context) else {}
    result = await client.host.complete(server, {**reference, **own}, argument, given)
    return complete(result.raw) if request.is_modern else result.raw


def _map(raw: Raw) -> Raw:
    """Arguments travel as they came; what is no map is seen from its first letter."""
    first = memoryview(raw)[0] if raw else NULL
    if first == NULL:
        return EMPTY
    if first != MAP:
        raise NotUnderstood("`arguments` is no map", number=INVALID_PARAMS)
    return raw


# --- what is told later


async def subscribe(client: Client, request: Request) -> bytes:
    server, address = client.place(request.params.uri)
    if not server:
        raise UnknownItem("no server is known to have this", hint="mooring resources")
    await client.hub.relay.follow(client.ear, (server, address), request.params.uri)
    return b"{}"


async def unsubscribe(client: Client, request: Request) -> bytes:
    await client.hub.relay.unfollow(client.ear, client.place(request.params.uri))
    return b"{}"


def set_level(client: Client, request: Request) -> bytes:
    if request.params.level not in LEVELS:
        raise NotUnderstood("there is no such level", hint=", ".join(LEVELS), number=INVALID_PARAMS)
    client.log_level = request.params.level
    return b"{}"


_BOTH: Mapping[str, Verb] = {
    "tools/list": partial(listed, b"tools", Kind.TOOL, lambda view: view.tools),
    "resources/list": partial(listed, b"resources", Kind.RESOURCE, lambda view: view.resources),
    "resources/templates/list": partial(
        listed, b"resourceTemplates", Kind.TEMPLATE, lambda view: view.templates
    ),
    "prompts/list": partial(listed, b"prompts", Kind.PROMPT, lambda view: view.prompts),
    "tools/call": call,
    "resources/read": read,
    "prompts/get": get_prompt,
    "completion/complete": fill_in,
}
LEGACY: Mapping[str, Verb] = {
    **_BOTH,
    "initialize": initialize,
    "ping": ping,
    "logging/setLevel": set_level,
    "resources/subscribe": subscribe,
    "resources/unsubscribe": unsubscribe,
}
MODERN: Mapping[str, Verb] = {**_BOTH, "server/discover": discover, "subscriptions/listen": listen}
