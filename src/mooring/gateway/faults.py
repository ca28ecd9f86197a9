"""Errors as a client gets them: the protocol's number, our sentence, our code and the next step."""

from __future__ import annotations

from mooring.core.redact import clean
from mooring.errors import (
    BadArguments,
    CallRefused,
    CallTimeout,
    MooringError,
    NotUnderstood,
    ServerError,
    UnknownItem,
    UnknownTool,
)
from mooring.upstream.wire import encode

__all__ = ["fault", "number_of"]

NOT_FOUND, INVALID_PARAMS, INTERNAL = -32002, -32602, -32603
TIMED_OUT = -32001


def fault(error: MooringError, *, is_modern: bool = False, uri: str = "") -> bytes:
    """What a server answered is passed on as it is; everything else has our words and our code."""
    if isinstance(error, ServerError):
        said: dict[str, object] = {"code": number_of(error), "message": _theirs(error)}
        return encode(said if error.data is None else {**said, "data": error.data})
    message = f"{error.sentence}. {error.hint}" if error.hint else error.sentence
    data: dict[str, object] = {"code": error.code, "hint": clean(error.hint)}
    if isinstance(error, NotUnderstood):
        data |= error.data
    if uri:
        data["uri"] = uri
    number = number_of(error, is_modern=is_modern, uri=uri)
    return encode({"code": number, "message": clean(message), "data": data})


def _theirs(error: ServerError) -> str:
    return error.sentence.partition(" answered: ")[2] or error.sentence


def number_of(error: MooringError, *, is_modern: bool = False, uri: str = "") -> int:
    match error:
        case NotUnderstood():
            return error.number
        case ServerError():
            return error.number or INTERNAL
        case UnknownItem() if uri and not is_modern:
            return NOT_FOUND
        case UnknownTool() | UnknownItem() | BadArguments() | CallRefused():
            return INVALID_PARAMS
        case CallTimeout() if not is_modern:
            return TIMED_OUT
        case _:
            return INTERNAL
