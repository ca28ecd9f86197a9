"""Messages of clients: read strictly, but only from the outside, and answered by putting bytes together."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import DecodeError, Raw, Struct, ValidationError, field
from msgspec.json import Decoder

from mooring.errors import NotUnderstood
from mooring.upstream.wire import encode
from mooring.upstream.wire.envelope import NOTHING, Envelope

__all__ = [
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "NOTHING",
    "PARSE",
    "Params",
    "answer",
    "failure",
    "notice",
    "opened",
    "params_in",
    "parts",
]

PARSE, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
_UNREADABLE = (DecodeError, ValidationError, RecursionError, UnicodeDecodeError)
_NOT_AN_ID = b"[{tfn"


class Params(Struct, rename="camel", gc=False):
    """The parameters of every method that there is; what is passed on stays the bytes that arrived."""

    name: str = ""
    uri: str = ""
    arguments: Raw = NOTHING
    meta: dict[str, Raw] | None = field(name="_meta", default=None)
    cursor: str | None = None
    ref: Raw = NOTHING
    argument: Raw = NOTHING
    context: Raw = NOTHING
    level: str = ""
    request_id: Raw = NOTHING
    protocol_version: str = ""
    capabilities: Raw = NOTHING
    client_info: Raw = NOTHING
    notifications: Raw = NOTHING
    input_responses: Raw = NOTHING
    request_state: str | None = None


_ENVELOPE = Decoder(Envelope).decode
_PARAMS = Decoder(Params).decode
_BATCH = Decoder(list[Raw]).decode
NONE = Params()


def opened(message: bytes) -> Envelope:
    """One message; what would be white space to us alone, or an id that is none, is refused."""
    try:
        envelope = _ENVELOPE(message)
    except _UNREADABLE as error:
        raise NotUnderstood(
            "this is no JSON-RPC message", hint="One JSON object, in UTF-8", number=PARSE
        ) from error
    if envelope.id and memoryview(envelope.id)[0] in _NOT_AN_ID:
        raise NotUnderstood("an id is a text or a number", number=INVALID_REQUEST)
    return envelope


def parts(message: bytes) -> list[bytes]:
    """The messages in a list of them, which 2025-03-26 allowed; none where it is no list."""
    try:
        return [bytes(part) for part in _BATCH(message)] if message.lstrip()[:1] == b"[" else []
    except _UNREADABLE:
        return []


def params_in(raw: Raw) -> Params:
    if not raw:
        return NONE
    try:
        return _PARAMS(raw)
    except _UNREADABLE as error:
        sentence = f"the parameters do not fit: {error}"
        raise NotUnderstood(sentence, hint="Compare with the protocol", number=INVALID_PARAMS) from error


def answer(identity: bytes, result: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (identity, result)


def failure(identity: bytes, error: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (identity or b"null", error)


def notice(method: str, params: Mapping[str, object] | None = None) -> bytes:
    said: dict[str, object] = {"jsonrpc": "2.0", "method": method}
    return encode(said if params is None else {**said, "params": params})
