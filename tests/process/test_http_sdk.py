"""The SDK's own server over HTTP: both eras, both kinds of answers, and the transport of 2024."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel
from tests.servers.scripted_http import LEGACY, MODERN, session_with
from tests.turns import turns
from tests.upstream.scripted import steps

from mooring.core.items import Kind
from mooring.core.values import JSON
from mooring.errors import ServerError, SessionLost
from mooring.upstream.session import Asking, Listening, Ourselves
from mooring.upstream.trace import Traced


class Name(BaseModel):
    name: str


def living() -> MCPServer:
    server = MCPServer("living")

    @server.tool()
    async def add(a: int, b: int) -> int:
        return a + b

    @server.tool()
    async def steps(ctx: Context) -> str:
        for step in range(3):
            await ctx.report_progress(step + 1, 3, f"step {step + 1}")
        return "done"

    @server.tool()
    async def greet(ctx: Context) -> str:
        answer = await ctx.elicit("who are you?", Name)
        return f"hello {answer.data.name}" if answer.action == "accept" else "hello nobody"

    @server.tool()
    async def change(ctx: Context) -> str:
        await ctx.notify_tools_changed()
        if ctx.protocol_version != MODERN:
            await ctx.session.send_tool_list_changed()
        return "changed"

    @server.tool()
    async def large(size: int) -> str:
        return "x" * size

    @server.tool()
    async def wait() -> str:
        await asyncio.sleep(60)
        return "late"

    @server.resource("note://one")
    def note() -> str:
        return "a note"

    return server


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[str]:
    """The address of an ASGI application that is served by uvicorn in this process."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1, lifespan="on")
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]  # pyright: ignore
    task = asyncio.create_task(server.serve([listening]))
    async with asyncio.timeout(20):
        while not server.started:  # noqa: ASYNC110 - uvicorn has nothing that could be waited for
            await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


async def answer(method: str, params: Mapping[str, JSON], cause: object) -> Mapping[str, JSON]:
    assert method == "elicitation/create"
    return {"action": "accept", "content": {"name": str(cause)}}


US = Ourselves(lambda cause: {"elicitation": {"form": {}}}, answer)
WAYS = [
    pytest.param(protocol, as_json, id=f"{protocol}-{'json' if as_json else 'events'}")
    for protocol in ("legacy", MODERN)
    for as_json in (False, True)
]


@pytest.mark.parametrize(("protocol", "as_json"), WAYS)
async def test_everything_works_in_both_eras_and_both_kinds_of_answers(protocol: str, as_json: bool) -> None:
    app = living().streamable_http_app(json_response=as_json)
    async with served(app) as url, session_with(f"{url}/mcp", protocol=protocol, us=US) as session:
        assert session.agreed.protocol == (MODERN if protocol == MODERN else LEGACY)
        names = [tool["name"] for tool in (await session.all(Kind.TOOL)).items]  # type: ignore[index, call-overload]  # pyright: ignore
        assert "add" in names
        sums = [session.call("add", {"a": n, "b": 1}) for n in range(40)]
        assert [one.text for one in await asyncio.gather(*sums)] == [str(n + 1) for n in range(40)]
        assert (await session.read("note://one")).value["contents"]
        with pytest.raises(ServerError):
            await session.read("note://none")


@pytest.mark.parametrize("protocol", ["legacy", MODERN])
async def test_progress_comes_with_the_answer(protocol: str) -> None:
    heard: list[tuple[float, float | None, str]] = []
    app = living().streamable_http_app()
    async with served(app) as url, session_with(f"{url}/mcp", protocol=protocol) as session:
        asking = Asking(progress=lambda done, total, words: heard.append((done, total, words)))
        assert (await session.call("steps", {}, asking)).text == "done"
    assert heard == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")]


async def test_a_question_comes_back_in_the_stream_of_its_call() -> None:
    app = living().streamable_http_app()
    async with served(app) as url, session_with(f"{url}/mcp", us=US) as session:
        who = [session.call("greet", {}, Asking(cause=name)) for name in ("ann", "bob")]
        assert [one.text for one in await asyncio.gather(*who)] == ["hello ann", "hello bob"]


@pytest.mark.parametrize("protocol", ["legacy", MODERN])
async def test_changes_are_heard_of(protocol: str) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    def hear(method: str, _params: object, _cause: object) -> None:
        heard.put_nowait(method)

    app = living().streamable_http_app()
    more: dict[str, Any] = {"protocol": protocol, "notice": hear}
    async with served(app) as url, session_with(f"{url}/mcp", **more) as session:
        listening = asyncio.create_task(Listening(session, lambda: None).run())
        # The stream for it is opened beside the first calls, and nothing says when.
        async with asyncio.timeout(10):
            while heard.empty():
                await session.call("change")
        assert heard.get_nowait() == "notifications/tools/list_changed"
        listening.cancel()
        await asyncio.wait([listening])


@pytest.mark.parametrize("protocol", ["legacy", MODERN])
async def test_a_call_that_is_given_up_disturbs_no_other(protocol: str) -> None:
    app = living().streamable_http_app()
    async with served(app) as url, session_with(f"{url}/mcp", protocol=protocol) as session:
        waiting = [asyncio.create_task(session.call("wait")) for _ in range(40)]
        await turns()
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        assert (await session.call("add", {"a": 1, "b": 1})).text == "2"


async def test_large_results_arrive() -> None:
    app = living().streamable_http_app()
    async with served(app) as url, session_with(f"{url}/mcp") as session:
        assert len((await session.call("large", {"size": 5_000_000})).text) == 5_000_000


async def test_a_server_that_was_restarted_has_forgotten_us() -> None:
    app = living().streamable_http_app()
    async with served(app) as url, session_with(f"{url}/mcp") as session:
        manager: Any = next(route for route in app.routes if getattr(route, "path", "") == "/mcp")
        manager.endpoint.session_manager._server_instances.clear()
        with pytest.raises(SessionLost):
            await session.call("add", {"a": 1, "b": 1})


async def test_the_transport_of_2024_is_found_by_itself() -> None:
    heard: list[Traced] = []
    app = living().sse_app()
    more: dict[str, Any] = {"protocol": "auto", "trace": heard.append, "us": US}
    async with served(app) as url, session_with(f"{url}/sse", **more) as session:
        assert (await session.call("add", {"a": 1, "b": 1})).text == "2"
        assert (await session.call("greet", {}, Asking(cause="cid"))).text == "hello cid"
    assert steps(heard) == ["connect", "fallback", "handshake"]
