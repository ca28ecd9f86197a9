"""An http address, taken apart as a request needs it."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import quote, unquote, urljoin, urlsplit

from mooring.core.frozen import frozen
from mooring.core.redact import mask_url
from mooring.errors import Unreachable

__all__ = ["Address"]

_DEFAULT = {"http": 80, "https": 443}
_PATH = "/%:@!$&'()*+,;=~-._"


@frozen
class Address:
    """`user` is what stands before the `@`, as a value for Basic authorization."""

    scheme: str
    host: str
    port: int
    target: str = "/"
    user: str = ""

    @staticmethod
    def of(url: str) -> Address:
        try:
            parts = urlsplit(url.strip())
            host = parts.hostname or ""
            if not host.isascii():
                host = host.encode("idna").decode()
            port = parts.port or _DEFAULT.get(parts.scheme, 0)
        except ValueError:
            parts, host, port = urlsplit(""), "", 0
        if parts.scheme not in _DEFAULT or not host or any(c in host for c in " \t\r\n\0/\\"):
            raise Unreachable(
                f"`{mask_url(url)}` is no address of http or https", hint="Correct the `url` of its entry"
            )
        target = quote(parts.path or "/", safe=_PATH)
        if parts.query:
            target += "?" + quote(parts.query, safe=_PATH + "?")
        return Address(parts.scheme, host, port, target, _user(parts.username, parts.password))

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

    @property
    def authority(self) -> str:
        """As in the `Host` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    def joined(self, reference: str) -> Address:
        """Where a reference leads that was found here."""
        return Address.of(urljoin(self.origin + self.target, reference))

    def is_neighbour_of(self, other: Address) -> bool:
        """Whether both belong to one origin."""
        return (self.scheme, self.host, self.port) == (other.scheme, other.host, other.port)


def _user(name: str | None, password: str | None) -> str:
    if name is None:
        return ""
    return b64encode(f"{unquote(name)}:{unquote(password or '')}".encode()).decode()
