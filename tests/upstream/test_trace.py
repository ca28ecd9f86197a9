"""What is heard of a connection by somebody who listens."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.host.scripted import Scripted
from tests.servers.scripted_http import http_server, session_with
from tests.upstream.scripted import order

from mooring.core.items import Kind
from mooring.testing import dial_to
from mooring.upstream.credentials import Refusal
from mooring.upstream.trace import Frame, HttpAnswer, HttpRequest, Learned, Took, Traced


async def test_every_message_is_heard_as_it_went() -> None:
    heard: list[Traced] = []
    async with dial_to({"it": Scripted()})(order(protocol="legacy", trace=heard.append)) as session:
        await session.ping(5)
    frames = [each for each in heard if isinstance(each, Frame)]
    methods = [json.loads(frame.message).get("method", "") for frame in frames]
    assert [(frame.way, method) for frame, method in zip(frames, methods, strict=True)] == [
        ("out", "initialize"),
        ("in", ""),
        ("out", "notifications/initialized"),
        ("out", "ping"),
        ("in", ""),
    ]
    assert heard[0] == Took("start")


async def test_every_exchange_is_heard_with_its_headers_and_no_secret_is_in_a_repr() -> None:
    heard: list[Traced] = []
    async with (
        http_server() as server,
        session_with(server.url, headers={"X-Key": "hunter22"}, trace=heard.append) as session,
    ):
        await session.all(Kind.TOOL)
    asked = [each for each in heard if isinstance(each, HttpRequest)]
    answers = {each.number: each for each in heard if isinstance(each, HttpAnswer)}
    first = asked[0]
    assert (first.method, first.url) == ("POST", server.url)
    assert dict(first.headers)["x-key"] == "hunter22"
    assert answers[first.number].status == 200
    assert dict(answers[first.number].headers)["content-type"].startswith("application/json")
    assert heard.index(first) < heard.index(answers[first.number])
    assert len({each.number for each in asked}) == len(asked)
    assert "hunter22" not in repr(heard)


class Badge:
    async def headers(self, method: str, url: str) -> Mapping[str, str]:
        del method, url
        return {"Authorization": "Bearer badge-1"}

    async def refused(self, url: str, refusal: Refusal, sent: Mapping[str, str]) -> bool:
        del url, refusal, sent
        return False


async def test_what_must_not_be_shown_is_told_before_it_is_sent() -> None:
    heard: list[Traced] = []
    async with http_server() as server, session_with(server.url, credentials=Badge(), trace=heard.append):
        pass
    first = next(at for at, each in enumerate(heard) if isinstance(each, HttpRequest))
    told = [secret for each in heard[:first] if isinstance(each, Learned) for secret in each.secrets]
    assert "badge-1" in told
