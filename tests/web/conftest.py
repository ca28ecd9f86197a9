"""A host over servers that live in the test, served behind the door."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeAlias

import pytest
from tests.host.conftest import Opened, opened, protocol
from tests.web.client import TOKEN, Client

from mooring.core.spec import Entry
from mooring.host import Host
from mooring.system.door import Keys, Places
from mooring.web.app import Served, serving

__all__ = ["opened", "protocol"]


class World:
    def __init__(self, host: Host, served: Served, keys: Keys, wrong: list[Exception]) -> None:
        self.host = host
        self.served = served
        self.keys = keys
        self.wrong = wrong
        self.client = Client(served.app)


Serves: TypeAlias = Callable[..., AbstractAsyncContextManager[World]]


@pytest.fixture
def serves(opened: Opened) -> Serves:
    """`serves({"clock": server})`, with a token that may read, call and administrate."""

    @asynccontextmanager
    async def world(servers: dict[str, Any], *entries: Entry, **how: Any) -> AsyncGenerator[World]:
        keys, wrong = Keys(), list[Exception]()
        keys.add_token(TOKEN)
        async with (
            opened(servers, *entries, **how) as host,
            serving(host, keys, Places.of("127.0.0.1", 4096), wrong.append) as served,
        ):
            yield World(host, served, keys, wrong)
        assert wrong == []

    return world
