"""Headers in which the new era says once more what a request is about: they have to agree with it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

from mooring.core.values import JSON
from mooring.errors import NotUnderstood
from mooring.gateway.client import Client
from mooring.gateway.request import VERSION, Request
from mooring.system.door.asgi import Header
from mooring.upstream.wire import decode

__all__ = ["check_headers"]

MISMATCH = -32020
ROUTING = (b"mcp-protocol-version", b"mcp-method", b"mcp-name")
NAMED: Mapping[str, str] = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
PARAMETER = b"mcp-param-"


def check_headers(headers: list[Header], client: Client, request: Request) -> None:
    """Somebody in between may have decided by them, and would have decided about something else."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in ROUTING or name.startswith(PARAMETER):
            if name in found:
                raise _mismatch(name, "is there twice")
            found[name] = value.strip(b" \t")
    version = decode(request.meta[VERSION])
    if found.get(b"mcp-protocol-version", b"").decode("latin-1") != version:
        raise _mismatch(b"mcp-protocol-version", "is not the version in `_meta`")
    if found.get(b"mcp-method", b"").decode("latin-1") != request.method:
        raise _mismatch(b"mcp-method", "is not the method of the request")
    key = NAMED.get(request.method)
    if key is not None:
        named = request.params.name if key == "name" else request.params.uri
        if named and _plain(found.get(b"mcp-name")) != named:
            raise _mismatch(b"mcp-name", f"is not the `{key}` of the request")
    if request.method == "tools/call":
        _check_arguments(found, client, request)


def _check_arguments(found: Mapping[bytes, bytes], client: Client, request: Request) -> None:
    mirrors = client.view.mirrors
    if request.params.name not in mirrors.of_tool:
        return
    wanted = dict(mirrors.headers(request.params.name, request.params.arguments))
    names = {f"mcp-param-{token}".lower() for token in mirrors.of_tool[request.params.name].values()}
    for name in names:
        expected = {key.lower(): value for key, value in wanted.items()}.get(name)
        given = _plain(found.get(name.encode()))
        if not _same(given, None if expected is None else _plain(expected.encode())):
            raise _mismatch(name.encode(), "is not the argument of the request")


def _same(given: str | None, expected: str | None) -> bool:
    if given == expected:
        return True
    try:
        return given is not None and expected is not None and float(given) == float(expected)
    except ValueError:
        return False


def _plain(value: bytes | None) -> str | None:
    """What a header stands for; Base64 that is none stands for nothing."""
    if value is None:
        return None
    text = value.decode("latin-1")
    if not (text.startswith("=?base64?") and text.endswith("?=")):
        return text
    try:
        return base64.b64decode(text[9:-2], validate=True).decode()
    except (binascii.Error, ValueError):
        return None


def _mismatch(name: bytes, what: str) -> NotUnderstood:
    shown: JSON = name.decode("latin-1")
    return NotUnderstood(f"the header `{shown}` {what}", hint="List the tools anew", number=MISMATCH)
