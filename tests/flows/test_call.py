"""The walk of a tool call: everybody takes it, so nobody gets round what stands on it.

`Host.call` -> the catalogue knows whose tool it is -> the rules say yes, no or ask -> the caller is asked ->
`Session.call`, with a deadline that progress pushes back -> the result, and an event for each step.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from tests.flows.conftest import Logbook

from mooring import Caller, Face, Host, open_host
from mooring.core.events import CallEnded, CallStarted, Event, Progressed
from mooring.core.questions import Allowed, Answer, Approve, Question, Rejected
from mooring.core.results import error_result
from mooring.errors import CallRefused, CallTimeout, MooringError
from mooring.testing import dial_to


@asynccontextmanager
async def sailing(
    ship: MCPServer, protocol: str, tmp_path: Path, **settings: Any
) -> AsyncGenerator[tuple[Host, list[Event]]]:
    """A host on the ship, and all that it announces about calls."""
    said: list[Event] = []
    entry = {"command": ["ship"], "protocol": protocol, **settings.pop("entry", {})}
    config = {"mcp": {"ship": entry}, **settings}

    def heard(event: Event) -> None:
        if isinstance(event, CallStarted | Progressed | CallEnded):
            said.append(event)

    async with open_host(config, cwd=tmp_path, dial=dial_to({"ship": ship})) as host:
        with host.bus.hear(heard):
            yield host, said


def outcome(said: list[Event]) -> str:
    last = said[-1]
    assert isinstance(last, CallEnded)
    return last.outcome


def agent(answer: Answer, asked: list[Question]) -> Caller:
    """Somebody who asks a person before it does anything that changes the world."""

    async def ask(question: Question) -> Answer:
        asked.append(question)
        return answer

    return Caller("agent", Face.AGENT, ask=ask)


async def test_a_call_is_resolved_permitted_made_and_announced(
    ship: MCPServer, logbook: Logbook, protocol: str, tmp_path: Path
) -> None:
    asked: list[Question] = []
    async with sailing(ship, protocol, tmp_path) as (host, said):
        # nobody has waited for the server: the call does, and for no other one
        result = await host.call(agent(Allowed(), asked), "ship_write", {"text": "Land ho"})

        # the question showed exactly what was about to run
        assert asked == [Approve("ship", "ship_write", {"text": "Land ho"})]
        assert [question.arguments for question in asked if isinstance(question, Approve)] == [
            {"text": "Land ho"}
        ]
        # it ran once, and the bytes that came back are looked into only now
        assert logbook.kept == ["Land ho"]
        assert (result.text, result.is_error) == ("line 1", False)

        # whoever listens was told of each step, under one number
        started, progressed, ended = said
        assert isinstance(started, CallStarted)
        assert isinstance(progressed, Progressed)
        assert isinstance(ended, CallEnded)
        assert started.call == progressed.call == ended.call
        assert (progressed.progress, progressed.total, progressed.message) == (1, 2, "the ink is wet")
        assert (ended.caller, ended.outcome) == ("agent", "done")


async def test_a_refusal_never_reaches_the_server_and_tells_the_model_why(
    ship: MCPServer, logbook: Logbook, protocol: str, tmp_path: Path
) -> None:
    async with sailing(ship, protocol, tmp_path) as (host, said):
        with pytest.raises(CallRefused) as refused:
            await host.call(agent(Rejected("not in this weather"), []), "ship_write", {"text": "x"})
        assert logbook.kept == []
        assert outcome(said) == "refused"
        told = error_result(refused.value)
        assert told["isError"] is True
        assert "not in this weather" in str(told["structuredContent"])


async def test_a_rule_answers_before_anybody_is_asked(
    ship: MCPServer, logbook: Logbook, protocol: str, tmp_path: Path
) -> None:
    asked: list[Question] = []
    rules = {"ship_write": "allow", "ship_learn": "deny"}
    async with sailing(ship, protocol, tmp_path, permission=rules) as (host, _):
        await host.call(agent(Rejected(), asked), "ship_write", {"text": "Becalmed"})
        with pytest.raises(CallRefused):
            await host.call(agent(Allowed(), asked), "ship_learn")
        assert asked == []
        assert logbook.kept == ["Becalmed"]


async def test_a_tool_that_fails_says_so_itself_and_an_error_of_ours_reads_the_same(
    ship: MCPServer, protocol: str, tmp_path: Path
) -> None:
    async with sailing(ship, protocol, tmp_path) as (host, said):
        result = await host.call(None, "ship_sink")
        assert result.is_error
        assert "no water" in result.text
        assert outcome(said) == "tool_error"

        with pytest.raises(MooringError) as unknown:
            await host.call(None, "ship_wrote")
        assert unknown.value.hint == "Did you mean `ship_write`?"
        assert error_result(unknown.value)["isError"] is True


async def test_a_tool_that_says_nothing_runs_into_its_deadline_and_is_called_off(
    ship: MCPServer, logbook: Logbook, protocol: str, tmp_path: Path
) -> None:
    quick = {"timeout": {"start": 5000, "list": 5000, "call": 100}}
    async with sailing(ship, protocol, tmp_path, entry=quick) as (host, said):
        await host.settled()
        with pytest.raises(CallTimeout) as late:
            await host.call(None, "ship_wait")
        assert "mcp.ship.timeout.call" in late.value.hint
        await logbook.was_cancelled.wait()
        assert outcome(said) == "failed"
        # the connection is none the worse for it
        assert (await host.call(None, "ship_write", {"text": "Still here"})).text == "line 1"


async def test_a_caller_who_leaves_takes_the_call_with_them(
    ship: MCPServer, logbook: Logbook, protocol: str, tmp_path: Path
) -> None:
    async with sailing(ship, protocol, tmp_path) as (host, said):
        await host.settled()
        call = asyncio.create_task(host.call(None, "ship_wait"))
        await logbook.is_waiting.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await logbook.was_cancelled.wait()
        assert outcome(said) == "cancelled"
