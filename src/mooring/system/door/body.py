"""What a request brings along, read within a size and a time, and as JSON that means one thing only."""

from __future__ import annotations

import asyncio
import json
from typing import NoReturn

from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadRequest, BodyTooLarge, NotJson, TooSlow
from mooring.system.door.asgi import Message, Receive, Scope, header

__all__ = ["LARGEST", "bounded", "parse_json", "read_body", "read_json"]

LARGEST = 4 * 1024 * 1024
IN_TIME = 30.0
DEEPEST = 64


def bounded(scope: Scope, receive: Receive) -> Receive:
    """The same messages, until there is too much of it or it takes too long; then that is the error."""
    lengths = header(scope, b"content-length")
    if lengths and (not lengths[0].isdigit() or int(lengths[0][:20]) > LARGEST):
        raise _too_large()
    until = asyncio.get_running_loop().time() + IN_TIME
    taken = 0
    is_whole = False

    async def next_message() -> Message:
        nonlocal taken, is_whole
        if is_whole:
            return await receive()
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError as error:
            raise TooSlow(
                f"The request did not arrive within {IN_TIME:.0f} seconds", hint="Send it faster"
            ) from error
        taken += len(message.get("body", b""))
        is_whole = not message.get("more_body", False)
        if taken > LARGEST:
            raise _too_large()
        return message

    return next_message


async def read_body(receive: Receive) -> bytes:
    pieces: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BadRequest("The request ended before it was whole", hint="Send it again")
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)


async def read_json(scope: Scope, receive: Receive) -> JSON:
    """The body as a value; what two parsers could read in two ways is refused."""
    kinds = header(scope, b"content-type")
    if len(kinds) != 1 or kinds[0].partition(b";")[0].strip().lower() != b"application/json":
        raise NotJson("The body has to be JSON", hint="Send `Content-Type: application/json`")
    return parse_json(await read_body(receive))


def parse_json(body: bytes) -> JSON:
    try:
        value = json.loads(body.decode(), object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:
        raise BadRequest(
            f"The body is no JSON: {_where(error)}", hint="Check it with another program"
        ) from error
    _check_depth(value)
    return value


def _where(error: ValueError) -> str:
    """The place and the reason; never the text, which may hold a secret."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.lower()} in line {error.lineno}, column {error.colno}"
    return "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)


def _once(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"`{word}` is no number in JSON")


def _check_depth(value: JSON) -> None:
    layer = [value]
    for _ in range(DEEPEST + 1):
        layer = [
            inner
            for each in layer
            for inner in (each.values() if is_map(each) else each if is_list(each) else ())
        ]
        if not layer:
            return
    raise _too_deep()


def _too_deep() -> BadRequest:
    return BadRequest(f"The body is nested deeper than {DEEPEST} levels", hint="Send it flatter")


def _too_large() -> BodyTooLarge:
    return BodyTooLarge(f"The body is larger than {LARGEST // 1024} KiB", hint="Send less at once")
