"""Sessions as our host opens them."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.upstream.credentials import Credentials
from mooring.upstream.dial import dialer
from mooring.upstream.ground import Ground
from mooring.upstream.order import Order
from mooring.upstream.session import Session
from mooring.upstream.stdio.reaper import Reaper


@asynccontextmanager
async def session_with(
    spec: LocalSpec | RemoteSpec, credentials: Credentials | None = None
) -> AsyncGenerator[Session]:
    reaper = Reaper()
    try:
        async with dialer(Ground(os.environ, Path.cwd(), reaper))(
            Order(spec, credentials=credentials)
        ) as session:
            yield session
    finally:
        reaper.close()


def local(program: Sequence[str]) -> LocalSpec:
    return LocalSpec(name="echo", command=program[0], args=tuple(program[1:]))
