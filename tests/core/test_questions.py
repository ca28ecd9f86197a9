from __future__ import annotations

from typing import Any, get_args

import pytest

from mooring.core.questions import (
    Accepted,
    Allowed,
    Answer,
    Approve,
    Ask,
    Caller,
    Cancelled,
    Declined,
    Face,
    Question,
    Rejected,
    Sampled,
    Scope,
    Visit,
    elicit_result,
)

ANSWERS: list[tuple[Answer, dict[str, Any]]] = [
    (Accepted({"name": "Ada"}), {"action": "accept", "content": {"name": "Ada"}}),
    (Accepted({}), {"action": "accept", "content": {}}),
    (Accepted(), {"action": "accept"}),
    (Declined(), {"action": "decline"}),
    (Rejected("not now"), {"action": "decline"}),
    (Cancelled(), {"action": "cancel"}),
    (Allowed(Scope.ALWAYS), {"action": "cancel"}),
    (Sampled({"role": "assistant"}), {"action": "cancel"}),
]


@pytest.mark.parametrize(("answer", "result"), ANSWERS)
def test_an_answer_is_one_of_three_actions_for_the_server(answer: Answer, result: dict[str, Any]) -> None:
    assert elicit_result(answer) == result


def test_no_answer_is_left_out_of_these_tests() -> None:
    assert {type(answer) for answer, _ in ANSWERS} == set(get_args(Answer))


async def cautious(question: Question) -> Answer:
    match question:
        case Approve(read_only=True):
            return Allowed(Scope.SESSION)
        case Approve(tool=tool):
            return Rejected(f"`{tool}` writes")
        case _:
            return Cancelled()


def answered(ask: Ask, question: Question) -> Answer:
    """Runs an asker that waits for nothing, so that no event loop is needed."""
    coroutine = ask(question).__await__()
    with pytest.raises(StopIteration) as done:
        next(coroutine)
    return done.value.value


def test_a_function_is_enough_to_answer_for_a_caller() -> None:
    caller = Caller("tests", Face.PYTHON, ask=cautious)
    assert caller.ask is not None
    assert answered(caller.ask, Approve("notes", "notes_list", {}, read_only=True)) == Allowed(Scope.SESSION)
    assert answered(caller.ask, Approve("notes", "notes_add", {"text": "x"})) == Rejected(
        "`notes_add` writes"
    )
    assert answered(caller.ask, Visit("notes", "https://example.com/login")) == Cancelled()


def test_nobody_is_bothered_unless_somebody_may_be() -> None:
    assert Caller("cron", Face.TERMINAL).ask is None


def test_what_was_typed_and_where_one_logs_in_stay_out_of_logs() -> None:
    assert "sesame" not in repr(Accepted({"password": "sesame"}))
    assert "sesame" not in repr(Visit("notes", "https://example.com/?code=sesame"))
