"""The same over Streamable HTTP: sessions for the old era, a request at a time for the new one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.gateway.conftest import META, MODERN, WITHIN, Gated, Json, Scripted, text
from tests.web.client import BEARER, HOST, TOKEN, Answer, Open, scope_of

from mooring.gateway.served import at
from mooring.system.door import App, Door, Keys, Places, Role, Rules

OTHER = "another-token-that-is-long"
TOOLS = {"tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}}
KIND = (b"content-type", b"application/json")
ABLE = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}}


class Http:
    """Requests to the gateway's address, as any client could make them."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.session: list[tuple[bytes, bytes]] = []
        self.token = BEARER

    def open(self, method: str, body: bytes = b"", *headers: tuple[bytes, bytes], **where: str) -> Open:
        found = Open(body)
        path, _, query = where.get("path", "/mcp").partition("?")
        every = (HOST, self.token, *([KIND] if method == "POST" else []), *self.session, *headers)
        scope = {**scope_of(method, path, every, None), "query_string": query.encode()}
        found.task = asyncio.ensure_future(self.app(scope, found.receive, found.send))  # type: ignore[attr-defined]
        return found

    async def whole(self, method: str, body: bytes = b"", *headers: Any, **where: str) -> Answer:
        found = self.open(method, body, *headers, **where)
        async with asyncio.timeout(WITHIN):
            await found.task  # type: ignore[attr-defined]
        return found.answer

    def modern(self, method: str, params: Json | None = None, identity: Any = 1) -> tuple[bytes, list[Any]]:
        params = dict(params or {})
        params["_meta"] = {**ABLE, **params.get("_meta", {})}
        body = json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params}).encode()
        headers = [(b"mcp-protocol-version", MODERN.encode()), (b"mcp-method", method.encode())]
        named = params.get("name") or params.get("uri")
        return body, [*headers, *([(b"mcp-name", named.encode())] if named else [])]

    async def ask(self, method: str, params: Json | None = None, **where: str) -> Json:
        """In the new era."""
        body, headers = self.modern(method, params)
        found = await self.whole("POST", body, *headers, **where)
        assert found.status == 200, found.body
        return found.json["result"]

    async def legacy(self, method: str, params: Json | None = None, identity: Any = 1) -> Answer:
        body = json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params or {}})
        return await self.whole("POST", body.encode())

    async def greet(self, **able: Any) -> Answer:
        about = {"name": "tester", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": able, "clientInfo": about}
        found = await self.legacy("initialize", params)
        self.session = [(b"mcp-session-id", found.header(b"mcp-session-id")[0])]
        note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert (await self.whole("POST", json.dumps(note).encode())).status == 202
        return found


def events(answer: Answer) -> list[Json]:
    lines = answer.body.decode().splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


@asynccontextmanager
async def served(gated: Gated, servers: dict[str, Any]) -> AsyncGenerator[tuple[Http, Any]]:
    async with gated(servers) as gate:
        keys = Keys()
        keys.add_token(TOKEN)
        keys.add_token(OTHER, "other", [Role.READ])
        face = at(gate.hub, "/mcp")
        door = Door(face, keys, Places.of("127.0.0.1", 4096), Rules(lambda _: Role.READ))
        yield Http(door), gate
        face.close()


def echoing() -> Scripted:
    return Scripted({**TOOLS, "tools/call": lambda params: text(json.dumps(params["arguments"]))})


async def test_the_new_era_needs_no_session(gated: Gated) -> None:
    async with served(gated, {"s": echoing()}) as (http, _):
        found = await http.ask("server/discover")
        assert found["supportedVersions"] == [MODERN]
        assert [tool["name"] for tool in (await http.ask("tools/list"))["tools"]] == ["s_echo"]
        called = await http.ask("tools/call", {"name": "s_echo", "arguments": {"a": "b"}})
        assert called == {"resultType": "complete", **text('{"a": "b"}')}


async def test_the_old_era_has_sessions_that_end(gated: Gated) -> None:
    async with served(gated, {"s": echoing()}) as (http, _):
        assert (await http.legacy("tools/list")).status == 400
        assert (await http.greet()).json["result"]["protocolVersion"] == "2025-11-25"
        called = await http.legacy("tools/call", {"name": "s_echo", "arguments": {"a": 1}})
        assert (called.status, called.json["result"]) == (200, text('{"a": 1}'))
        refused = await http.legacy("tools/dance")
        assert (refused.status, refused.json["error"]["code"]) == (200, -32601)
        assert (await http.whole("DELETE")).status == 200
        gone = await http.legacy("tools/list")
        assert (gone.status, gone.json["error"]["code"]) == (404, -32600)


async def test_a_session_belongs_to_whoever_began_it(gated: Gated) -> None:
    async with served(gated, {"s": echoing()}) as (http, _):
        await http.greet()
        http.token = (b"authorization", f"Bearer {OTHER}".encode())
        assert (await http.legacy("tools/list")).status == 404
        assert (await http.whole("DELETE")).status == 404
        http.token = BEARER
        assert (await http.legacy("tools/list")).status == 200


async def test_a_token_that_may_only_read_calls_nothing(gated: Gated) -> None:
    server = echoing()
    async with served(gated, {"s": server}) as (http, _):
        http.token = (b"authorization", f"Bearer {OTHER}".encode())
        assert len((await http.ask("tools/list"))["tools"]) == 1
        body, headers = http.modern("tools/call", {"name": "s_echo"})
        refused = await http.whole("POST", body, *headers)
        assert (refused.status, refused.json["error"]["data"]["code"]) == (403, "MOOR-HTTP-003")
        assert not [each for each in server.heard if each.get("method") == "tools/call"]


@pytest.mark.parametrize(
    "change",
    [
        {b"mcp-method": b"tools/list"},
        {b"mcp-method": None},
        {b"mcp-name": b"s_other"},
        {b"mcp-name": None},
        {b"mcp-protocol-version": b"2025-11-25"},
        {b"mcp-protocol-version": None},
    ],
    ids=["another method", "no method", "another name", "no name", "another version", "no version"],
)
async def test_headers_that_do_not_agree_with_the_message_are_refused(
    gated: Gated, change: dict[bytes, bytes | None]
) -> None:
    server = echoing()
    async with served(gated, {"s": server}) as (http, _):
        body, headers = http.modern("tools/call", {"name": "s_echo"})
        changed = [(key, value) for key, value in ({**dict(headers), **change}).items() if value is not None]
        refused = await http.whole("POST", body, *changed)
        assert (refused.status, refused.json["error"]["code"]) == (400, -32020)
        doubled = await http.whole("POST", body, *headers, (b"mcp-name", b"s_echo"))
        assert doubled.json["error"]["code"] == -32020
        assert not [each for each in server.heard if each.get("method") == "tools/call"]


async def test_arguments_that_travel_in_headers_too_have_to_agree(gated: Gated) -> None:
    properties = {
        "town": {"type": "string", "x-mcp-header": "Town"},
        "n": {"type": "integer", "x-mcp-header": "N"},
    }
    tool = {"name": "go", "inputSchema": {"type": "object", "properties": properties}}
    server = Scripted({"tools/list": {"tools": [tool]}, "tools/call": lambda _: text("gone")})
    async with served(gated, {"s": server}) as (http, _):
        body, headers = http.modern("tools/call", {"name": "s_go", "arguments": {"town": "Zürich", "n": 5}})
        town, number = (b"mcp-param-town", b"=?base64?WsO8cmljaA==?="), (b"mcp-param-n", b"5.0")
        assert (await http.whole("POST", body, *headers, town, number)).status == 200
        for wrong in ([town], [(b"mcp-param-town", b"Bern"), number], [town, (b"mcp-param-n", b"6")]):
            refused = await http.whole("POST", body, *headers, *wrong)
            assert refused.json["error"]["code"] == -32020


@pytest.mark.parametrize("pretty", [b"\n  ", b"\r\n"])
async def test_a_message_over_several_lines_is_one_message(gated: Gated, pretty: bytes) -> None:
    async with served(gated, {"s": echoing()}) as (http, _):
        body, headers = http.modern("tools/call", {"name": "s_echo", "arguments": {"a": ["one\ntwo", 1]}})
        found = await http.whole("POST", body.replace(b", ", b"," + pretty), *headers)
        assert json.loads(found.json["result"]["content"][0]["text"]) == {"a": ["one\ntwo", 1]}


@pytest.mark.parametrize(
    ("body", "status", "number"),
    [(b"{", 400, -32700), (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', 400, -32700), (b"[]", 400, -32700)],
)
async def test_what_is_no_message_is_refused(gated: Gated, body: bytes, status: int, number: int) -> None:
    async with served(gated, {"s": echoing()}) as (http, _):
        found = await http.whole("POST", body)
        assert (found.status, found.json["error"]["code"]) == (status, number)


async def test_an_answer_is_json_unless_something_comes_before_it(gated: Gated) -> None:
    def call(params: Json) -> Json:
        token = params["_meta"]["progressToken"]
        said = {"progressToken": token, "progress": 1}
        server.say({"method": "notifications/progress", "params": said})
        return text("done")

    server = Scripted({**TOOLS, "tools/call": call})
    async with served(gated, {"s": server}) as (http, _):
        body, headers = http.modern("tools/call", {"name": "s_echo"})
        plain = await http.whole("POST", body, *headers)
        assert plain.header(b"content-type") == [b"application/json"]
        body, headers = http.modern("tools/call", {"name": "s_echo", "_meta": {"progressToken": 7}})
        told = await http.whole("POST", body, *headers)
        assert told.header(b"content-type") == [b"text/event-stream"]
        progress, answer = events(told)
        assert progress["params"] == {"progressToken": 7, "progress": 1}
        assert answer["result"]["content"] == text("done")["content"]


async def test_a_client_that_hangs_up_has_its_call_cancelled_at_the_server(gated: Gated) -> None:
    server = Scripted({**TOOLS, "tools/call": "no answer"})
    async with served(gated, {"s": server}) as (http, _):
        body, headers = http.modern("tools/call", {"name": "s_echo"})
        opened = http.open("POST", body, *headers)
        await server.until_heard("tools/call")
        opened.left.set()
        await server.until_heard("notifications/cancelled")
        async with asyncio.timeout(WITHIN):
            await opened.task  # type: ignore[attr-defined]


async def test_a_call_that_a_session_takes_back_ends_without_an_answer(gated: Gated) -> None:
    server = Scripted({**TOOLS, "tools/call": "no answer"})
    async with served(gated, {"s": server}) as (http, _):
        await http.greet()
        body = {"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": {"name": "s_echo"}}
        opened = http.open("POST", json.dumps(body).encode())
        await server.until_heard("tools/call")
        note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "x"}}
        assert (await http.whole("POST", json.dumps(note).encode())).status == 202
        async with asyncio.timeout(WITHIN):
            await opened.task  # type: ignore[attr-defined]
        assert (opened.answer.status, opened.answer.body) == (200, b"")
        await server.until_heard("notifications/cancelled")


async def test_what_belongs_to_no_request_comes_by_the_sessions_own_stream(gated: Gated) -> None:
    server = echoing()
    async with served(gated, {"s": server}) as (http, _):
        await http.greet()
        params = {"level": "error", "data": "early"}
        server.say({"method": "notifications/message", "params": params})
        stream = http.open("GET")
        async with asyncio.timeout(WITHIN):
            await stream.until(b"early")
            assert (await http.whole("GET")).status == 409
            server.answers = {"tools/list": {"tools": []}}
            server.say({"method": "notifications/tools/list_changed"})
            await stream.until(b"notifications/tools/list_changed")
            stream.left.set()
            await stream.task  # type: ignore[attr-defined]
        again = http.open("GET")
        async with asyncio.timeout(WITHIN):
            assert (await http.whole("DELETE")).status == 200
            await again.task  # type: ignore[attr-defined]


async def test_what_may_be_about_anybody_is_read_by_whoever_may_see_all(gated: Gated) -> None:
    server = echoing()
    async with served(gated, {"s": server}) as (http, _):
        other = Http(http.app)
        other.token = (b"authorization", f"Bearer {OTHER}".encode())
        for each in (http, other):
            await each.greet()
        server.say({"method": "notifications/message", "params": {"level": "error", "data": "private"}})
        server.answers = {"tools/list": {"tools": []}}
        server.say({"method": "notifications/tools/list_changed"})
        streams = [each.open("GET") for each in (http, other)]
        async with asyncio.timeout(WITHIN):
            for stream in streams:
                await stream.until(b"notifications/tools/list_changed")
                stream.left.set()
                await stream.task  # type: ignore[attr-defined]
        assert [b"private" in stream.answer.body for stream in streams] == [True, False]


async def test_listening_is_a_stream_that_the_gateway_ends_when_it_ends(gated: Gated) -> None:
    server = echoing()
    async with served(gated, {"s": server}) as (http, gate):
        await http.ask("tools/list")
        wanted = {"notifications": {"toolsListChanged": True}}
        body, headers = http.modern("subscriptions/listen", wanted, "mine")
        stream = http.open("POST", body, *headers)
        async with asyncio.timeout(WITHIN):
            await stream.until(b"acknowledged")
            server.answers = {"tools/list": {"tools": []}}
            server.say({"method": "notifications/tools/list_changed"})
            await stream.until(b"notifications/tools/list_changed")
            gate.hub.ending.set()
            await stream.task  # type: ignore[attr-defined]
        acknowledged, *_, last = events(stream.answer)
        assert acknowledged["params"]["_meta"] == {f"{META}subscriptionId": "mine"}
        assert (last["id"], last["result"]["resultType"]) == ("mine", "complete")


async def test_one_server_has_an_address_of_its_own_and_agents_their_view(gated: Gated) -> None:
    async with served(gated, {"one": echoing(), "two": echoing()}) as (http, _):
        assert [tool["name"] for tool in (await http.ask("tools/list", path="/mcp/two"))["tools"]] == ["echo"]
        assert (await http.ask("tools/call", {"name": "echo"}, path="/mcp/two"))["content"]
        assert (await http.ask("tools/list", path="/mcp?agent=plan"))["tools"] == []
        body, headers = http.modern("tools/list")
        assert (await http.whole("POST", body, *headers, path="/mcp/three")).status == 404


async def test_whoever_has_no_credential_or_comes_from_a_page_gets_nowhere(gated: Gated) -> None:
    async with served(gated, {"s": echoing()}) as (http, _):
        body, headers = http.modern("tools/list")
        origin = (b"origin", b"https://evil.example")
        assert (await http.whole("POST", body, *headers, origin)).status == 403
        http.token = (b"authorization", b"Bearer wrong")
        assert (await http.whole("POST", body, *headers)).status == 401
