"""`subscriptions/listen`: a request that stays open for what the client wants to hear of."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Raw

from mooring.core.items import Kind
from mooring.core.values import JSON, is_list
from mooring.errors import MooringError
from mooring.gateway.client import Client
from mooring.gateway.ear import Ear
from mooring.gateway.messages import notice
from mooring.gateway.request import Request
from mooring.gateway.translate import complete
from mooring.upstream.session.eras import META
from mooring.upstream.wire import encode

__all__ = ["listen"]

FLAGS = {
    "toolsListChanged": Kind.TOOL,
    "promptsListChanged": Kind.PROMPT,
    "resourcesListChanged": Kind.RESOURCE,
}
URIS = "resourceSubscriptions"
MOST = 1000


async def listen(client: Client, request: Request) -> bytes:
    """What cannot be told is left out of the acknowledgement; it ends when the client has had enough."""
    wanted = request.value(request.params.notifications, "notifications")
    meta = {f"{META}subscriptionId": Raw(request.identity)}

    def tell(method: str, params: Mapping[str, object]) -> None:
        request.say(notice(method, {**params, "_meta": meta}))

    flags = {flag: kind for flag, kind in FLAGS.items() if wanted.get(flag) is True}
    ear = Ear(client.scope, flags.values(), tell, client.seen)
    try:
        honoured: dict[str, JSON] = dict.fromkeys(flags, True)
        uris = [uri for uri in _uris(wanted) if await _follows(client, ear, uri)]
        if uris:
            honoured[URIS] = uris
        tell("notifications/subscriptions/acknowledged", {"notifications": honoured})
        client.hub.relay.add(ear)
        await client.hub.ending.wait()
    finally:
        client.hub.relay.remove(ear)
    return complete(encode({"_meta": meta}))


def _uris(wanted: Mapping[str, JSON]) -> list[str]:
    found = wanted.get(URIS)
    return [uri for uri in found[:MOST] if isinstance(uri, str)] if is_list(found) else []


async def _follows(client: Client, ear: Ear, uri: str) -> bool:
    try:
        server, address = client.place(uri)
        if server:
            await client.hub.relay.follow(ear, (server, address), uri)
    except MooringError:
        return False
    return bool(server)
