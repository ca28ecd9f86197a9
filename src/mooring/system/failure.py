"""What the operating system, TLS and resolvers say, as errors of ours."""

from __future__ import annotations

import socket
import ssl

from mooring.errors import Interrupted, TlsFailed, Unreachable

__all__ = ["connect_failed", "connection_broke"]


def connect_failed(where: str, error: OSError) -> Unreachable:
    """`where` is the origin that was to be reached; nothing was sent to it yet."""
    match error:
        case ssl.SSLCertVerificationError():
            return TlsFailed(
                f"the certificate of `{where}` cannot be trusted: {error.verify_message}",
                hint="A private authority? Name its file in `SSL_CERT_FILE` or `NODE_EXTRA_CA_CERTS`",
            )
        case ssl.SSLError():
            reason = (error.reason or "no reason given").replace("_", " ").lower()
            return TlsFailed(
                f"`{where}` speaks no TLS that can be used: {reason}", hint="Is it plain `http`?"
            )
        case socket.gaierror():
            return Unreachable(
                f"`{where}`: the name has no address", hint="Is it spelt right, and is the network up?"
            )
        case ConnectionRefusedError():
            return Unreachable(f"`{where}` refuses connections", hint="Is the server running there?")
        case ConnectionError():
            return Unreachable(
                f"`{where}` ended the connection before anything was sent", hint="Is it the right port?"
            )
        case _:
            reason = (error.strerror or "none of its addresses answers").lower()
            return Unreachable(f"`{where}` cannot be reached: {reason}", hint="Is the server running there?")


def connection_broke(where: str, error: Exception | None, *, heard: bool) -> Interrupted:
    """An exchange was under way."""
    when = "in the middle of its answer" if heard else "without an answer"
    match error:
        case ssl.SSLError():
            how = "broke the TLS connection"
        case ConnectionResetError() | BrokenPipeError() | ConnectionAbortedError():
            how = "reset the connection"
        case TimeoutError():
            how = "does not acknowledge anything any more; the connection ended"
        case _:
            how = "closed the connection"
    return Interrupted(f"`{where}` {how} {when}", hint="Was the server, or a proxy in between, restarted?")
