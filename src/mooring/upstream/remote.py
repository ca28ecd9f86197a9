"""A session with a server at an address."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.errors import HttpRefused, Interrupted, MooringError, NeedsLogin, StartTimeout
from mooring.system.address import Address
from mooring.system.proxies import proxy_for
from mooring.upstream.ground import Ground
from mooring.upstream.http.client import Client
from mooring.upstream.http.command import printed_headers
from mooring.upstream.http.endpoint import Endpoint
from mooring.upstream.http.listening import listen
from mooring.upstream.http.route import Route
from mooring.upstream.http.sse import SseCarrier
from mooring.upstream.http.streamable import StreamableCarrier
from mooring.upstream.order import Order
from mooring.upstream.session import Session, agree
from mooring.upstream.session.eras import is_modern
from mooring.upstream.stdio.environment import environment
from mooring.upstream.wire import Wire

__all__ = ["remote"]

# With one of these a server of 2024 answers a POST to the address of its stream.
_OLD = (400, 404, 405)


@asynccontextmanager
async def remote(order: Order, spec: RemoteSpec, ground: Ground) -> AsyncGenerator[Session]:
    """Streamable HTTP, and where the server seems too old for it, HTTP+SSE."""
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(spec.timeouts.start):
                order, endpoint = await _endpoint(order, spec, ground)
                stack.callback(endpoint.client.close)
                await endpoint.client.prepare()
                order.took("connect")
                dialling = _Dialling(order, spec, endpoint)
                session = await dialling.session()
        except TimeoutError as error:
            raise StartTimeout(
                f"`{spec.name}` was not reached within {spec.timeouts.start:g} s",
                hint=f"Is it slow? Raise `mcp.{spec.name}.timeout.start`",
            ) from error
        stack.push_async_callback(dialling.carrier.aclose, leave=ground.leave)
        order.took("handshake")
        if order.notice is not None:
            session.on_notice = order.notice
        if isinstance(dialling.carrier, StreamableCarrier) and not session.agreed.is_modern:
            dialling.carrier.start(listen(session.wire, dialling.carrier))
        yield session


async def _endpoint(order: Order, spec: RemoteSpec, ground: Ground) -> tuple[Order, Endpoint]:
    address = Address.of(spec.url)
    headers = dict(spec.headers)
    if spec.headers_command:
        command, *args = spec.headers_command
        as_local = LocalSpec(name=spec.name, command=command, args=tuple(args))
        folder = os.fspath(ground.folder)
        variables = environment(as_local, ground.env, folder)
        printed = await printed_headers(spec.name, spec.headers_command, variables, folder)
        order = order.knowing(printed.values())
        headers |= printed
        order.took("headers")
    route = Route(address, ground.certificates, proxy_for(address, ground.env))
    return order, Endpoint(Client(route), address, headers, order.credentials, order.trace)


class _Dialling:
    """`carrier` is the one that was agreed through."""

    def __init__(self, order: Order, spec: RemoteSpec, endpoint: Endpoint) -> None:
        self._order = order
        self._spec = spec
        self._endpoint = endpoint
        self.carrier: StreamableCarrier | SseCarrier

    async def session(self) -> Session:
        protocol = self._order.protocol
        if self._spec.transport == "sse":
            return await self._old(protocol)
        try:
            return await self._streamable(protocol)
        except HttpRefused as error:
            if self._spec.transport != "auto" or error.status not in _OLD or is_modern(protocol):
                raise
            first = error
        self._order.took("fallback")
        try:
            return await self._old(protocol)
        except NeedsLogin as second:
            second.hint = f"{second.hint} (at first: {first.sentence})"
            raise
        except MooringError as second:
            first.hint = f"{first.hint} (and as HTTP+SSE: {second.sentence})"
            raise first from second

    async def _streamable(self, protocol: str) -> Session:
        """A server that breaks on the first question of the new era is asked the old one."""
        wire = self._wire()
        carrier = StreamableCarrier(wire, self._endpoint, self._order.secrets)
        try:
            return await self._agreed(wire, carrier, protocol)
        except Interrupted:
            if protocol != "auto" or wire.heard:
                raise
        return await self._streamable("legacy")

    async def _old(self, protocol: str) -> Session:
        wire = self._wire()
        wire.transport = "sse"
        carrier = SseCarrier(wire, self._endpoint, self._order.secrets)
        return await self._agreed(wire, carrier, "legacy" if protocol == "auto" else protocol)

    def _wire(self) -> Wire:
        wire = Wire(self._spec.name, self._order.frames)
        wire.is_http = True
        return wire

    async def _agreed(self, wire: Wire, carrier: StreamableCarrier | SseCarrier, protocol: str) -> Session:
        wire.carrier = self.carrier = carrier
        is_open = False
        try:
            if isinstance(carrier, SseCarrier):
                await carrier.open()
            agreed = await agree(wire, self._order.us, protocol, self._spec.timeouts.start)
            is_open = True
        finally:
            if not is_open:
                await carrier.aclose()
        return Session(wire, agreed, self._order.us, self._spec.timeouts)
