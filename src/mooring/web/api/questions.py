"""Questions that wait for an answer, and answering them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, assert_never

from fastapi import APIRouter, Request

from mooring.core.asked import asked, word
from mooring.core.forms import fits
from mooring.core.questions import (
    Accepted,
    Allowed,
    Answer,
    Approve,
    Cancelled,
    Declined,
    Elicit,
    Question,
    Rejected,
    Sample,
    Sampled,
    Scope,
    Visit,
)
from mooring.core.redact import clean
from mooring.errors import BadRequest, RoleMissing
from mooring.host.desk import Waiting
from mooring.system.door import Role, Visitor, visitor_of
from mooring.web.api.shapes import Given
from mooring.web.parts import Parts

__all__ = ["router", "waiting_view"]


def router(parts: Parts) -> APIRouter:
    found = APIRouter(tags=["questions"])

    @found.get("/questions", summary="What waits for an answer, the oldest first")
    async def every(request: Request) -> dict[str, list[dict[str, Any]]]:
        visitor = visitor_of(request.scope)
        parts.audience.looked()
        return {"questions": [waiting_view(each, visitor) for each in parts.desk.waiting]}

    @found.post("/questions/{ticket}", summary="Answer one")
    async def answer(request: Request, ticket: str, given: Given) -> dict[str, Any]:
        waiting, visitor = parts.desk.one(ticket), visitor_of(request.scope)
        if not _may_answer(waiting, visitor):
            raise RoleMissing("This question was put to somebody else", hint="It takes the role `admin`")
        if given.remember is not Scope.ONCE and Role.ADMIN not in visitor.roles:
            raise RoleMissing("To allow more than one call takes the role `admin`", hint='"remember": "once"')
        parts.desk.answer(ticket, _answer(waiting.question, given))
        return {}

    return found


def waiting_view(waiting: Waiting, visitor: Visitor) -> dict[str, Any]:
    """One question; to whoever may not answer it only that it is there."""
    about = {
        "id": waiting.ticket,
        "asked": datetime.fromtimestamp(waiting.asked, UTC).isoformat(),
        "call": waiting.call,
        "caller": clean(waiting.owner),
        "mayAnswer": _may_answer(waiting, visitor),
    }
    if not about["mayAnswer"]:
        return {**about, "kind": word(waiting.question), "server": clean(waiting.question.server)}
    return about | asked(waiting.question)


def _may_answer(waiting: Waiting, visitor: Visitor) -> bool:
    return waiting.owner == visitor.name or Role.ADMIN in visitor.roles


def _answer(question: Question, given: Given) -> Answer:
    if given.action != "accept":
        if isinstance(question, Approve | Sample):
            return Rejected(given.reason)
        return Declined() if given.action == "decline" else Cancelled()
    content: dict[str, Any] = given.content or {}
    match question:
        case Approve():
            return Allowed(given.remember)
        case Elicit(schema=schema):
            for wrong in fits(schema, content):
                raise BadRequest(
                    f"`{clean(wrong.field)}` {wrong.sentence}", hint="`schema` says what is wanted"
                )
            return Accepted(content)
        case Visit():
            return Accepted()
        case Sample():
            return Sampled(content)
        case _:
            assert_never(question)
