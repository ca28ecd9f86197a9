"""One request of a login: to a checked address, within a deadline and a size, and nowhere else."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field, replace
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Timer
from typing import Any
from urllib.parse import urlencode, urljoin

import msgspec

from mooring import __version__
from mooring.auth.guard import Guard, shown
from mooring.core.frozen import frozen
from mooring.core.values import JSON, is_map
from mooring.errors import AnswerTooLarge, Interrupted, ProxyFailed, Unreachable, UnsafeAddress
from mooring.system.address import Address
from mooring.system.certificates import Certificates
from mooring.system.failure import connect_failed, connection_broke
from mooring.system.proxies import proxy_for

__all__ = ["Fetched", "Fetcher"]

WITHIN = 10.0
MOST_REDIRECTS = 3
METADATA = 64 * 1024
ANYTHING = 1024 * 1024
_MOVED = (301, 302, 303, 307, 308)


@frozen
class Fetched:
    """An answer, whatever its status; the body may hold tokens."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    @property
    def json(self) -> dict[str, JSON] | None:
        """The body, if it is a JSON object."""
        try:
            value: Any = msgspec.json.decode(self.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        return value if is_map(value) else None


@frozen
class _Wanted:
    step: str
    method: str
    address: Address
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None
    within: float = WITHIN
    limit: int = METADATA


class Fetcher:
    """It blocks, so it belongs in a thread. No header of the configuration is ever sent with any of this."""

    def __init__(
        self, guard: Guard, env: Mapping[str, str], certificates: Certificates | None = None
    ) -> None:
        self.guard = guard
        self._env = env
        self._certificates = certificates or Certificates(env)

    def get(self, step: str, url: str) -> Fetched:
        """Redirects are followed as far as they stay with the same origin."""
        wanted = _Wanted(step, "GET", self.guard.check(step, url))
        for _ in range(MOST_REDIRECTS + 1):
            answer = self._send(wanted)
            where = answer.headers.get("location")
            if answer.status not in _MOVED or not where:
                return answer
            there = self.guard.check(step, _joined(wanted.address, where))
            if not there.is_neighbour_of(wanted.address):
                raise UnsafeAddress(
                    f"{step}: `{wanted.address.origin}` redirects to `{shown(there.origin)}`",
                    hint="Tell whoever runs the server",
                    step=step,
                )
            wanted = replace(wanted, address=there)
        raise UnsafeAddress(
            f"{step}: `{wanted.address.origin}` redirects again and again",
            hint="Tell whoever runs the server",
            step=step,
        )

    def post(
        self,
        step: str,
        url: str,
        body: bytes | Mapping[str, str],
        headers: Mapping[str, str] | None = None,
        *,
        within: float = WITHIN,
    ) -> Fetched:
        """A form, or JSON where it is bytes; no redirect is followed: the body is for this address alone."""
        address = self.guard.check(step, url)
        if isinstance(body, bytes):
            kind = "application/json"
        else:
            kind, body = "application/x-www-form-urlencoded", urlencode(body).encode()
        given = {"content-type": kind, **(headers or {})}
        return self._send(_Wanted(step, "POST", address, given, body, within, ANYTHING))

    def vet(self, step: str, url: str, *, is_for_a_browser: bool = False) -> None:
        """Refuses what would be refused later; a browser may know names that we do not."""
        address = self.guard.check(step, url)
        try:
            self.guard.within(step, address, is_proxied=proxy_for(address, self._env) is not None)
        except Unreachable:
            if not is_for_a_browser:
                raise

    def _send(self, wanted: _Wanted) -> Fetched:
        address = wanted.address
        until = time.monotonic() + wanted.within
        proxy = proxy_for(address, self._env)
        numbers = self.guard.within(wanted.step, address, is_proxied=proxy is not None)
        connected = self._through(proxy, address, until) if proxy else self._straight(address, numbers, until)
        headers = {
            "host": address.authority,
            "accept": "application/json",
            "accept-encoding": "identity",
            "user-agent": f"mooring/{__version__}",
            **wanted.headers,
        }
        target = address.target
        if proxy is not None and not address.is_secure:
            target = address.origin + target
            if proxy.user:
                headers["proxy-authorization"] = f"Basic {proxy.user}"
        # Bytes that drip for ever satisfy every single read; this ends them all.
        watchdog = Timer(_left(until), _cut, (connected,))
        watchdog.daemon = True
        watchdog.start()
        try:
            answer = _exchanged(connected, wanted, target, headers)
        except (HTTPException, OSError, ValueError) as error:
            if time.monotonic() < until:
                raise connection_broke(address.origin, error, heard=False) from error
            answer = None
        finally:
            watchdog.cancel()
            connected.close()
        if answer is None or time.monotonic() >= until:
            raise Interrupted(
                f"`{address.origin}` did not answer within {wanted.within:g} s ({wanted.step})",
                hint="Try again later",
            )
        return answer

    def _straight(self, address: Address, numbers: list[str], until: float) -> socket.socket:
        last = OSError("no address")
        for number in numbers:
            try:
                found = socket.create_connection((number, address.port), _left(until))
                return self._secured(found, address.host) if address.is_secure else found
            except OSError as error:
                last = error
        raise connect_failed(address.origin, last) from last

    def _through(self, proxy: Address, address: Address, until: float) -> socket.socket:
        """Plain http goes to the proxy itself; https through a tunnel that it opens."""
        if proxy.is_secure:
            context = self._certificates.context()
            way = HTTPSConnection(proxy.host, proxy.port, timeout=_left(until), context=context)
        else:
            way = HTTPConnection(proxy.host, proxy.port, timeout=_left(until))
        if address.is_secure:
            user = {"proxy-authorization": f"Basic {proxy.user}"} if proxy.user else {}
            way.set_tunnel(address.host, address.port, user)
        try:
            way.connect()
        except (OSError, HTTPException) as error:
            raise ProxyFailed(
                f"the proxy `{proxy.origin}` opens no way to `{address.origin}`",
                hint="Correct the proxy's variable, or name the host in `NO_PROXY`",
            ) from error
        found: socket.socket = way.sock
        if not address.is_secure:
            return found
        try:
            return self._secured(found, address.host)
        except OSError as error:
            raise connect_failed(address.origin, error) from error

    def _secured(self, plain: socket.socket, host: str) -> ssl.SSLSocket:
        try:
            return self._certificates.context().wrap_socket(plain, server_hostname=host)
        except OSError:
            plain.close()
            raise


def _exchanged(connected: socket.socket, wanted: _Wanted, target: str, headers: Mapping[str, str]) -> Fetched:
    connection = HTTPConnection(wanted.address.host, wanted.address.port)
    connection.sock = connected
    connection.request(wanted.method, target, wanted.body, dict(headers))
    pieces: list[bytes] = []
    size = 0
    with connection.getresponse() as response:
        while piece := response.read1(65536):
            pieces.append(piece)
            size += len(piece)
            if size > wanted.limit:
                most = f"more than {wanted.limit // 1024} kB"
                raise AnswerTooLarge(f"{wanted.step}: `{wanted.address.origin}` sent {most}")
        if response.length:
            raise ConnectionResetError
    named = {name.lower(): value for name, value in response.getheaders()}
    return Fetched(response.status, named, b"".join(pieces))


def _left(until: float) -> float:
    return max(0.001, until - time.monotonic())


def _cut(connected: socket.socket) -> None:
    with suppress(OSError):
        # Around TLS, whose own goodbye would wait for the other side.
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def _joined(address: Address, reference: str) -> str:
    try:
        return urljoin(address.origin + address.target, reference)
    except ValueError:
        return reference
