"""Two hosts with one vault, as two programs of one user: what one does with a login, the other notices."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.servers.oauth import Guarded, guarded

from mooring import Host, open_host
from mooring.core.events import StatusChanged
from mooring.core.questions import Accepted, Answer, Question, Visit
from mooring.core.status import Connected, NeedsAuth
from mooring.errors import NeedsLogin


def config(server: Guarded, *names: str) -> dict[str, Any]:
    return {"mcp": {name: {"url": server.url} for name in names or ("notes",)}}


async def by_hand(question: Question) -> Answer:
    assert isinstance(question, Visit)
    async with httpx2.AsyncClient(timeout=20) as browser:
        return Accepted({"url": (await browser.get(question.url)).headers["location"]})


async def log_in(host: Host, name: str = "notes", scope: str | None = None) -> None:
    view = await host.login(name, by_hand, by_hand=True, scope=scope)
    assert isinstance(view.status, Connected)


@asynccontextmanager
async def becoming(host: Host, wanted: type[Connected] | type[NeedsAuth]) -> AsyncIterator[None]:
    """What happens in the block makes one of the servers so, in a host that is told of nothing."""
    with host.bus.subscribe() as events:
        async with asyncio.timeout(60):
            yield
            async for event in events:
                if isinstance(event, StatusChanged) and isinstance(event.after, wanted):
                    return


@pytest.mark.parametrize("protocol", ["2025-11-25", "2026-07-28"])
async def test_a_login_and_a_logout_elsewhere_are_noticed(tmp_path: Path, protocol: str) -> None:
    async with (
        guarded(protocol=protocol) as server,
        open_host(config(server), cwd=tmp_path) as here,
        open_host(config(server), cwd=tmp_path) as there,
    ):
        await here.settled()
        assert isinstance(here.server("notes").status, NeedsAuth)
        async with becoming(here, Connected):
            await log_in(there)
        assert (await here.call(None, "notes_echo", {"a": 1})).text == '{"a": 1}'
        async with becoming(here, NeedsAuth):
            await there.logout("notes")
        async with becoming(here, Connected):
            await log_in(there)


async def test_a_login_elsewhere_that_may_do_more_is_taken_up(tmp_path: Path) -> None:
    async with (
        guarded(wants={"tools/call": "notes:write"}) as server,
        open_host(config(server), cwd=tmp_path) as here,
        open_host(config(server), cwd=tmp_path) as there,
    ):
        await here.settled()
        async with becoming(here, Connected):
            await log_in(there)
        with pytest.raises(NeedsLogin):
            await here.call(None, "notes_echo")
        async with becoming(here, Connected):
            await log_in(there, scope="notes:write")
        assert (await here.call(None, "notes_echo", {"a": 1})).text == '{"a": 1}'


async def test_a_server_that_sleeps_is_not_woken_by_a_login_elsewhere(tmp_path: Path) -> None:
    async with guarded() as server:
        both = config(server, "notes", "other")
        async with (
            open_host(both, cwd=tmp_path, only=["other"]) as here,
            open_host(both, cwd=tmp_path) as there,
        ):
            await here.settled()
            await log_in(there)
            async with becoming(here, Connected):
                await log_in(there, "other")
            assert here.server("notes").word == "pending"


async def test_a_login_of_ones_own_is_not_noticed_again(tmp_path: Path) -> None:
    """Another server's login is what shows that it has been looked for."""
    async with guarded() as server:
        both = config(server, "notes", "other")
        async with open_host(both, cwd=tmp_path) as here, open_host(both, cwd=tmp_path) as there:
            await here.settled()
            await log_in(here)
            session = here.server("notes").since
            async with becoming(here, Connected):
                await log_in(there, "other")
            assert here.server("notes").since == session
