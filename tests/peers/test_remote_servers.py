"""Conversations with servers by others at an address, on both TypeScript SDKs and in both eras."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from mooring.core.items import Kind
from mooring.core.spec import RemoteSpec
from mooring.upstream.ground import Ground
from mooring.upstream.order import Order
from mooring.upstream.remote import remote
from mooring.upstream.session import Asking, Ourselves, Session
from mooring.upstream.stdio.reaper import Reaper

pytestmark = pytest.mark.peers

PEERS = Path(__file__).parent
NODE = str(Path(sys.executable).with_name("node"))
EVERYTHING = PEERS / "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
OLD, NEW = "2025-11-25", "2026-07-28"

Dial = Callable[..., AbstractAsyncContextManager[Session]]
Said = Mapping[str, Any]


@contextmanager
def running(*command: str | Path, port: int, until: str) -> Iterator[str]:
    """The first line that holds `until`; it ends when the test does."""
    with subprocess.Popen(
        [NODE, *command],
        env=os.environ | {"PORT": str(port)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield next((line for line in process.stdout if until in line), "")
        finally:
            # what stands in .venv/bin is only what starts Node
            os.killpg(process.pid, signal.SIGKILL)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return held.getsockname()[1]


@pytest.fixture(scope="module")
def everything() -> Iterator[str]:
    port = free_port()
    with running(EVERYTHING, "streamableHttp", port=port, until="listening") as line:
        assert line
        yield f"http://127.0.0.1:{port}/mcp"


@pytest.fixture(scope="module")
def of_old() -> Iterator[str]:
    """The same server over HTTP+SSE, as servers spoke before 2025-03-26."""
    port = free_port()
    with running(EVERYTHING, "sse", port=port, until="running") as line:
        assert line
        yield f"http://127.0.0.1:{port}/sse"


@pytest.fixture(scope="module")
def harbour() -> Iterator[str]:
    with running(PEERS / "server.mjs", "http", port=0, until="") as line:
        yield f"http://127.0.0.1:{int(line)}/mcp"


@pytest.fixture
def dial(tmp_path: Path) -> Dial:
    """A session with a server at an address, from its beginning to its end."""

    @asynccontextmanager
    async def dialled(url: str, protocol: str = "auto", **order: Any) -> AsyncIterator[Session]:
        spec = RemoteSpec(name="peer", url=url)
        with closing(Reaper()) as reaper:
            ground = Ground(os.environ, tmp_path, reaper)
            async with remote(Order(spec, protocol=protocol, **order), spec, ground) as session:
                yield session

    return dialled


@pytest.mark.parametrize("way", ["everything", "of_old"])
async def test_the_reference_server_can_be_used_at_an_address(
    way: str, dial: Dial, request: pytest.FixtureRequest
) -> None:
    async with dial(request.getfixturevalue(way)) as session:
        assert session.agreed.protocol == OLD
        assert len((await session.all(Kind.TOOL)).items) == 13
        assert "42" in (await session.call("get-sum", {"a": 2, "b": 40})).text
        assert b"Resource 7" in (await session.read("demo://resource/dynamic/text/7")).raw
        assert b"Bremen" in (await session.prompt("args-prompt", {"city": "Bremen"})).raw
        question = {"type": "ref/prompt", "name": "completable-prompt"}
        found = await session.complete(question, {"name": "department", "value": "E"}, {})
        assert found.value["completion"]["values"] == ["Engineering"]


@pytest.mark.parametrize(("protocol", "spoken"), [("legacy", OLD), ("auto", NEW)])
async def test_a_server_on_the_second_typescript_sdk_can_be_used_in_both_eras(
    protocol: str, spoken: str, dial: Dial, harbour: str
) -> None:
    async with dial(harbour, protocol) as session:
        assert session.agreed.protocol == spoken
        assert len((await session.all(Kind.TOOL)).items) == 4
        assert (await session.call("add", {"a": 2, "b": 40})).structured == {"sum": 42}
        assert (await session.call("sink")).is_error
        assert b"lies by the sea" in (await session.read("harbour://ports/Genoa")).raw
        assert b"Welcome to Bergen" in (await session.prompt("welcome", {"port": "Bergen"})).raw
        ports = {"type": "ref/resource", "uri": "harbour://ports/{port}"}
        found = await session.complete(ports, {"name": "port", "value": "B"}, {})
        assert found.value["completion"]["values"] == ["Bremen", "Bergen"]


def host(cause: object) -> Said:
    return {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}


async def metres(method: str, params: Said, cause: object) -> Said:
    match method:
        case "elicitation/create":
            return {"action": "accept", "content": {"metres": 20}}
        case "sampling/createMessage":
            text = {"type": "text", "text": "a sea shanty"}
            return {"role": "assistant", "content": text, "model": "none", "stopReason": "endTurn"}
        case _:
            return {"roots": []}


async def test_a_form_is_answered_within_the_call_that_it_belongs_to(dial: Dial, harbour: str) -> None:
    async with dial(harbour, us=Ourselves(host, metres)) as session:
        assert (await session.call("berth")).text == "A berth of 25 metres"


@pytest.mark.parametrize("way", ["everything", "of_old"])
async def test_a_server_that_samples_gets_a_message(
    way: str, dial: Dial, request: pytest.FixtureRequest
) -> None:
    async with dial(request.getfixturevalue(way), us=Ourselves(host, metres)) as session:
        result = await session.call("trigger-sampling-request", {"prompt": "Sing"})
    assert "a sea shanty" in result.text


@pytest.mark.parametrize("protocol", ["legacy", "auto"])
async def test_progress_is_heard_in_both_eras(protocol: str, dial: Dial, harbour: str) -> None:
    heard: list[str] = []
    async with dial(harbour, protocol) as session:
        asking = Asking(progress=lambda _done, _total, message: heard.append(message))
        assert (await session.call("load", {}, asking)).text == "loaded"
    assert heard == ["crate 1", "crate 2", "crate 3"]


async def test_one_session_ends_and_the_other_goes_on(dial: Dial, everything: str) -> None:
    async with dial(everything) as one:
        async with dial(everything) as other:
            assert "ships" in (await other.call("echo", {"message": "ships"})).text
        assert "sail" in (await one.call("echo", {"message": "sail"})).text
