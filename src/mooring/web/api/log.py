"""What a server said beside its answers: what is kept of it, and what comes while one listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, closing
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from mooring.core.views import log_record
from mooring.errors import TooManyRequests
from mooring.system.journal import journal_file
from mooring.system.readback import Tail, kept
from mooring.web.api.shapes import plain
from mooring.web.encoded import encoded
from mooring.web.parts import Parts

__all__ = ["router", "stderr"]

PAUSE = 0.2
BEAT = 15.0
LAST = 20
MOST = 64

Records: TypeAlias = list[dict[str, Any]]
Lines = Annotated[int, Query(ge=0, le=1_000, description="How many of the last ones.")]


def router(parts: Parts) -> APIRouter:
    found = APIRouter(tags=["servers"])
    followers: set[object] = set()

    @found.get(
        "/servers/{name}/log",
        summary="What it said on stderr and logged; with `Accept: text/event-stream` also what comes",
        response_model=list[dict[str, Any]],
    )
    async def log(request: Request, name: str, lines: Lines = 100) -> Any:
        server = parts.host.server(plain(name)).name
        file = _file(parts, server)
        if "text/event-stream" in request.headers.get("accept", ""):
            if len(followers) >= MOST:
                raise TooManyRequests(f"More than {MOST} follow a log already", hint="Close one of them")
            told = _counted(followers, _follow(parts, file, lines))
            return StreamingResponse(told, headers={"content-type": "text/event-stream"})
        return await asyncio.to_thread(_last, file, lines)

    return found


def stderr(parts: Parts, server: str) -> list[str]:
    """The last lines that it said on stderr in its last run; to be asked in a thread."""
    records = _last(_file(parts, server), 1_000)
    run = records[-1]["run"] if records else ""
    return [each["text"] for each in records if each["run"] == run and each["from"] == "stderr"][-LAST:]


def _file(parts: Parts, server: str) -> Path:
    return journal_file(parts.place.dirs.state / "logs", server)


def _last(file: Path, lines: int) -> list[dict[str, Any]]:
    with closing(Tail(file)) as tail:
        return [log_record(record) for record in kept(file, tail, lines)]


async def _counted(followers: set[object], told: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """As one more, for as long as it lasts."""
    place = object()
    followers.add(place)
    try:
        async with aclosing(told):
            async for frame in told:
                yield frame
    finally:
        followers.discard(place)


async def _follow(parts: Parts, file: Path, lines: int) -> AsyncGenerator[bytes]:
    """Other programs may write to the file as well, so it is looked at again and again."""
    silent = 0.0
    with closing(Tail(file)) as tail:
        records = await _read(lambda: kept(file, tail, lines))
        yield b": connected\n\n"
        while not parts.ending.is_set():
            if records:
                yield b"".join(_frame(record) for record in records)
                silent = 0.0
            elif silent > BEAT:
                yield b": still here\n\n"
                silent = 0.0
            await _ended_within(parts.ending, PAUSE)
            silent += PAUSE
            records = await _read(lambda: list(tail.records()))


async def _read(work: Callable[[], Records]) -> Records:
    """In a thread, which is never left alone with a file that is being closed."""
    reading = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(reading)
    finally:
        await asyncio.wait([reading])


async def _ended_within(ending: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await ending.wait()
    except TimeoutError:
        pass


def _frame(record: dict[str, Any]) -> bytes:
    return b"event: line\ndata: %b\n\n" % encoded(log_record(record))
