"""The way to an origin: straight or through a proxy, with TLS where the address says so."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from contextlib import suppress
from ipaddress import ip_address
from typing import cast

from mooring.core.frozen import frozen
from mooring.errors import MooringError, ProxyFailed, Unreachable
from mooring.system.address import Address
from mooring.system.certificates import Certificates
from mooring.system.failure import connect_failed
from mooring.upstream.http.connection import Connection
from mooring.upstream.http.race import connected

__all__ = ["Route"]

WITHIN = 10.0
LONGEST_REPLY = 16 * 1024
_IDLE = getattr(socket, "TCP_KEEPIDLE", getattr(socket, "TCP_KEEPALIVE", None))
_PROXY = "Correct the proxy's variable, or name the host in `NO_PROXY`"


@frozen
class Route:
    """Plain http goes to a proxy as it is; https through a tunnel that the proxy opens."""

    address: Address
    certificates: Certificates
    proxy: Address | None = None

    async def open(self) -> Connection:
        try:
            async with asyncio.timeout(WITHIN):
                return await (self._through(self.proxy) if self.proxy else self._straight(self.address))
        except TimeoutError as error:
            where = self.proxy.origin if self.proxy else self.address.origin
            raise Unreachable(
                f"`{where}` does not take a connection within {WITHIN:g} s", hint="Is a firewall in between?"
            ) from error

    async def _straight(self, address: Address) -> Connection:
        tls = self.certificates.context() if address.is_secure else None
        connection = Connection(self.address.origin)
        await _connected(connection, address, tls)
        return connection

    async def _through(self, proxy: Address) -> Connection:
        try:
            if not self.address.is_secure:
                return await self._straight(proxy)
            tunnel = _Tunnel()
            tls = self.certificates.context() if proxy.is_secure else None
            transport = await _connected(tunnel, proxy, tls)
        except Unreachable as error:
            raise ProxyFailed(f"the proxy cannot be used: {error.sentence}", hint=_PROXY) from error
        is_open = False
        try:
            await self._opened(tunnel, transport, proxy)
            connection = await self._secured(transport)
            is_open = True
            return connection
        finally:
            if not is_open:
                transport.abort()

    async def _opened(self, tunnel: _Tunnel, transport: asyncio.Transport, proxy: Address) -> None:
        target = f"{self.address.host}:{self.address.port}"
        if ":" in self.address.host:
            target = f"[{self.address.host}]:{self.address.port}"
        who = f"Proxy-Authorization: Basic {proxy.user}\r\n" if proxy.user else ""
        transport.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{who}\r\n".encode("latin-1"))
        status = await tunnel.status
        if status != 200:
            wants = ", and wants another user or password" if status == 407 else ""
            raise ProxyFailed(
                f"the proxy `{proxy.origin}` answers {status or 'nonsense'} to `CONNECT {target}`{wants}",
                hint=_PROXY,
            )

    async def _secured(self, transport: asyncio.Transport) -> Connection:
        connection = Connection(self.address.origin)
        loop = asyncio.get_running_loop()
        tls = self.certificates.context()
        try:
            inner = await loop.start_tls(transport, connection, tls, server_hostname=self.address.host)
        except OSError as error:
            raise connect_failed(self.address.origin, error) from error
        if inner is None:
            raise Unreachable(f"`{self.address.origin}` ended the connection before anything was sent")
        connection.connection_made(inner)
        return connection


async def _connected(
    protocol: asyncio.Protocol, address: Address, tls: ssl.SSLContext | None
) -> asyncio.Transport:
    loop = asyncio.get_running_loop()
    name = address.host if tls else None
    try:
        if _is_literal(address.host):
            transport, _ = await loop.create_connection(
                lambda: protocol, address.host, address.port, ssl=tls, server_hostname=name
            )
        else:
            first = await connected(address.host, address.port)
            transport, _ = await loop.create_connection(
                lambda: protocol, sock=first, ssl=tls, server_hostname=name
            )
    except OSError as error:
        raise connect_failed(address.origin, error) from error
    _keep_alive(transport.get_extra_info("socket"))
    return transport


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _keep_alive(connected: socket.socket | None) -> None:
    """A peer that is gone without a word is noticed after half a minute."""
    if connected is None:
        return
    with suppress(OSError):
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if _IDLE is not None:
            connected.setsockopt(socket.IPPROTO_TCP, cast("int", _IDLE), 15)
        if sys.platform != "win32":
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5)
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)


class _Tunnel(asyncio.Protocol):
    """Hears what a proxy answers to `CONNECT`; what follows belongs to somebody else."""

    def __init__(self) -> None:
        self.status: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._said = b""

    def data_received(self, data: bytes) -> None:
        self._said += data
        if b"\r\n\r\n" in self._said and not self.status.done():
            words = self._said.split(b"\r\n", 1)[0].split(b" ", 2)
            is_http = len(words) > 1 and words[0].startswith(b"HTTP/1.") and words[1].isdigit()
            self.status.set_result(int(words[1]) if is_http else 0)
        elif len(self._said) > LONGEST_REPLY:
            self._fail(ProxyFailed("the proxy answers with too much", hint=_PROXY))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's own signature
        self._fail(ProxyFailed("the proxy closed the connection without an answer", hint=_PROXY))

    def _fail(self, error: MooringError) -> None:
        if not self.status.done():
            self.status.set_exception(error)
            # Whoever has stopped waiting does not need to be told.
            self.status.exception()
