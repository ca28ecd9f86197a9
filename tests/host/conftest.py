"""Hosts over servers that live in the test, in both eras of the protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from mooring.core.spec import Config, Entry, LocalSpec, Timeouts
from mooring.host import Host, open_host
from mooring.testing import dial_to

Opened: TypeAlias = Callable[..., AbstractAsyncContextManager[Host]]

QUICK = Timeouts(start=5, list=5, call=5)


def spec(name: str, **more: Any) -> LocalSpec:
    return LocalSpec(**{"name": name, "command": "none", "timeouts": QUICK, **more})


def config(*entries: Entry, **settings: Any) -> Config:
    return Config({entry.name: entry for entry in entries}, settings=settings)


@pytest.fixture(params=["2025-11-25", "2026-07-28"])
def protocol(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    """`opened({"notes": server}, spec("notes", lazy=True))`; a server without a spec has the plain one."""

    @asynccontextmanager
    async def host(servers: dict[str, Any], *entries: Entry, **how: Any) -> AsyncGenerator[Host]:
        protocol = how.pop("protocol", "auto")
        settings = how.pop("settings", {})
        plain = {name: spec(name, protocol=protocol) for name in servers}
        known = config(*{**plain, **{entry.name: entry for entry in entries}}.values(), **settings)
        async with open_host(known, cwd=tmp_path, dial=dial_to(servers), **how) as host:
            yield host

    return host
