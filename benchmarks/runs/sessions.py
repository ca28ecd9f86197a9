"""A session with a local server, as our host opens it."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from mooring.core.spec import LocalSpec
from mooring.upstream.ground import Ground
from mooring.upstream.local import local
from mooring.upstream.order import Order
from mooring.upstream.session import Session
from mooring.upstream.stdio.reaper import Reaper


def ground() -> Ground:
    return Ground(os.environ, Path.cwd(), Reaper())


@asynccontextmanager
async def session_with(program: Sequence[str], under: Ground | None = None) -> AsyncGenerator[Session]:
    spec = LocalSpec(name="echo", command=program[0], args=tuple(program[1:]))
    async with local(Order(spec), spec, under or ground()) as session:
        yield session
