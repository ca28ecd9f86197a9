"""The JSON shape of a question that waits for an answer; nothing in one is a secret."""

from __future__ import annotations

from typing import Any, assert_never

from mooring.core.questions import Approve, Elicit, Question, Sample, Visit
from mooring.core.redact import clean, mask_message, mask_shapes

__all__ = ["asked", "word"]


def word(question: Question) -> str:
    """The one word for it."""
    match question:
        case Approve():
            return "approve"
        case Elicit():
            return "elicit"
        case Sample():
            return "sample"
        case Visit():
            return "visit"
        case _:
            assert_never(question)


def asked(question: Question) -> dict[str, Any]:
    """All of it for whoever has to decide, except what stands under a telling name or looks like a secret."""
    about = {"kind": word(question), "server": clean(question.server), "message": _message(question)}
    match question:
        case Approve(tool=tool, arguments=arguments, read_only=read_only):
            shown = mask_message(dict(arguments), ())
            return {**about, "tool": clean(tool), "arguments": shown, "readOnly": read_only}
        case Elicit(schema=schema):
            return {**about, "schema": mask_message(dict(schema), ())}
        case Sample(request=request):
            return {**about, "request": mask_message(dict(request), ())}
        case Visit(url=url):
            return {**about, "url": url}
        case _:
            assert_never(question)


def _message(question: Question) -> str:
    match question:
        case Approve(tool=tool):
            return f"May `{clean(tool)}` run with this?"
        case Elicit(message=message):
            return mask_shapes(clean(message))
        case Sample():
            return "A model is wanted for this"
        case Visit(reason=reason):
            return mask_shapes(clean(reason))
        case _:
            assert_never(question)
