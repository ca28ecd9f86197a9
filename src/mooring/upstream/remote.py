"""A session with a server at an address."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from mooring.core.spec import RemoteSpec
from mooring.errors import Interrupted
from mooring.upstream.ground import Ground
from mooring.upstream.http.address import Address
from mooring.upstream.http.certificates import Certificates
from mooring.upstream.http.client import Client
from mooring.upstream.http.endpoint import Endpoint
from mooring.upstream.http.listening import listen
from mooring.upstream.http.proxies import proxy_for
from mooring.upstream.http.route import Route
from mooring.upstream.http.streamable import StreamableCarrier
from mooring.upstream.order import Order
from mooring.upstream.session import Session, agree
from mooring.upstream.wire import Wire

__all__ = ["remote"]


@asynccontextmanager
async def remote(order: Order, spec: RemoteSpec, ground: Ground) -> AsyncGenerator[Session]:
    """A server that breaks on the first question of the new era is asked the old one."""
    try:
        async with _once(order, spec, ground, order.protocol) as session:
            yield session
            return
    except _BrokeOnProbe:
        pass
    async with _once(order, spec, ground, "legacy") as session:
        yield session


class _BrokeOnProbe(Exception):
    pass


@asynccontextmanager
async def _once(order: Order, spec: RemoteSpec, ground: Ground, protocol: str) -> AsyncGenerator[Session]:
    endpoint = _endpoint(order, spec, ground, spec.headers)
    await endpoint.client.prepare()
    order.took("connect")
    wire = Wire(spec.name, order.trace)
    wire.is_http = True
    carrier = StreamableCarrier(wire, endpoint, order.secrets)
    wire.carrier = carrier
    try:
        try:
            agreed = await agree(wire, order.us, protocol, spec.timeouts.start)
        except Interrupted as error:
            if protocol == "auto" and wire.heard == 0:
                raise _BrokeOnProbe from error
            raise
        order.took("handshake")
        session = Session(wire, agreed, order.us, spec.timeouts)
        if order.notice is not None:
            session.on_notice = order.notice
        if not agreed.is_modern:
            carrier.start(listen(wire, carrier))
        yield session
    finally:
        await carrier.aclose()


def _endpoint(order: Order, spec: RemoteSpec, ground: Ground, headers: Mapping[str, str]) -> Endpoint:
    address = Address.of(spec.url)
    route = Route(address, Certificates(ground.env), proxy_for(address, ground.env))
    return Endpoint(Client(route), address, headers, order.credentials)
