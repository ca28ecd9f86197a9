"""An error as a problem document (RFC 9457), with our code and the next step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

from mooring.core.redact import clean
from mooring.errors import (
    BadRequest,
    BodyTooLarge,
    ForeignHost,
    ForeignOrigin,
    HeadersTooLarge,
    MooringError,
    NoCredential,
    NoForgeryToken,
    NoSuchRoute,
    NotJson,
    RequestRefused,
    RoleMissing,
    TooManyRequests,
    TooSlow,
    WrongMethod,
)
from mooring.system.door.asgi import Header, Send, answer

__all__ = ["STATUS", "problem", "send_problem"]

STATUS: Mapping[type[MooringError], int] = {
    RequestRefused: 400,
    NoCredential: 401,
    RoleMissing: 403,
    ForeignHost: 421,
    ForeignOrigin: 403,
    NoForgeryToken: 403,
    BadRequest: 400,
    BodyTooLarge: 413,
    HeadersTooLarge: 431,
    NotJson: 415,
    TooSlow: 408,
    TooManyRequests: 429,
    NoSuchRoute: 404,
    WrongMethod: 405,
}


def problem(error: MooringError, status: int) -> bytes:
    """The document; nothing in it is a secret or acts on a terminal."""
    found = {
        "type": f"urn:mooring:{error.code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": clean(error.sentence),
        "code": error.code,
        "hint": clean(error.hint),
    }
    return json.dumps(found, ensure_ascii=True).encode()


async def send_problem(
    send: Send, error: MooringError, status: int | None = None, headers: tuple[Header, ...] = ()
) -> None:
    """As the answer; without a status the one of our own refusals, and 500 for everything else."""
    known = STATUS.get(type(error), 500) if status is None else status
    kind = (b"content-type", b"application/problem+json")
    await answer(send, known, problem(error, known), (kind, *headers))
