"""Which addresses a login may touch: nobody's metadata leads us into another network."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Collection
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias
from urllib.parse import urlsplit

from mooring.core.redact import clean, mask_url
from mooring.errors import MooringError, UnsafeAddress
from mooring.system.address import Address
from mooring.system.failure import connect_failed

__all__ = ["Guard", "Kind", "is_own_name", "kind_of", "resolve", "shown"]

IP: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve: TypeAlias = Callable[[str, int], list[str]]

LONGEST = 2048
TELL = "Tell whoever runs the server"
_NO_ADDRESS = "which is no address"
_SHARED = ipaddress.ip_network("100.64.0.0/10")
_UNIQUE_LOCAL = ipaddress.ip_network("fc00::/7")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_OWN_NAMES = ("localhost", "localhost.")
# Nothing that a shell, on any system, would take for more than a letter; our own parameters come on top.
_PLAIN = re.compile(r"[A-Za-z0-9._~/%:@+,=-]*")
_PLAIN_QUERY = re.compile(r"[A-Za-z0-9._~/%:@+,=?&-]*")


class Kind(StrEnum):
    """In whose reach an address lies."""

    PUBLIC = "public"
    PRIVATE = "private"
    LINK_LOCAL = "link-local"
    LOOPBACK = "loopback"
    NOWHERE = "unusable"


class Guard:
    """For one server: nothing more private than the server itself, but for what the user has named."""

    def __init__(
        self,
        server: str,
        url: str,
        allowed: Collection[str] = (),
        resolve: Resolve | None = None,
    ) -> None:
        self._server = server
        self._address = Address.of(url)
        self._allowed = frozenset(host.lower().strip("[]") for host in allowed)
        self._resolve = resolve or globals()["resolve"]

    def check(self, step: str, url: str) -> Address:
        """The address, if its own words are harmless; where its name leads is not looked at."""
        try:
            parts = urlsplit(url)
            is_fine = (
                len(url) <= LONGEST
                and url.isascii()
                and url.isprintable()
                and parts.scheme.lower() in ("http", "https")
                and bool(parts.hostname)
                and "\\" not in url
            )
            port = parts.port
        except ValueError:
            raise self._no(step, url, _NO_ADDRESS) from None
        if not is_fine or port == 0:
            raise self._no(step, url, "which is no address of https")
        if "@" in parts.netloc:
            raise self._no(step, url, "which has a user or password in it")
        if "#" in url:
            raise self._no(step, url, "which has a fragment")
        if not _PLAIN.fullmatch(parts.path) or not _PLAIN_QUERY.fullmatch(parts.query):
            raise self._no(step, url, "which has characters that a shell would act on")
        address = Address.of(url)
        if not address.is_secure and not is_own_name(address.host):
            raise self._no(step, url, "which is not https")
        return address

    def within(self, step: str, address: Address, *, is_proxied: bool = False) -> list[str]:
        """The numbers that may be connected to; none where a proxy finds the way, as only it knows them."""
        host = address.host
        if is_proxied:
            numbers = [host] if _number(host) else ["127.0.0.1"] if host in _OWN_NAMES else []
        else:
            numbers = self._resolve(host, address.port)
        for number in numbers:
            kind = kind_of(number)
            if not (kind is Kind.PUBLIC or host in self._allowed or kind in self._own):
                raise self._no(step, address.origin, f"which is a {kind} address")
        return numbers

    def allows(self, host: str) -> bool:
        """Whether the user has named it."""
        return host.lower() in self._allowed

    @cached_property
    def _own(self) -> frozenset[Kind]:
        """Where the server itself is; a name that only a proxy knows is somewhere out there."""
        try:
            return frozenset(map(kind_of, self._resolve(self._address.host, self._address.port)))
        except MooringError:
            return frozenset((Kind.PUBLIC,))

    def _no(self, step: str, url: str, why: str) -> UnsafeAddress:
        host = _host(url)
        key = f"`mcp.{self._server}.oauth.allowHosts`"
        is_a_matter_of_place = why.endswith(" address") and why != _NO_ADDRESS
        hint = f"If that is right, add `{host}` to {key}" if is_a_matter_of_place else TELL
        return UnsafeAddress(f"{step}: `{shown(url)}` is named, {why}", hint=hint, step=step)


def kind_of(number: str) -> Kind:
    """The innermost address counts: what is wrapped in another is where the packets end."""
    address = _unwrapped(ipaddress.ip_address(number.partition("%")[0]))
    if address.is_loopback:
        return Kind.LOOPBACK
    if address.is_link_local:
        return Kind.LINK_LOCAL
    if address.is_unspecified or address.is_multicast:
        return Kind.NOWHERE
    if address.is_global:
        return Kind.PUBLIC
    is_shared = address in (_SHARED if address.version == 4 else _UNIQUE_LOCAL)
    return Kind.PRIVATE if is_shared or (address.is_private and not address.is_reserved) else Kind.NOWHERE


def is_own_name(host: str) -> bool:
    """Whether a name or number means this machine, whoever is asked."""
    number = _number(host)
    return host in _OWN_NAMES if number is None else kind_of(host) is Kind.LOOPBACK


def resolve(host: str, port: int) -> list[str]:
    """All numbers of a name; spellings that only some programs read as numbers lead nowhere."""
    last = host.rstrip(".").rpartition(".")[2]
    is_odd = last.isdigit() or last.lower().startswith("0x")
    try:
        if is_odd and _number(host) is None:
            raise socket.gaierror(socket.EAI_NONAME, "no address")
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise connect_failed(host, socket.gaierror(str(error))) from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def shown(url: str) -> str:
    """A hostile address as a person may read it."""
    return mask_url(clean(url).replace("\n", " ").replace("\t", " "))[:200]


def _number(host: str) -> IP | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


def _unwrapped(address: IP) -> IP:
    if not isinstance(address, ipaddress.IPv6Address):
        return address
    inner = address.ipv4_mapped or address.sixtofour
    if inner is None and address in _NAT64:
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is None and (int(address) >> 32) & 0xFDFFFFFF == 0x00005EFE:
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is None and (teredo := address.teredo) is not None:
        inner = teredo[1]
    return inner or address


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
