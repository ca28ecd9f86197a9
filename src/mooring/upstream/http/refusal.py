"""A status that is no success, said as an error of ours."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from shlex import quote

from mooring.core.redact import clean, mask, mask_shapes
from mooring.core.values import JSON, is_map
from mooring.errors import BadMessage, HttpRefused, Interrupted, MooringError, NeedsLogin, ProxyFailed
from mooring.upstream.http.answer import Answer
from mooring.upstream.http.seconds import retry_after
from mooring.upstream.wire import decode

__all__ = ["body_of", "error_in", "is_page", "refusal"]

LONGEST = 64 * 1024
BODY_WITHIN = 1.0
LONGEST_LINE = 200
_WORDS = ("error_description", "message", "detail", "title", "error")


async def body_of(answer: Answer) -> bytes:
    """As much of it as anybody wants to read, or to wait for."""
    pieces: list[bytes] = []
    try:
        async with asyncio.timeout(BODY_WITHIN):
            while sum(map(len, pieces)) < LONGEST and (piece := await answer.more()):
                pieces.append(piece)
    except (Interrupted, BadMessage, TimeoutError):
        # The status has been heard, and says enough.
        pass
    return b"".join(pieces)[:LONGEST]


def error_in(body: bytes) -> JSON:
    """The protocol's own error, where the body is one."""
    value = _value(body)
    if is_map(value) and is_map(value.get("error")) and "jsonrpc" in value:
        return value["error"]
    return None


def refusal(server: str, answer: Answer, body: bytes, secrets: tuple[str, ...]) -> MooringError:
    status = answer.status
    said = _said(answer, body, secrets)
    sentence = f"`{server}` answers {status}{_phrase(status)}" + (f": {said}" if said else "")
    if status in (401, 403):
        hint = (
            f"mooring auth {quote(server)}"
            if status == 401
            else "Is this login, or this header, allowed to do that?"
        )
        challenge = answer.headers.get("www-authenticate", "")
        return NeedsLogin(sentence, hint=hint, status=status, challenge=challenge, headers=answer.headers)
    if status == 407:
        # Nobody but a proxy says so.
        return ProxyFailed(sentence, hint="Give the proxy's variable a user and a password")
    return HttpRefused(sentence, hint=_hint(server, answer), status=status, headers=answer.headers, body=body)


def is_page(answer: Answer, body: bytes) -> bool:
    """Whether it is meant for a browser."""
    return answer.kind in ("text/html", "application/xhtml+xml") or body.lstrip()[:9].lower() in (
        b"<!doctype",
        b"<html>",
    )


def _phrase(status: int) -> str:
    try:
        return f" ({HTTPStatus(status).phrase})"
    except ValueError:
        return ""


def _hint(server: str, answer: Answer) -> str:
    after = retry_after(answer.headers)
    match answer.status:
        case 404 | 405:
            return f"Is the path right? It often ends in `/mcp`; `mcp.{server}.url` says it"
        case 429 | 503 if after is not None:
            return f"It asks to wait {after:.0f} s"
        case 429:
            return "It wants fewer requests; wait a little"
        case status if status >= 500:
            return "The fault is the server's; try again later"
        case _:
            return f"mooring debug {quote(server)}"


def _said(answer: Answer, body: bytes, secrets: tuple[str, ...]) -> str:
    """The first line of what a person would read of it."""
    if is_page(answer, body):
        return "a web page"
    value = _value(body)
    text = _words(value) if is_map(value) else body[:4096].decode("utf-8", "replace")
    lines = clean(text).strip().splitlines() or [""]
    line = " ".join(lines[0].split())
    return mask_shapes(mask(line, secrets))[:LONGEST_LINE]


def _words(value: JSON) -> str:
    for _ in range(2):
        if not is_map(value):
            break
        value = next((value[key] for key in _WORDS if key in value), None)
    return value if isinstance(value, str) else ""


def _value(body: bytes) -> JSON:
    if body.lstrip()[:1] != b"{":
        return None
    try:
        return decode(body)
    except BadMessage:
        return None
