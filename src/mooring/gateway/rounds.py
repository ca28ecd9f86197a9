"""Requests of the new era that may ask back: begun, gone on with, and what servers want kept for that."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeAlias

from mooring.core.values import JSON
from mooring.gateway.client import Client
from mooring.gateway.dialogue import Dialogue
from mooring.gateway.request import Request

__all__ = ["carried"]

ASKABLE = ("elicitation", "sampling", "roots")
Work: TypeAlias = Callable[[], Coroutine[Any, Any, bytes]]


async def carried(client: Client, request: Request, work: Work) -> bytes:
    """A server of the new era asks in its results, which pass; what one of the old asks is asked here."""
    if not request.is_modern:
        return await work()
    hub, params = client.hub, request.params
    of = (client.owner, client.scope, request.method, params.name, params.uri)
    state = None if params.request_state is None else hub.seals.opened(params.request_state, of)
    held = None if state is None else hub.dialogues.find(state, of)
    if held is not None:
        held.go_on(request)
        return hub.seals.closed(await hub.dialogues.carried(held), of)
    rounds: dict[str, object] = {}
    if params.input_responses:
        rounds["inputResponses"] = params.input_responses
    if state is not None:
        rounds["requestState"] = state
    if rounds:
        request.caller = replace(request.caller, rounds=rounds)
    if not any(key in request.caller.capabilities for key in ASKABLE):
        return hub.seals.closed(await work(), of)
    dialogue = _begun(client, request, Dialogue(of, request))
    dialogue.begin(work())
    return hub.seals.closed(await hub.dialogues.carried(dialogue), of)


def _begun(client: Client, request: Request, dialogue: Dialogue) -> Dialogue:
    async def roots(_server: str) -> JSON:
        return await dialogue.put(("roots/list", {}))

    request.caller = replace(
        request.caller,
        ask=dialogue.ask,
        roots=roots if "roots" in request.caller.capabilities else None,
        conversation=request if client.is_crowd else client,
    )
    return dialogue
