"""Processor seconds of one call through our session: `typed` reads the parts, `raw` hands the bytes on."""

from __future__ import annotations

import asyncio
import sys

from msgspec import Raw
from sessions import session_with
from spent import spent

from mooring.core.parts import Text
from mooring.upstream.session import Session

RAW = Raw(b'{"text":"hello","count":3}')


async def typed(session: Session) -> str:
    result = await session.call("echo", {"text": "hello", "count": 3})
    assert not result.is_error
    part = result.parts[0]
    assert isinstance(part, Text)
    return part.text


async def raw(session: Session) -> bytes:
    return (await session.call("echo", RAW)).raw


async def main(how: str, calls: int, program: list[str]) -> None:
    call = {"typed": typed, "raw": raw}[how]
    async with session_with(program) as session:
        print(await spent(lambda: call(session), calls))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
