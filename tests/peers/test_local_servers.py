"""Conversations with servers by others, each started as a program, on every SDK and in both eras."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mooring.core.items import Kind
from mooring.errors import ServerError
from mooring.upstream.session import Asking, Ourselves, Session

pytestmark = pytest.mark.peers

Dial = Callable[..., AbstractAsyncContextManager[Session]]
Said = Mapping[str, Any]

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "tests" / "peers"
NODE = str(Path(sys.executable).with_name("node"))
PYTHON, SQLITE = (ROOT / ".cache" / name / "bin" for name in ("peers-python", "peers-sqlite"))
OLD, NEW = "2025-11-25", "2026-07-28"
ONE, BOTH = (("auto", OLD),), (("legacy", OLD), ("auto", NEW))
ERAS = {
    "everything": ONE,
    "filesystem": ONE,
    "memory": ONE,
    "thinking": ONE,
    "git": BOTH,
    "time": BOTH,
    "fetch": BOTH,
    "sqlite": ONE,
    "harbour": BOTH,
}
ADA = {"name": "Ada", "entityType": "person", "observations": ["sails"]}
THOUGHT = {"thought": "Is it?", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1}
NOON = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
A_NAME = {"name": "name", "value": "A"}
A_PORT = {"name": "port", "value": "B"}
EVERYTHING = (
    NODE,
    str(PEERS / "node_modules/@modelcontextprotocol/server-everything/dist/index.js"),
    "stdio",
)
HARBOUR = (NODE, str(PEERS / "server.mjs"), "stdio")


@dataclass(frozen=True)
class Peer:
    """One question of each kind, with something that is in the answer."""

    command: tuple[str, ...]
    tools: int
    call: tuple[str, Said, str]
    read: tuple[str, str] | None = None
    prompt: tuple[str, dict[str, str], str] | None = None
    complete: tuple[Said, dict[str, str], dict[str, str], list[str]] | None = None


def reference(name: str, *args: str) -> tuple[str, ...]:
    package = PEERS / "node_modules/@modelcontextprotocol" / f"server-{name}"
    return NODE, str(package / "dist/index.js"), *args


def peers(work: Path, site: str) -> dict[str, Peer]:
    repository = str(work / "repository")
    fetch = (str(PYTHON / "mcp-server-fetch"), "--allow-private-ips", "--ignore-robots-txt")
    ships = "create table ship (name text)"
    names = {"type": "ref/prompt", "name": "completable-prompt"}
    ports = {"type": "ref/resource", "uri": "harbour://ports/{port}"}
    return {
        "everything": Peer(
            EVERYTHING,
            13,
            ("get-sum", {"a": 2, "b": 40}, "42"),
            read=("demo://resource/dynamic/text/7", "Resource 7"),
            prompt=("args-prompt", {"city": "Bremen"}, "Bremen"),
            complete=(names, A_NAME, {"department": "Engineering"}, ["Alice"]),
        ),
        "filesystem": Peer(
            reference("filesystem", str(work)), 14, ("read_text_file", {"path": f"{work}/note.txt"}, "Ahoy")
        ),
        "memory": Peer(
            ("env", f"MEMORY_FILE_PATH={work}/memory.jsonl", *reference("memory")),
            9,
            ("create_entities", {"entities": [ADA]}, "Ada"),
            read=("memory://knowledge-graph", "Ada"),
        ),
        "thinking": Peer(
            reference("sequential-thinking"),
            1,
            ("sequentialthinking", THOUGHT, '"thoughtHistoryLength": 1'),
        ),
        "git": Peer(
            (str(PYTHON / "mcp-server-git"), "--repository", repository),
            12,
            ("git_log", {"repo_path": repository}, "The first commit"),
        ),
        "time": Peer(
            (str(PYTHON / "mcp-server-time"), "--local-timezone", "UTC"),
            2,
            ("convert_time", NOON, "T21:00:00+09:00"),
        ),
        "fetch": Peer(
            fetch,
            1,
            ("fetch", {"url": site}, "Ships come and go"),
            prompt=("fetch", {"url": site}, "Ships come and go"),
        ),
        "sqlite": Peer(
            (str(SQLITE / "mcp-server-sqlite"), "--db-path", str(work / "ships.db")),
            6,
            ("create_table", {"query": ships}, "Table created successfully"),
            read=("memo://insights", "No business insights"),
            prompt=("mcp-demo", {"topic": "harbours"}, "harbours"),
        ),
        "harbour": Peer(
            HARBOUR,
            4,
            ("add", {"a": 2, "b": 40}, "42"),
            read=("harbour://ports/Genoa", "Genoa lies by the sea"),
            prompt=("welcome", {"port": "Bergen"}, "Welcome to Bergen"),
            complete=(ports, A_PORT, {}, ["Bremen", "Bergen"]),
        ),
    }


@pytest.mark.parametrize(
    ("name", "protocol", "spoken"),
    [(name, *era) for name, eras in ERAS.items() for era in eras],
    ids=str,
)
async def test_one_of_each_that_a_server_offers_can_be_used(
    name: str, protocol: str, spoken: str, dial: Dial, work: Path, site: str
) -> None:
    peer = peers(work, site)[name]
    async with dial(peer.command, protocol) as session:
        assert session.agreed.protocol == spoken
        tool, arguments, answer = peer.call
        tools = [each["name"] for each in (await session.all(Kind.TOOL)).items]
        assert (len(tools), tool in tools) == (peer.tools, True)
        result = await session.call(tool, arguments)
        assert (result.is_error, answer in result.text) == (False, True), result.text
        await read_prompt_and_complete(session, peer)


async def read_prompt_and_complete(session: Session, peer: Peer) -> None:
    if peer.read is not None:
        uri, text = peer.read
        assert (await session.all(Kind.RESOURCE)).items
        assert text in (await session.read(uri)).raw.decode()
    if peer.prompt is not None:
        prompt, given, text = peer.prompt
        assert prompt in [each["name"] for each in (await session.all(Kind.PROMPT)).items]
        assert text in (await session.prompt(prompt, given)).raw.decode()
    if peer.complete is not None:
        *question, values = peer.complete
        completed = (await session.complete(*question)).value["completion"]
        assert completed["values"] == values


# --- what servers ask, and what they say while they work


def host(cause: object) -> Said:
    return {"elicitation": {"form": {}}, "sampling": {}, "roots": {"listChanged": True}}


class Answers:
    """A host that answers every question, and remembers what it was asked."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.asked: list[str] = []

    async def answer(self, method: str, params: Said, cause: object) -> Said:
        self.asked.append(method)
        match method:
            case "elicitation/create":
                return {"action": "accept", "content": {"metres": 20, "name": "Ada"}}
            case "sampling/createMessage":
                text = {"type": "text", "text": "a sea shanty"}
                return {"role": "assistant", "content": text, "model": "none", "stopReason": "endTurn"}
            case _:
                return {"roots": [{"uri": self.work.as_uri(), "name": "the work"}]}

    def us(self) -> Ourselves:
        return Ourselves(capabilities=host, answer=self.answer)


@pytest.mark.parametrize("protocol", ["legacy", "auto"])
async def test_a_form_is_answered_in_both_eras(protocol: str, dial: Dial, work: Path) -> None:
    answers = Answers(work)
    async with dial(HARBOUR, protocol, us=answers.us()) as session:
        assert (await session.call("berth")).text == "A berth of 25 metres"
    assert answers.asked == ["elicitation/create"]


async def test_a_server_that_samples_gets_a_message(dial: Dial, work: Path) -> None:
    answers = Answers(work)
    async with dial(EVERYTHING, us=answers.us()) as session:
        tools = [each["name"] for each in (await session.all(Kind.TOOL)).items]
        assert "trigger-sampling-request" in tools
        result = await session.call("trigger-sampling-request", {"prompt": "Sing"})
    assert "a sea shanty" in result.text
    assert "sampling/createMessage" in answers.asked


async def test_a_server_that_wants_roots_works_in_them(dial: Dial, work: Path) -> None:
    answers = Answers(work)
    async with dial(reference("filesystem", str(work / "repository")), us=answers.us()) as session:
        # it asks when it is ready to, and says nothing when it has understood
        while str(work) not in (await session.call("list_allowed_directories")).text.splitlines():
            pass
        assert "Ahoy" in (await session.call("read_text_file", {"path": str(work / "note.txt")})).text
    assert answers.asked == ["roots/list"]


@pytest.mark.parametrize("protocol", ["legacy", "auto"])
async def test_progress_is_heard_in_both_eras(protocol: str, dial: Dial) -> None:
    heard: list[tuple[float, float | None, str]] = []
    async with dial(HARBOUR, protocol) as session:
        asking = Asking(progress=lambda *said: heard.append(said))
        assert (await session.call("load", {}, asking)).text == "loaded"
    assert heard == [(1, 3, "crate 1"), (2, 3, "crate 2"), (3, 3, "crate 3")]


# --- what servers refuse


@pytest.mark.parametrize("protocol", ["legacy", "auto"])
async def test_a_tool_that_fails_is_an_answer_and_a_resource_that_is_not_there_an_error(
    protocol: str, dial: Dial
) -> None:
    async with dial(HARBOUR, protocol) as session:
        result = await session.call("sink")
        assert (result.is_error, "the ship has sunk" in result.text) == (True, True)
        with pytest.raises(ServerError):
            await session.read("harbour://treasure")
        assert (await session.call("add", {"a": 1, "b": 1})).structured == {"sum": 2}


async def test_what_a_server_keeps_is_there_for_the_next_session(dial: Dial, work: Path, site: str) -> None:
    peer = peers(work, site)["memory"]
    async with dial(peer.command) as session:
        await session.call("create_entities", {"entities": [ADA]})
    async with dial(peer.command) as session:
        assert "sails" in (await session.call("search_nodes", {"query": "Ada"})).text
