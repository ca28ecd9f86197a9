"""A session with the faulty server, and what is left of it afterwards."""

from __future__ import annotations

import asyncio
import json
import os
import select
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mooring.core.spec import LocalSpec
from mooring.upstream.ground import Ground
from mooring.upstream.local import local
from mooring.upstream.order import Order
from mooring.upstream.session import Session
from mooring.upstream.stdio.reaper import Reaper

FOLDER = Path(__file__).parent


def alive(pid: int) -> bool:
    """Whether it still runs; a zombie does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def has_ended(pid: int, within: float = 5) -> bool:
    """Told by the kernel, which is Linux; a process that nobody has reaped yet has ended too."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], within)[0])
    finally:
        os.close(watched)


async def gone(*pids: int, within: float = 5) -> None:
    ended = await asyncio.gather(*(asyncio.to_thread(has_ended, pid, within) for pid in pids))
    assert all(ended)


@asynccontextmanager
async def ground(**more: Any) -> AsyncIterator[Ground]:
    reaper = Reaper()
    try:
        yield Ground(**{"env": dict(os.environ), "folder": FOLDER, "reaper": reaper, **more})
    finally:
        reaper.close()


@asynccontextmanager
async def connected(spec: LocalSpec, protocol: str = "auto", **more: Any) -> AsyncIterator[Session]:
    on = {key: more.pop(key) for key in ("env", "folder", "leave") if key in more}
    async with ground(**on) as it, local(Order(spec, protocol=protocol, **more), spec, it) as session:
        yield session


async def pids(session: Session) -> list[int]:
    return json.loads((await session.call("pids")).text)
