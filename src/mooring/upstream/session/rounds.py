"""Results that ask back: the questions are answered, and the request is made once more with the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from shlex import quote

from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import Decoder

from mooring.core.values import JSON, is_map
from mooring.errors import BadMessage, MooringError, TooManyRounds
from mooring.upstream.wire import decode

__all__ = ["MOST_ROUNDS", "answered", "kind_of"]

MOST_ROUNDS = 10
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.25


class _Head(Struct, rename="camel"):
    # Servers leave it out although the protocol wants it; then the result is complete.
    result_type: str = "complete"


_HEAD = Decoder(_Head)


def kind_of(raw: bytes) -> str:
    """What a result of the new era says it is."""
    if b'"resultType"' not in raw:
        return "complete"
    try:
        return _HEAD.decode(raw).result_type
    except (DecodeError, ValidationError, UnicodeDecodeError, RecursionError):
        value = decode(raw)
        found = value.get("resultType", "complete") if is_map(value) else None
        if isinstance(found, str):
            return found
        raise BadMessage("a result has a `resultType` that is no text", hint="Tell its author") from None


async def answered(
    server: str,
    raw: bytes,
    answer: Callable[[str, Mapping[str, JSON]], Awaitable[Mapping[str, JSON]]],
    again: Callable[[Mapping[str, JSON]], Awaitable[bytes]],
) -> bytes:
    """The final result; `again` makes the request once more with these parameters on top."""
    pause = _FIRST_PAUSE
    for _ in range(MOST_ROUNDS):
        asked = decode(raw)
        questions = asked.get("inputRequests") if is_map(asked) else None
        state = asked.get("requestState") if is_map(asked) else None
        more: dict[str, JSON] = {}
        if is_map(questions) and questions:
            pause = _FIRST_PAUSE
            more["inputResponses"] = await _all_answers(questions, answer)
        elif state is None:
            raise BadMessage(
                f"`{server}` wants input and does not say which", hint="Tell the author of the server"
            )
        else:
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        if state is not None:
            more["requestState"] = state
        raw = await again(more)
        if kind_of(raw) != "input_required":
            return raw
    raise TooManyRounds(
        f"`{server}` has asked for input {MOST_ROUNDS} times and still gives no result",
        hint=f"mooring debug {quote(server)}",
    )


async def _all_answers(
    questions: Mapping[str, JSON], answer: Callable[[str, Mapping[str, JSON]], Awaitable[Mapping[str, JSON]]]
) -> Mapping[str, JSON]:
    async def one(question: JSON) -> Mapping[str, JSON]:
        method = question.get("method") if is_map(question) else None
        params = question.get("params") if is_map(question) else None
        return await answer(method if isinstance(method, str) else "", params if is_map(params) else {})

    tasks: dict[str, asyncio.Task[Mapping[str, JSON]]] = {}
    try:
        async with asyncio.TaskGroup() as group:
            for key, question in questions.items():
                tasks[key] = group.create_task(one(question))
    except* MooringError as errors:
        # One question that cannot be answered ends the call, for its reason alone.
        raise _first(errors) from None
    return {key: task.result() for key, task in tasks.items()}


def _first(group: BaseExceptionGroup[MooringError]) -> MooringError:
    found = group.exceptions[0]
    return _first(found) if isinstance(found, BaseExceptionGroup) else found
