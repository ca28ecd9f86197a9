"""Processor seconds of one call through us: `typed` reads the parts, `raw` hands the bytes on.

`http` is typed, over Streamable HTTP; `host` is typed, through `Host.call` with policy and events.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from msgspec import Raw
from serving import serving
from sessions import local, session_with
from spent import on_one_core, spent

from mooring import Result, open_host
from mooring.core.parts import Text
from mooring.core.spec import RemoteSpec
from mooring.upstream.session import Session

ARGUMENTS = {"text": "hello", "count": 3}
RAW = Raw(b'{"text":"hello","count":3}')


def text(result: Result) -> str:
    assert not result.is_error
    part = result.parts[0]
    assert isinstance(part, Text)
    return part.text


async def typed(session: Session) -> str:
    return text(await session.call("echo", ARGUMENTS))


async def raw(session: Session) -> bytes:
    return (await session.call("echo", RAW)).raw


async def through_host(calls: int, program: Sequence[str]) -> float:
    config = {"mcp": {"one": {"command": list(program)}}, "permission": {"*": "allow"}}
    async with open_host(config) as host:
        await host.settled()

        async def call() -> str:
            return text(await host.call(None, "one_echo", ARGUMENTS))

        return await spent(call, calls)


async def main(how: str, calls: int, program: Sequence[str]) -> float:
    match how:
        case "host":
            return await through_host(calls, program)
        case "http":
            with serving(program) as address:
                async with session_with(RemoteSpec(name="echo", url=address)) as session:
                    return await spent(lambda: typed(session), calls)
        case _:
            call = {"typed": typed, "raw": raw}[how]
            async with session_with(local(program)) as session:
                return await spent(lambda: call(session), calls)


on_one_core()
print(asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])))
