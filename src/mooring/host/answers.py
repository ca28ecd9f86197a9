"""What servers ask back, put to whoever made the call that they ask about."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mooring.core.forms import fits
from mooring.core.intake import tidy
from mooring.core.questions import (
    Accepted,
    Answer,
    Ask,
    Caller,
    Cancelled,
    Elicit,
    Face,
    Question,
    Sample,
    Sampled,
    Visit,
    elicit_result,
)
from mooring.core.values import JSON, is_map
from mooring.errors import ServerError
from mooring.upstream.session import Ourselves

__all__ = ["ourselves"]

INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
REFUSED = -1
LOG_LEVEL = "info"
RELAYED = ("elicitation", "sampling", "roots")
_FORMS: Mapping[str, JSON] = {"elicitation": {"form": {}, "url": {}}}


def ourselves(server: str, folder: Path, owner: Caller | None = None) -> Ourselves:
    """As one server knows us: the project's folder is our root, and callers are asked, if they can be.

    What belongs to no call is put to the host's owner, if it has one.
    """

    def capabilities(cause: object) -> Mapping[str, JSON]:
        """Of one request: what its caller can answer. Of a connection: what anybody may be asked there."""
        if isinstance(cause, Caller) and cause.face is Face.GATEWAY:
            return {key: cause.capabilities[key] for key in RELAYED if key in cause.capabilities}
        if isinstance(cause, Caller):
            return _roots() if cause.ask is None else {**_roots(), **_answerable(cause)}
        return {**_roots(), **(_answerable(owner) if owner else _FORMS)}

    async def answer(method: str, params: Mapping[str, JSON], cause: object) -> Mapping[str, JSON]:
        caller = cause if isinstance(cause, Caller) else owner
        match method:
            case "roots/list" if caller is not None and caller.roots is not None:
                found = await caller.roots(server)
                return found if is_map(found) else {"roots": []}
            case "roots/list":
                return {"roots": [{"uri": folder.as_uri(), "name": folder.name or str(folder)}]}
            case "elicitation/create":
                return await _elicited(server, params, caller)
            case "sampling/createMessage" if caller is not None and "sampling" in caller.capabilities:
                return await _sampled(server, params, caller)
            case _:
                raise ServerError(f"no method `{tidy(method, 60)}` here", number=METHOD_NOT_FOUND)

    return Ourselves(capabilities, answer, log_level=LOG_LEVEL)


def _roots() -> dict[str, JSON]:
    return {"roots": {}}


def _answerable(caller: Caller) -> Mapping[str, JSON]:
    """What a downstream client has declared; who says nothing of it can fill in forms."""
    known = {
        key: caller.capabilities[key] for key in ("elicitation", "sampling") if key in caller.capabilities
    }
    return known or _FORMS


async def _elicited(server: str, params: Mapping[str, JSON], caller: Caller | None) -> Mapping[str, JSON]:
    """Nobody to ask is no refusal of theirs: the question is cancelled, not declined."""
    question = _question(server, params)
    if caller is None or caller.ask is None:
        return elicit_result(Cancelled())
    answer = await caller.ask(question)
    if isinstance(question, Elicit) and isinstance(answer, Accepted):
        answer = _fitting(question, answer)
    return elicit_result(answer)


def _question(server: str, params: Mapping[str, JSON]) -> Elicit | Visit:
    message = tidy(params.get("message"), 8192)
    schema = params.get("requestedSchema")
    if params.get("mode") == "url":
        url = params.get("url")
        if not isinstance(url, str) or not url.startswith(("https://", "http://")):
            raise ServerError("`url` is no web address", number=INVALID_PARAMS)
        identity = params.get("elicitationId")
        return Visit(server, url, message, identity if isinstance(identity, str) else None)
    if not is_map(schema):
        raise ServerError("`requestedSchema` is no map", number=INVALID_PARAMS)
    return Elicit(server, message, schema)


def _fitting(question: Elicit, answer: Accepted) -> Answer:
    """What does not fit the form is not sent: the server could not tell it from a careless yes."""
    return answer if answer.content is not None and not fits(question.schema, answer.content) else Cancelled()


async def _sampled(server: str, params: Mapping[str, JSON], caller: Caller) -> Mapping[str, JSON]:
    ask: Ask | None = caller.ask
    question: Question = Sample(server, params)
    answer = await ask(question) if ask is not None else Cancelled()
    if isinstance(answer, Sampled):
        return answer.result
    raise ServerError("the user does not want a model to run for this", number=REFUSED)
