"""Questions of servers, and of ours about permissions, as a client is asked them, and its answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import assert_never

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
from mooring.core.values import JSON, is_map

__all__ = ["Asked", "asked", "refusal", "understood"]

Asked = tuple[str, Mapping[str, JSON]]
CREATE, SAMPLE = "elicitation/create", "sampling/createMessage"
LONGEST = 2000
YES, SESSION, NO = "once", "always in this session", "no"
PERMISSION: Mapping[str, JSON] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "title": "Run it?", "enum": [YES, SESSION, NO]}},
    "required": ["answer"],
}


def asked(question: Question, able: Mapping[str, JSON]) -> Asked | None:
    """The request to the client; None where it has not said that it can be asked such things."""
    match question:
        case Elicit(message=message, schema=schema):
            return (CREATE, {"message": message, "requestedSchema": schema}) if _has_forms(able) else None
        case Visit(url=url, reason=reason, elicitation=identity):
            said = {"mode": "url", "url": url, "message": reason or "Open this address"}
            known = {"elicitationId": identity} if identity else {}
            return (CREATE, {**said, **known}) if _has_visits(able) else None
        case Sample(request=request):
            return (SAMPLE, request) if "sampling" in able else None
        case Approve(tool=tool, arguments=arguments):
            shown = json.dumps(arguments, ensure_ascii=False)[:LONGEST]
            words = f"May `{tool}` run with {shown}?"
            return (CREATE, {"message": words, "requestedSchema": PERMISSION}) if _has_forms(able) else None
        case _:
            assert_never(question)


def refusal(question: Question) -> Answer:
    """What it comes to when nobody can be asked, or nobody answers."""
    return Rejected("nobody can be asked") if isinstance(question, Approve) else Cancelled()


def understood(question: Question, result: JSON) -> Answer:
    """What does not have the protocol's shape is no consent."""
    if not is_map(result):
        return refusal(question)
    if isinstance(question, Sample):
        return Sampled(result)
    content = result.get("content")
    match result.get("action"):
        case "accept" if isinstance(question, Approve):
            return _permitted(content)
        case "accept":
            return Accepted(content if is_map(content) and isinstance(question, Elicit) else None)
        case "decline":
            return Rejected() if isinstance(question, Approve) else Declined()
        case _:
            return refusal(question)


def _permitted(content: JSON) -> Answer:
    match content.get("answer") if is_map(content) else None:
        case "once":
            return Allowed()
        case "always in this session":
            return Allowed(Scope.SESSION)
        case _:
            return Rejected()


def _has_forms(able: Mapping[str, JSON]) -> bool:
    """Whoever says nothing more of it can fill in forms."""
    found = able.get("elicitation")
    return is_map(found) and (not found or "form" in found)


def _has_visits(able: Mapping[str, JSON]) -> bool:
    found = able.get("elicitation")
    return is_map(found) and "url" in found
