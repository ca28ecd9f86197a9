"""From where a request may come: exactly our own names, which another page's address can never have."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address

from mooring.core.frozen import frozen
from mooring.errors import BadRequest, ForeignHost, ForeignOrigin
from mooring.system.door.asgi import Scope, header

__all__ = ["Places"]

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@frozen
class Places:
    """The names that we answer to, and the origins whose pages may ask us, as they stand in headers.

    `url` is the address to give out, by a name that is one of them.
    """

    hosts: frozenset[bytes]
    origins: frozenset[bytes]
    url: str = ""

    @staticmethod
    def of(address: str, port: int, names: Iterable[str] = (), origins: Iterable[str] = ()) -> Places:
        """What listens on `address`: loopback's three names, that address, and the names it was given."""
        own = [*LOOPBACK, *names]
        front = f"[{address}]" if ":" in address else address
        if not _is_any(address):
            own.append(front)
        elif names:
            front = own[len(LOOPBACK)]
        else:
            front = "[::1]" if ":" in address else "127.0.0.1"
        hosts = {f"{name.lower()}:{port}" for name in own}
        if port == 80:
            hosts |= {name.lower() for name in own}
        pages = {f"http://{host}" for host in hosts} | {origin.lower().rstrip("/") for origin in origins}
        return Places(
            frozenset(host.encode() for host in hosts),
            frozenset(page.encode() for page in pages),
            f"http://{front}:{port}",
        )

    def check(self, scope: Scope) -> None:
        """A name is compared whole, as it was sent: whatever has to be parsed can be parsed in two ways."""
        hosts = header(scope, b"host")
        if len(hosts) != 1:
            raise BadRequest("A request names exactly one host", hint="Send one `Host` header")
        if hosts[0].lower() not in self.hosts:
            raise ForeignHost(
                "This request is for another host than this one",
                hint="Use the address that `mooring serve` prints",
            )
        origins = header(scope, b"origin")
        if len(origins) > 1 or (origins and origins[0].lower() not in self.origins):
            raise ForeignOrigin(
                "This request comes from a page of another origin", hint="Open the page that is served here"
            )


def _is_any(address: str) -> bool:
    """Whether it stands for all addresses of the machine."""
    try:
        return ip_address(address).is_unspecified
    except ValueError:
        return False
