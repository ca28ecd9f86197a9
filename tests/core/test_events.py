from __future__ import annotations

import dataclasses
from typing import Any, get_args

import pytest

from mooring.core.changes import Changes
from mooring.core.events import (
    CallEnded,
    CallStarted,
    CatalogChanged,
    ConfigReloaded,
    Event,
    LoginNeeded,
    LogMessage,
    Progressed,
    QuestionAnswered,
    QuestionAsked,
    QuestionWithdrawn,
    ResourceUpdated,
    StatusChanged,
    ToolsUnapproved,
)
from mooring.core.pins import Unapproved
from mooring.core.questions import Approve, Declined
from mooring.core.status import Connecting, Pending

EVENTS: list[tuple[Event, str]] = [
    (StatusChanged("notes", Pending(), Connecting()), "server.status"),
    (CatalogChanged("notes", Changes(instructions=True)), "server.catalog"),
    (ToolsUnapproved("notes", Unapproved()), "server.pins"),
    (ResourceUpdated("notes", "note://1"), "resource.updated"),
    (LogMessage("notes", "info", "db", "opened"), "server.log"),
    (Progressed("notes", "7", 1.0, 3.0), "call.progress"),
    (CallStarted("7", "notes", "notes_add", "tests"), "call.started"),
    (CallEnded("7", "notes", "notes_add", "tests", "done", 0.25), "call.ended"),
    (QuestionAsked("q1", "tests", Approve("notes", "notes_add", {}), call="7"), "question.asked"),
    (QuestionAnswered("q1", "tests", Declined()), "question.answered"),
    (QuestionWithdrawn("q1", "tests"), "question.withdrawn"),
    (ConfigReloaded(started=("notes",)), "config.reloaded"),
    (LoginNeeded("notes", "https://example.com/?state=sesame"), "server.login"),
]


@pytest.mark.parametrize(("event", "kind"), EVENTS, ids=[kind for _, kind in EVENTS])
def test_the_kind_of_an_event_is_what_listeners_were_promised(event: Event, kind: str) -> None:
    assert event.kind == kind


def test_no_two_events_share_a_kind_and_none_is_left_out() -> None:
    assert {type(event) for event, _ in EVENTS} == set(get_args(Event))
    assert len({kind for _, kind in EVENTS}) == len(EVENTS)


@pytest.mark.parametrize("event", [event for event, _ in EVENTS])
def test_a_fact_cannot_be_rewritten_by_a_listener(event: Any) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(event, dataclasses.fields(event)[0].name, "another")


def test_an_address_to_log_in_at_stays_out_of_logs() -> None:
    assert "sesame" not in repr(LoginNeeded("notes", "https://example.com/?state=sesame"))
