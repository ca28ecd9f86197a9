"""Whatever is asked, within what is described and beyond it, is answered as described: schemathesis asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode, Response
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks
from tests.host.scripted import Scripted
from tests.web.client import BEARER, HOST, Answer
from tests.web.conftest import Serves, World

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
# Two streams have no end; one route opens a browser; the others write down programs that are then started.
NOT_ASKED = {
    *("GET /event", "GET /api/v1/events", "POST /mcp/{name}/auth/authenticate"),
    *("POST /mcp", "PUT /api/v1/config/servers/{name}", "PATCH /api/v1/config/servers/{name}"),
}
# What is there to be found, since nobody would guess it; what is disconnected serves nobody else.
KNOWN: dict[str, dict[str, str]] = {
    "POST /api/v1/call": {"name": "clock_tick"},
    "POST /api/v1/read": {"uri": "note://a", "server": "clock"},
    "POST /api/v1/prompt": {"name": "clock:p"},
    "POST /api/v1/complete": {"server": "clock"},
    "POST /api/v1/servers/{name}/disconnect": {"name": "spare"},
    "POST /mcp/{name}/disconnect": {"name": "spare"},
}
EVERYWHERE = {"name": "clock", "server": "clock"}
FOUND = {
    *("POST /api/v1/call", "POST /api/v1/read", "POST /api/v1/prompt", "GET /api/v1/tools", "GET /mcp"),
    *("GET /api/v1/servers/{name}", "GET /api/v1/servers/{name}/pins", "POST /mcp/{name}/disconnect"),
}
PREPARED = ("method", "url", "params", "headers", "cookies", "json", "data", "files")
# The same requests each time, so that what passes today does not fail tomorrow.
SAME = settings(
    max_examples=8,
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


class Asks:
    """What a thread asks of an application that lives in the loop of the test."""

    def __init__(self, world: World) -> None:
        self._client = world.client
        self._loop = asyncio.get_running_loop()
        self.answered: set[tuple[str, int]] = set()

    def __call__(self, case: Case) -> None:
        parts = case.as_transport_kwargs(base_url="http://127.0.0.1:4096")
        request = requests.Request(**{key: parts[key] for key in PREPARED if key in parts}).prepare()
        answer = asyncio.run_coroutine_threadsafe(self._ask(request), self._loop).result(20)
        self.answered.add((case.operation.label, answer.status))
        headers = {key.decode(): [each.decode() for each in answer.header(key)] for key, _ in answer.headers}
        case.validate_response(Response(answer.status, headers, answer.body, request, 0, False), CHECKS)

    async def _ask(self, request: requests.PreparedRequest) -> Answer:
        url, body = urlsplit(request.url or ""), request.body or b""
        headers = [
            (_bytes(name).lower(), _bytes(value))
            for name, value in request.headers.items()
            if name.lower() not in ("authorization", "host")
        ]
        return await self._client.ask(
            request.method or "",
            url.path,
            [BEARER, HOST, *headers],
            body=_bytes(body),
            raw=url.path.encode(),
            query=url.query.encode(),
        )


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else value.encode("latin-1")


def _ask_all(document: Any, mode: GenerationMode, ask: Callable[[Case], None]) -> None:
    for found in schemathesis.openapi.from_dict(document).get_all_operations():
        operation: Any = found
        if operation.ok().label not in NOT_ASKED:
            _ask_each(operation.ok(), mode, ask)


def _ask_each(operation: Any, mode: GenerationMode, ask: Callable[[Case], None]) -> None:
    known = EVERYWHERE | KNOWN.get(operation.label, {})

    @SAME
    @given(case=operation.as_strategy(mode), is_known=st.booleans())
    def ask_one(case: Any, is_known: bool) -> None:
        for part in (case.path_parameters, case.query, case.body):
            if is_known and isinstance(part, dict):
                part.update({key: known[key] for key in known if key in part})
        ask(case)

    ask_one()


def clock() -> Scripted:
    """With one of each kind, so that there is something to be found."""
    return Scripted(
        initialize=lambda params: {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}, "completions": {}},
            "serverInfo": {"name": "clock", "version": "1"},
        },
        resources_list={"resources": [{"uri": "note://a", "name": "a"}]},
        resources_read={"contents": [{"uri": "note://a", "text": "a note"}]},
        prompts_list={"prompts": [{"name": "p", "arguments": [{"name": "q"}]}]},
        prompts_get={"messages": [{"role": "user", "content": {"type": "text", "text": "p"}}]},
        completion_complete={"completion": {"values": ["a"]}},
    )


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
async def test_every_answer_is_one_that_is_described(
    serves: Serves, mode: GenerationMode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with serves({"clock": clock(), "spare": Scripted()}) as world:
        await world.host.settled()
        asks = Asks(world)
        document = (await world.client.ask("GET", "/doc")).json
        await asyncio.to_thread(_ask_all, document, mode, asks)
    described = {f"{how.upper()} {path}" for path, hows in document["paths"].items() for how in hows}
    assert described - {label for label, _ in asks.answered} == NOT_ASKED
    if mode is GenerationMode.POSITIVE:
        assert {label for label, status in asks.answered if status == 200} >= FOUND
