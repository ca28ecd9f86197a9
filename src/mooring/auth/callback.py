"""Where a browser comes back to when a login is done."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from mooring.core.frozen import frozen
from mooring.core.redact import mask_url
from mooring.core.spec import OAuth
from mooring.errors import BadCallback

__all__ = ["PATH", "PORT", "Callback", "callback_of", "can_be_served", "is_state", "parameters", "pasted"]

PORT = 19876
PATH = "/mcp/oauth/callback"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
LONGEST = 16 * 1024
MOST_PARAMETERS = 32


@frozen
class Callback:
    """`uri` is what the authorization server is told; the page stands at `port` of this machine.

    A fixed one is registered somewhere as it is, so it cannot move to another port.
    """

    uri: str
    port: int
    is_fixed: bool

    @property
    def host(self) -> str:
        return urlsplit(self.uri).hostname or ""

    @property
    def path(self) -> str:
        return urlsplit(self.uri).path or "/"

    @property
    def hosts(self) -> frozenset[str]:
        """What a browser that was sent here may say in `Host`."""
        ours = {f"127.0.0.1:{self.port}", f"localhost:{self.port}", f"[::1]:{self.port}"}
        return frozenset({urlsplit(self.uri).netloc.lower(), *ours})

    def moved(self, port: int) -> Callback:
        """The same page at another port."""
        parts = urlsplit(self.uri)
        host = f"[{self.host}]" if ":" in self.host else self.host
        return replace(self, uri=parts._replace(netloc=f"{host}:{port}").geturl(), port=port)


def callback_of(oauth: OAuth) -> Callback:
    """With `redirectUri` as well, `callbackPort` is where the page stands and not what others are told."""
    if oauth.redirect_uri is None:
        port = oauth.callback_port or PORT
        is_fixed = oauth.callback_port is not None or oauth.client_id is not None
        return Callback(f"http://127.0.0.1:{port}{PATH}", port, is_fixed)
    uri = oauth.redirect_uri
    try:
        parts = urlsplit(uri)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
        is_good = bool(parts.hostname) and not (parts.username or parts.password or parts.fragment)
    except ValueError:
        port, is_good = 0, False
    if not port or not is_good or not uri.isascii() or not uri.isprintable() or " " in uri:
        raise BadCallback(
            f"`{mask_url(uri)}` is no address that a browser can come back to",
            hint="Correct `oauth.redirectUri`: http://127.0.0.1:PORT/PATH is what most want",
        )
    return Callback(uri, oauth.callback_port or port, is_fixed=True)


def can_be_served(callback: Callback) -> bool:
    """Whether a page of ours can stand there: on this machine, or behind what leads to `callbackPort`."""
    parts = urlsplit(callback.uri)
    return (parts.scheme == "http" and parts.hostname in LOOPBACK) or callback.port != _port(callback.uri)


def parameters(query: str) -> Mapping[str, str]:
    """What the browser brings; a parameter that stands twice means two things, and therefore none."""
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS)
    except ValueError as error:
        raise BadCallback("The address has more parameters than any login", hint="Begin again") from error
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadCallback("The address says something twice", hint="Begin again")
    return found


def pasted(text: str, callback: Callback, state: str) -> str:
    """The whole address that a person brings back by hand, if it is the one that is waited for."""
    address = text.strip().strip("<>\"'").strip()
    hint = "Paste all of the address that the browser shows at the end, from `http` on"
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise BadCallback("This is no address", hint=hint) from error
    if len(address) > LONGEST or parts.scheme not in ("http", "https") or not parts.query:
        raise BadCallback("This is no address that a login ends at", hint=hint)
    is_there = (parts.path or "/") == callback.path
    if not is_there or not is_state(parameters(parts.query).get("state", ""), state):
        raise BadCallback("This address belongs to another login", hint=hint)
    return address


def is_state(given: str, wanted: str) -> bool:
    """Compared in a time that tells nothing of the answer."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def _port(uri: str) -> int:
    parts = urlsplit(uri)
    return parts.port or {"http": 80, "https": 443}[parts.scheme]
