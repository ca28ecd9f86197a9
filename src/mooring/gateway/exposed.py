"""The three tools by which a client finds and uses all others, where it is not shown them all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import DecodeError, Raw, Struct, ValidationError
from msgspec.json import Decoder

from mooring.core import lookup
from mooring.core.catalog import Entry
from mooring.core.exposure import CALL, DESCRIBE, LIMIT, MOST_DESCRIBED, MOST_FOUND, SEARCH
from mooring.core.items import Tool
from mooring.core.outline import outline
from mooring.core.results import error_result
from mooring.core.values import JSON, is_map
from mooring.errors import BadArguments, BadMessage
from mooring.gateway.client import Client
from mooring.upstream.wire import decode, encode

__all__ = ["HELPERS", "Wanted", "answered"]

HELPERS = frozenset((SEARCH, DESCRIBE, CALL))
EMPTY = Raw(b"{}")
T = TypeVar("T")


class _Search(Struct):
    query: str
    limit: int | None = None
    server: str | None = None


class _Describe(Struct):
    names: list[str] | str


class Wanted(Struct):
    """A call of another tool, by the name that the client knows it by."""

    name: str
    arguments: Raw = EMPTY


# Models write numbers as texts now and then.
_SEARCH = Decoder(_Search, strict=False)
_DESCRIBE = Decoder(_Describe)
_CALL = Decoder(Wanted)


async def answered(client: Client, name: str, arguments: Raw) -> bytes | Wanted:
    """The result, or the call that has to be made for it."""
    try:
        if name == SEARCH:
            return await _search(client, _read(_SEARCH, arguments))
        if name == DESCRIBE:
            return _describe(client, _read(_DESCRIBE, arguments))
        return _call(client, _read(_CALL, arguments))
    except BadArguments as error:
        return encode(error_result(error))


async def _search(client: Client, wanted: _Search) -> bytes:
    view = client.view
    servers = view.servers
    if wanted.server and wanted.server not in servers:
        return _text(lookup.nothing(wanted.query, servers))
    names = {entry.name: name for name, entry in view.entries.items()}

    def is_shown(entry: Entry[Tool]) -> bool:
        return entry.name in names and wanted.server in (None, "", entry.server)

    limit = min(max(wanted.limit or LIMIT, 1), MOST_FOUND)
    found = await client.views.finder().find(wanted.query, limit, is_shown)
    lines = [outline(names[entry.name], entry.item) for entry in found]
    return _text(lookup.found(lines) if lines else lookup.nothing(wanted.query, servers))


def _describe(client: Client, wanted: _Describe) -> bytes:
    view = client.view
    names = [wanted.names] if isinstance(wanted.names, str) else wanted.names
    asked = list(dict.fromkeys(names))[:MOST_DESCRIBED]
    known = {name: view.definition(name).decode() for name in asked if name in view.entries}
    missing = [name for name in asked if name not in known]
    told = lookup.described(known, missing, list(view.entries))
    return _text(told, is_error=not known)


def _call(client: Client, wanted: Wanted) -> bytes | Wanted:
    """What this client is not shown does not exist for it; what may still come up is waited for."""
    view = client.view
    is_hidden = view.catalog.tool(wanted.name) is not None
    if wanted.name not in view.entries and (is_hidden or not client.views.missing(client.scope)):
        return _text(lookup.unknown(wanted.name, list(view.entries)), is_error=True)
    return Wanted(wanted.name, _unwrapped(wanted.arguments))


def _unwrapped(arguments: Raw) -> Raw:
    """A map; models write it as a text now and then."""
    first = memoryview(arguments)[0]
    if first == ord('"'):
        text = decode(arguments)
        arguments = Raw(text.encode() if isinstance(text, str) and text.strip() else b"{}")
        return arguments if is_map(_decoded(arguments)) else _no_map()
    if first == ord("n"):
        return EMPTY
    return arguments if first == ord("{") else _no_map()


def _decoded(arguments: Raw) -> JSON:
    try:
        return decode(arguments)
    except BadMessage:
        return None


def _no_map() -> Raw:
    raise BadArguments("`arguments` is no map", hint=f"Ask `{DESCRIBE}` what the tool takes")


def _read(decoder: Decoder[T], arguments: Raw) -> T:
    try:
        return decoder.decode(arguments)
    except (DecodeError, ValidationError, RecursionError, UnicodeDecodeError) as error:
        raise BadArguments(
            f"the arguments do not fit: {error}", hint="Compare with the tool's inputs"
        ) from error


def _text(text: str, *, is_error: bool = False) -> bytes:
    said: Mapping[str, JSON] = {"content": [{"type": "text", "text": text}]}
    return encode({**said, "isError": True} if is_error else said)
