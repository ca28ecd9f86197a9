"""Questions wait until somebody answers, the time runs out, or nobody needs the answer any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from tests.turns import turns

from mooring.core.events import Event, QuestionAnswered, QuestionAsked, QuestionWithdrawn
from mooring.core.questions import Accepted, Allowed, Answer, Approve, Cancelled
from mooring.errors import AnsweredAlready, UnknownQuestion
from mooring.host import desk as desks
from mooring.host.desk import Desk, Party

QUESTION = Approve("notes", "notes_add", {"text": "milk"})


@asynccontextmanager
async def asked(desk: Desk, party: Party, times: int = 1) -> AsyncGenerator[list[asyncio.Task[Answer]]]:
    """So often, until each question is on the desk or was answered."""
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        tasks = [group.create_task(party.ask(QUESTION)) for _ in range(times)]
        await turns()
        yield tasks


async def test_an_answer_reaches_whoever_waits_for_it_once() -> None:
    heard: list[Event] = []
    desk = Desk(heard.append)
    with desk.party("token") as party:
        party.began("call-7")
        async with asked(desk, party) as (task,):
            (waiting,) = desk.waiting
            assert (waiting.owner, waiting.question, waiting.call) == ("token", QUESTION, "call-7")
            assert party.has(waiting.ticket)
            desk.answer(waiting.ticket, Allowed())
            with pytest.raises(AnsweredAlready):
                desk.answer(waiting.ticket, Allowed())
        assert task.result() == Allowed()
    assert heard == [
        QuestionAsked(waiting.ticket, "token", QUESTION, "call-7"),
        QuestionAnswered(waiting.ticket, "token", Allowed()),
    ]
    with pytest.raises(UnknownQuestion):
        desk.answer("nobody asked this", Accepted())


async def test_what_nobody_needs_any_more_is_withdrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Event] = []
    desk = Desk(heard.append)
    with desk.party("token") as party:
        async with asked(desk, party) as (task,):
            ticket = desk.waiting[0].ticket
            task.cancel()
        assert [type(event) for event in heard] == [QuestionAsked, QuestionWithdrawn]
        async with asked(desk, party) as (task,):
            party.leave()
        assert task.result() == Cancelled()
        assert await party.ask(QUESTION) == Cancelled()
    with desk.party("token") as party:
        monkeypatch.setattr(desks, "PATIENCE", 0.01)
        assert await party.ask(QUESTION) == Cancelled()
    assert desk.waiting == ()
    with pytest.raises(AnsweredAlready):
        desk.one(ticket)


async def test_nobody_is_asked_without_end() -> None:
    desk = Desk(lambda _: None)
    with desk.party("token") as party, desk.party("other") as other:
        async with asked(desk, party, desks.MOST_OF_ONE + 3) as tasks:
            assert len(desk.waiting) == desks.MOST_OF_ONE
            async with asked(desk, other):
                assert [each.owner for each in desk.waiting[-1:]] == ["other"]
                other.leave()
            party.leave()
        assert {task.result() for task in tasks} == {Cancelled()}
