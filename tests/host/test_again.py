"""What a server that is busy, or has been restarted, costs those who ask it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from tests.servers.scripted_http import HttpServer, Request, http_server, raw, result

from mooring import Host, open_host
from mooring.errors import HttpRefused, SessionLost

Opened = Callable[[HttpServer], AbstractAsyncContextManager[Host]]
READ = {"contents": [{"uri": "it:x", "text": "hello"}]}


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    @asynccontextmanager
    async def host_of(server: HttpServer) -> AsyncIterator[Host]:
        config = {"mcp": {"it": {"url": server.url, "protocol": "legacy"}}}
        async with asyncio.timeout(20), open_host(config, cwd=tmp_path) as host:
            await host.settled()
            yield host

    return host_of


class Refusing:
    """Refuses the first request of a kind, and takes the next."""

    def __init__(self, answer: bytes) -> None:
        self.answer: bytes | None = answer

    async def __call__(self, request: Request, writer: asyncio.StreamWriter) -> None:
        refusal, self.answer = self.answer, None
        writer.write(refusal if refusal is not None else result(request, READ))


def in_seconds(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize("after", [lambda: "0", lambda: in_seconds(-60)], ids=["seconds", "date"])
async def test_what_is_safe_is_asked_again_when_the_server_wants(
    after: Callable[[], str], opened: Opened
) -> None:
    async with (
        http_server(on={"resources/read": Refusing(raw(429, retry_after=after()))}) as server,
        opened(server) as host,
    ):
        assert "hello" in (await host.read(None, "it:x", server="it")).text
        assert len(server.asked("resources/read")) == 2


@pytest.mark.parametrize("after", [lambda: "3600", lambda: in_seconds(3600)], ids=["seconds", "date"])
async def test_a_server_that_wants_to_be_left_alone_for_long_is(
    after: Callable[[], str], opened: Opened
) -> None:
    async with (
        http_server(on={"resources/read": Refusing(raw(503, retry_after=after()))}) as server,
        opened(server) as host,
    ):
        with pytest.raises(HttpRefused, match="503") as caught:
            await host.read(None, "it:x", server="it")
        assert re.fullmatch(r"It asks to wait 3[56]\d\d s", caught.value.hint)
        assert len(server.asked("resources/read")) == 1


async def test_a_lost_session_is_begun_again_for_what_is_safe_and_only_once(opened: Opened) -> None:
    headers = {"mcp-session-id": "s-1"}
    on = {"resources/read": Refusing(raw(404)), "tools/call": Refusing(raw(404))}
    async with http_server(on=on, headers=headers) as server, opened(server) as host:
        assert "hello" in (await host.read(None, "it:x", server="it")).text
        assert (len(server.asked("initialize")), len(server.asked("resources/read"))) == (2, 2)
        with pytest.raises(SessionLost):
            await host.call(None, "it_echo")
        assert len(server.asked("tools/call")) == 1
        assert "hello" in (await host.read(None, "it:x", server="it")).text
        assert len(server.asked("initialize")) == 3
