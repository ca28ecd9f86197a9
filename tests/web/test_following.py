"""A resource that is listened to comes again whenever it changes, for as long as anybody listens."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.host.scripted import Scripted
from tests.web.client import HOST
from tests.web.conftest import Serves, World
from tests.web.test_entrance import enter

from mooring.errors import codes

JSON = (b"content-type", b"application/json")
STREAM = (b"accept", b"text/event-stream")
WHERE = b'{"uri":"note://today","server":"notes"}'
LISTED = {"resources": [{"uri": "note://today", "name": "today"}]}
NO = {"error": {"code": -32601, "message": "not this one"}}


class Note(Scripted):
    """Its one resource says how often it was read."""

    def __init__(self, **answers: Any) -> None:
        self.times = 0
        super().__init__(
            resources_list=LISTED, resources_read=self._reads, resources_unsubscribe={}, **answers
        )

    def _reads(self, params: dict[str, Any]) -> dict[str, Any]:
        self.times += 1
        return {"contents": [{"uri": params["uri"], "text": f"read {self.times}"}]}


def follows(world: World) -> Any:
    return world.client.open("/api/v1/read", JSON, STREAM, method="POST", body=WHERE)


async def test_it_comes_again_when_it_has_changed_and_is_let_go_of_by_the_last(serves: Serves) -> None:
    note = Note()
    async with asyncio.timeout(20), serves({"notes": note}) as world:
        await world.host.settled()
        async with follows(world) as one:
            async with follows(world) as other:
                for listener in (one, other):
                    assert b'"followed": true' in await listener.until(b"event: followed")
                before = note.times
                note.notify("resources/updated", uri="note://other")
                note.notify("resources/updated", uri="note://today")
                await one.until(b"event: contents", 2)
                await other.until(b"event: contents", 2)
                assert note.times == before + 2
            assert note.asked["resources/unsubscribe"] == 0
        await note.heard("resources/unsubscribe")


async def test_a_server_that_does_not_tell_is_read_once_and_that_is_said(serves: Serves) -> None:
    async with asyncio.timeout(20), serves({"notes": Note(resources_subscribe=NO)}) as world:
        await world.host.settled()
        async with follows(world) as listener:
            said = await listener.until(b"event: followed")
            assert b"read 1" in said
            assert b'"followed": false' in said


async def test_what_cannot_be_read_is_a_problem_and_may_get_better(serves: Serves) -> None:
    note = Note()
    good, note.on["resources_read"] = note.on["resources_read"], NO
    async with asyncio.timeout(20), serves({"notes": note}) as world:
        await world.host.settled()
        async with follows(world) as listener:
            await listener.until(b"event: followed")
            assert b"event: problem" in listener.answer.body
            note.on["resources_read"] = good
            note.notify("resources/updated", uri="note://today")
            assert b"read 1" in await listener.until(b"event: contents")


async def test_whose_it_is_has_to_be_said(serves: Serves) -> None:
    async with serves({"notes": Note()}) as world:
        async with world.client.open(
            "/api/v1/read", JSON, STREAM, method="POST", body=b'{"uri":"note://today"}'
        ) as found:
            await found.until(b"}")
        assert (found.answer.status, json.loads(found.answer.body)["code"]) == (400, "MOOR-HTTP-007")


async def test_every_code_leads_to_what_it_means(serves: Serves) -> None:
    async with serves({}) as world:
        cookie = await enter(world)
        for code in codes():
            page = await world.client.ask("GET", f"/codes/{code}", [HOST, cookie])
            assert (page.status, code.encode() in page.body) == (200, True)
        assert (await world.client.ask("GET", "/codes/MOOR-NONE-000", [HOST, cookie])).status == 404
