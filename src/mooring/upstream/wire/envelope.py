"""The outside of a message; what it carries stays the bytes that arrived."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from msgspec import DecodeError, Raw, Struct, ValidationError
from msgspec.json import Decoder, Encoder

from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadMessage

__all__ = [
    "NOTHING",
    "Envelope",
    "Error",
    "batch_of",
    "decode",
    "encode",
    "key_in",
    "key_in_value",
    "key_of",
    "number_in",
    "open_envelope",
    "open_error",
    "params_of",
]

NOTHING = Raw(b"")


class Envelope(Struct, gc=False):
    """A request, a notification, or an answer; absent members are empty."""

    id: Raw = NOTHING
    method: str = ""
    params: Raw = NOTHING
    result: Raw = NOTHING
    error: Raw = NOTHING


class Error(Struct):
    """The protocol's own error; a server that breaks its shape still gets its words through."""

    code: int = 0
    message: str = ""
    data: JSON = None


_ENVELOPE = Decoder(Envelope)
_ERROR = Decoder(Error)
_ANY = Decoder()
_BATCH = Decoder(list[Raw])
_ENCODER = Encoder()
_UNREADABLE = (DecodeError, ValidationError, RecursionError, UnicodeDecodeError)
_MEMBERS = ("id", "params", "result", "error")
LONGEST_ID = 18
# Python takes its time, in which all other servers wait.
LENIENT_UP_TO = 4 * 1024 * 1024
_LAST_ID = re.compile(rb'[,{]\s*"id"\s*:\s*(\d{1,18})\s*\}\s*\Z')
_ID = re.compile(rb'\s*\{(?:\s*"jsonrpc"\s*:\s*"2.0"\s*,)?\s*"id"\s*:\s*(\d{1,18})\s*,')

encode = _ENCODER.encode


def open_envelope(message: bytes) -> Envelope:
    """Raises `BadMessage` for what is no JSON object; the text of it stays out of the sentence."""
    try:
        return _ENVELOPE.decode(message)
    except _UNREADABLE as error:
        value = _lenient(message) if message.lstrip()[:1] == b"{" else None
        if is_map(value):
            method = value.get("method")
            return Envelope(
                **{key: Raw(json.dumps(value[key]).encode()) for key in _MEMBERS if key in value},
                method=method if isinstance(method, str) else "",
            )
        raise BadMessage("a message is no JSON-RPC", hint="Tell the author of the server") from error


def batch_of(message: bytes) -> list[bytes]:
    """The messages in a list of them, as they were written; none where it is no list."""
    try:
        return [bytes(part) for part in _BATCH.decode(message)]
    except _UNREADABLE:
        value = _lenient(message)
        return [json.dumps(part).encode() for part in value] if is_list(value) else []


def open_error(raw: Raw) -> Error:
    try:
        return _ERROR.decode(raw)
    except _UNREADABLE:
        return Error(message=bytes(raw)[:200].decode(errors="replace"))


def decode(raw: Raw | bytes) -> JSON:
    """The whole of it as values; nothing at all is None."""
    if not raw:
        return None
    try:
        return _ANY.decode(raw)
    except _UNREADABLE as error:
        value = _lenient(bytes(raw))
        if value is None:
            raise BadMessage(
                "an answer cannot be understood", hint="Tell the author of the server"
            ) from error
        return value


def _lenient(message: bytes) -> JSON:
    """What Python itself can make of it: `NaN`, half of a surrogate pair, bytes that are no UTF-8."""
    if len(message) > LENIENT_UP_TO:
        return None
    try:
        return json.loads(message.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None


def params_of(raw: Raw) -> Mapping[str, JSON]:
    """Parameters that are no map are none."""
    value = decode(raw)
    return value if is_map(value) else {}


def key_in(text: bytes) -> int | None:
    """The id at the beginning, or at the end, of an answer that is otherwise lost."""
    found = _ID.match(text) or _LAST_ID.search(text)
    return int(found[1]) if found else None


def key_of(identity: Raw) -> int | str | None:
    """An id as we count; a peer that sends our 7 back as "7" or 7.0 still means 7."""
    text = bytes(identity)
    return int(text) if text.isdigit() and len(text) <= LONGEST_ID else key_in_value(decode(identity))


def key_in_value(value: JSON) -> int | str | None:
    match value:
        case bool() | None:
            return None
        case int():
            return value
        case float():
            return int(value) if value.is_integer() else None
        case str():
            number = number_in(value)
            return value if number is None else number
        case _:
            return None


def number_in(text: str) -> int | None:
    """Ids of ours are short; Python refuses to read a number of thousands of digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_ID else None
