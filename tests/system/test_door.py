"""What passes the door, and what is turned away: requests as a server would hand them on."""

from __future__ import annotations

import asyncio
import base64
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.web.client import Answer

from mooring.errors import MooringError, StorageError, UnknownServer, UsageError
from mooring.system.door import (
    Door,
    Keys,
    Places,
    Receive,
    Role,
    Rules,
    Scope,
    Send,
    own_token,
    read_json,
    visitor_of,
)
from mooring.system.door import body as bodies

TOKEN = "a-token-that-is-long-enough"
BEARER = (b"authorization", f"Bearer {TOKEN}".encode())
HOST = (b"host", b"127.0.0.1:4096")
JSON = (b"content-type", b"application/json")
ROLES = {"read": Role.READ, "admin": Role.ADMIN}


class Inside:
    """What stands behind the door, and remembers who came through."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self.read: Any = None
        self.goes_on = asyncio.Event()
        self.crowd = asyncio.Condition()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/open":
            self.came.append("nobody")
        else:
            self.came.append(visitor_of(scope).name)
        async with self.crowd:
            self.crowd.notify_all()
        match scope["path"]:
            case "/json":
                self.read = await read_json(scope, receive)
            case "/wait":
                await self.goes_on.wait()
            case "/broken":
                raise ZeroDivisionError("secret")
            case "/unknown":
                raise UnknownServer("There is no server `x`", hint="mooring list")
            case "/stream":
                await send(
                    {
                        "type": "http.response.start",
                        "status": 200,
                        "headers": [(b"content-type", b"text/event-stream")],
                    }
                )
                await self.goes_on.wait()
                await send({"type": "http.response.body", "body": b""})
                return
            case _:
                pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"in"})


class World:
    def __init__(self) -> None:
        self.now = 0.0
        self.inside = Inside()
        self.keys = Keys(clock=lambda: self.now)
        self.keys.add_token(TOKEN)
        self.wrong: list[Exception] = []
        places = Places.of("127.0.0.1", 4096)
        self.door = Door(self.inside, self.keys, places, Rules(self.role, self.status, self.wrong.append))

    @staticmethod
    def role(scope: Scope) -> Role | None:
        return None if scope["path"] == "/open" else ROLES.get(scope["path"][1:], Role.READ)

    @staticmethod
    def status(error: MooringError) -> int:
        return 404 if isinstance(error, UnknownServer) else 500

    async def ask(
        self,
        method: str = "GET",
        path: str = "/",
        headers: Iterable[tuple[bytes, bytes]] = (BEARER, HOST),
        *,
        body: bytes | Iterable[bytes] = b"",
        raw: bytes | None = None,
    ) -> Answer:
        pieces = [body] if isinstance(body, bytes) else list(body)
        messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
        messages[-1]["more_body"] = False
        answer = Answer()

        async def receive() -> Any:
            return messages.pop(0) if messages else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.status, answer.headers = message["status"], list(message["headers"])
            else:
                answer.body += message.get("body", b"")

        scope: Scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode() if raw is None else raw,
            "headers": list(headers),
            "client": ("127.0.0.1", 5000),
        }
        await self.door(scope, receive, send)
        return answer


@pytest.fixture
def world() -> World:
    return World()


async def test_whoever_has_the_token_comes_in(world: World) -> None:
    answer = await world.ask()
    assert (answer.status, answer.body, world.inside.came) == (200, b"in", ["token"])


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"authorization", b"Bearer wrong")],
        [(b"authorization", b"Bearer ")],
        [(b"authorization", TOKEN.encode())],
        [BEARER, BEARER],
        [BEARER, (b"authorization", b"Bearer wrong")],
        [(b"authorization", b"Basic " + base64.b64encode(b"opencode:"))],
        [(b"cookie", b"mooring=wrong")],
        [(b"x-token", TOKEN.encode())],
    ],
    ids=["none", "wrong", "empty", "bare", "twice", "two", "no-password-set", "cookie", "other-header"],
)
async def test_nobody_else_does_and_is_told_how_to(world: World, headers: list[tuple[bytes, bytes]]) -> None:
    answer = await world.ask(headers=[HOST, *headers])
    assert (answer.status, world.inside.came) == (401, [])
    assert answer.header(b"www-authenticate") == [b'Bearer realm="mooring"']
    assert answer.header(b"content-type") == [b"application/problem+json"]
    found = answer.json
    assert (found["status"], found["code"], found["type"]) == (
        401,
        "MOOR-HTTP-002",
        "urn:mooring:MOOR-HTTP-002",
    )
    assert found["hint"]
    assert TOKEN not in answer.body.decode()


async def test_a_credential_without_the_role_is_not_enough(world: World) -> None:
    world.keys.add_token("another-token-long-enough", "other", [Role.ADMIN])
    other = (b"authorization", b"Bearer another-token-long-enough")
    answer = await world.ask("GET", "/read", [HOST, other])
    assert (answer.status, answer.json["code"], world.inside.came) == (403, "MOOR-HTTP-003", [])
    assert (await world.ask("POST", "/admin", [HOST, other])).status == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (b"127.0.0.1:4096", 200),
        (b"LOCALHOST:4096", 200),
        (b"[::1]:4096", 200),
        (b"evil.com", 421),
        (b"evil.com:4096", 421),
        (b"127.0.0.1", 421),
        (b"127.0.0.1:80", 421),
        (b"127.0.0.1.evil.com:4096", 421),
        (b"127.0.0.1:4096@evil.com", 421),
        (b"localhost:4096:1", 421),
        (b"127.0.0.1:4096.", 421),
        (b"2130706433:4096", 421),
        (b"", 421),
    ],
)
async def test_only_our_own_names_are_answered(world: World, host: bytes, status: int) -> None:
    assert (await world.ask(headers=[BEARER, (b"host", host)])).status == status


async def test_two_hosts_or_none_are_no_request(world: World) -> None:
    assert (await world.ask(headers=[BEARER])).status == 400
    assert (await world.ask(headers=[BEARER, HOST, HOST])).status == 400


@pytest.mark.parametrize(
    ("origins", "status"),
    [
        ([], 200),
        ([b"http://127.0.0.1:4096"], 200),
        ([b"http://localhost:4096"], 200),
        ([b"null"], 403),
        ([b"http://evil.com"], 403),
        ([b"https://127.0.0.1:4096"], 403),
        ([b"http://127.0.0.1:4096.evil.com"], 403),
        ([b"http://127.0.0.1:4096", b"http://evil.com"], 403),
        ([b""], 403),
    ],
)
async def test_only_our_own_pages_are_answered(world: World, origins: list[bytes], status: int) -> None:
    headers = [BEARER, HOST, *((b"origin", origin) for origin in origins)]
    answer = await world.ask(headers=headers)
    assert answer.status == status
    assert not [name for name, _ in answer.headers if name.startswith(b"access-control")]


async def test_a_machine_that_listens_everywhere_answers_to_the_names_it_was_given() -> None:
    places = Places.of("0.0.0.0", 4096, ["box.example"], ["https://front.example/"])
    assert b"box.example:4096" in places.hosts
    assert b"0.0.0.0:4096" not in places.hosts
    assert b"https://front.example" in places.origins
    assert b"192.168.0.7:4096" in Places.of("192.168.0.7", 4096).hosts
    assert b"[fe80::1]:4096" in Places.of("fe80::1", 4096).hosts
    assert b"localhost" in Places.of("127.0.0.1", 80).hosts


@pytest.mark.parametrize(
    ("address", "names", "url"),
    [
        ("127.0.0.1", [], "http://127.0.0.1:4096"),
        ("127.0.0.1", ["box.example"], "http://127.0.0.1:4096"),
        ("::1", [], "http://[::1]:4096"),
        ("0.0.0.0", [], "http://127.0.0.1:4096"),
        ("::", [], "http://[::1]:4096"),
        ("0.0.0.0", ["box.example"], "http://box.example:4096"),
    ],
)
async def test_the_address_that_is_given_out_is_one_that_is_answered(
    address: str, names: list[str], url: str
) -> None:
    places = Places.of(address, 4096, names)
    assert places.url == url
    assert url.removeprefix("http://").encode() in places.hosts


async def test_even_what_needs_no_credential_is_for_our_own_names_alone(world: World) -> None:
    assert (await world.ask(path="/open", headers=[HOST])).status == 200
    assert (await world.ask(path="/open", headers=[(b"host", b"evil.com")])).status == 421


async def test_a_password_opens_where_one_is_set(world: World) -> None:
    world.keys.add_password("opencode", "päss:word")
    right = (b"authorization", b"Basic " + base64.b64encode("opencode:päss:word".encode()))
    assert (await world.ask(headers=[HOST, right])).status == 200
    assert world.inside.came == ["password"]
    answer = await world.ask(headers=[HOST])
    assert len(answer.header(b"www-authenticate")) == 2


async def test_passwords_cannot_be_tried_out_but_the_token_still_works(world: World) -> None:
    world.keys.add_password("opencode", "right")
    right = (b"authorization", b"Basic " + base64.b64encode(b"opencode:right"))
    wrong = (b"authorization", b"Basic " + base64.b64encode(b"opencode:wrong"))
    for _ in range(10):
        assert (await world.ask(headers=[HOST, wrong])).status == 401
    answer = await world.ask(headers=[HOST, right])
    assert (answer.status, answer.header(b"retry-after")) == (429, [b"1"])
    assert (await world.ask()).status == 200
    world.now += 61
    assert (await world.ask(headers=[HOST, right])).status == 200


def cookie_of(world: World, link: str) -> tuple[bytes, bytes]:
    name, value = world.keys.follow(link)
    assert name == b"set-cookie"
    assert b"HttpOnly" in value
    assert b"SameSite=Strict" in value
    return b"cookie", value.partition(b";")[0]


async def test_a_link_opens_the_door_for_one_browser_once(world: World) -> None:
    link = world.keys.link()
    cookie = cookie_of(world, link)
    assert (await world.ask(headers=[HOST, cookie])).status == 200
    assert world.inside.came == ["page"]
    with pytest.raises(MooringError):
        world.keys.follow(link)
    late = world.keys.link()
    world.now += 301
    with pytest.raises(MooringError):
        world.keys.follow(late)
    world.now += 12 * 3600
    assert (await world.ask(headers=[HOST, cookie])).status == 401


async def test_with_a_cookie_alone_nothing_can_be_changed(world: World) -> None:
    cookie = cookie_of(world, world.keys.link())
    answer = await world.ask("POST", "/", [HOST, cookie])
    assert (answer.status, answer.json["code"]) == (403, "MOOR-HTTP-006")
    csrf = world.keys.csrf({"headers": [cookie]})
    assert csrf
    forgery = (b"x-mooring-csrf", csrf.encode())
    assert (await world.ask("POST", "/", [HOST, cookie, forgery])).status == 200
    assert (await world.ask("DELETE", "/", [HOST, cookie, forgery, forgery])).status == 403
    other = cookie_of(world, world.keys.link())
    assert (await world.ask("POST", "/", [HOST, other, forgery])).status == 403
    assert (await world.ask("GET", "/", [HOST, (b"cookie", cookie[1] + b"; " + cookie[1])])).status == 401
    world.keys.leave({"headers": [cookie]})
    assert (await world.ask("GET", "/", [HOST, cookie])).status == 401


@pytest.mark.parametrize(
    "raw",
    [
        b"/../x",
        b"/a/%2e%2e/b",
        b"//evil.com",
        b"/a\\b",
        b"/%00",
        b"/a%0d%0ab",
        b"/%ff",
        b"/./",
        b"x",
        b"/\xff",
    ],
)
async def test_tricks_with_the_path_are_no_request(world: World, raw: bytes) -> None:
    answer = await world.ask(raw=raw)
    assert (answer.status, answer.json["code"], world.inside.came) == (400, "MOOR-HTTP-007", [])


async def test_names_with_odd_characters_are_fine_when_they_are_encoded(world: World) -> None:
    assert (await world.ask(path="/mcp/a/b ü", raw=b"/mcp/a%2Fb%20%C3%BC")).status == 200


async def test_a_flood_of_headers_is_turned_away(world: World) -> None:
    flood = [(f"x-{number}".encode(), b"y" * 100) for number in range(200)]
    answer = await world.ask(headers=[HOST, BEARER, *flood])
    assert (answer.status, answer.json["code"]) == (431, "MOOR-HTTP-009")


async def test_a_body_that_is_too_large_is_not_read_to_its_end(world: World) -> None:
    said = (b"content-length", b"10000000")
    assert (await world.ask("POST", "/json", [HOST, BEARER, JSON, said])).status == 413
    pieces = [b"x" * 1_000_000] * 5
    answer = await world.ask("POST", "/json", [HOST, BEARER, JSON], body=pieces)
    assert (answer.status, answer.json["code"]) == (413, "MOOR-HTTP-008")
    assert (await world.ask("POST", "/json", [HOST, BEARER, JSON, (b"content-length", b"-1")])).status == 413


async def test_a_body_that_trickles_in_is_not_waited_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "IN_TIME", 0.05)
    scope: Scope = {
        "type": "http",
        "method": "POST",
        "path": "/json",
        "headers": [HOST, BEARER, JSON],
        "client": None,
    }
    sent: list[Any] = []

    async def never() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    await world.door(scope, never, send)
    assert sent[0]["status"] == 408


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"{", "line 1"),
        (b"", "line 1"),
        (b'{"a":1,"a":2}', "twice"),
        (b"NaN", "no number"),
        (b"\xff", "UTF-8"),
        (b"[" * 100 + b"]" * 100, "deeper"),
        (b"[" * 100_000, "deeper"),
    ],
    ids=["open", "empty", "twice", "nan", "bytes", "deep", "endless"],
)
async def test_json_that_could_be_read_in_two_ways_is_refused(world: World, body: bytes, word: str) -> None:
    answer = await world.ask("POST", "/json", [HOST, BEARER, JSON], body=body)
    assert (answer.status, answer.json["code"]) == (400, "MOOR-HTTP-007")
    assert word in answer.json["detail"]


@pytest.mark.parametrize(
    "kind", [b"text/plain", b"application/x-www-form-urlencoded", b"", b"application/jsonx"]
)
async def test_what_a_foreign_form_could_send_is_no_json(world: World, kind: bytes) -> None:
    answer = await world.ask("POST", "/json", [HOST, BEARER, (b"content-type", kind)], body=b"{}")
    assert answer.status == 415


async def test_json_arrives_as_it_was_sent(world: World) -> None:
    kind = (b"content-type", b"application/JSON; charset=utf-8")
    answer = await world.ask("POST", "/json", [HOST, BEARER, kind], body=[b'{"a":', b' ["\xc3\xbc", 1.5]}'])
    assert (answer.status, world.inside.read) == (200, {"a": ["ü", 1.5]})


async def test_too_many_at_once_are_told_to_wait_and_streams_do_not_count(world: World) -> None:
    streams = [asyncio.create_task(world.ask(path="/stream")) for _ in range(100)]
    waiting = [asyncio.create_task(world.ask(path="/wait")) for _ in range(64)]
    async with world.inside.crowd:
        await world.inside.crowd.wait_for(lambda: len(world.inside.came) == 164)
    answer = await world.ask()
    assert (answer.status, answer.header(b"retry-after")) == (429, [b"1"])
    world.inside.goes_on.set()
    assert {(await each).status for each in [*waiting, *streams]} == {200}
    assert (await world.ask()).status == 200


async def test_every_answer_says_what_a_browser_may_do_with_it(world: World) -> None:
    for answer in (await world.ask(), await world.ask(headers=[])):
        assert b"frame-ancestors 'none'" in answer.header(b"content-security-policy")[0]
        assert b"unsafe" not in answer.header(b"content-security-policy")[0]
        assert answer.header(b"x-content-type-options") == [b"nosniff"]
        assert answer.header(b"cache-control") == [b"no-store"]


async def test_an_error_of_ours_keeps_its_code_and_any_other_tells_nothing(world: World) -> None:
    answer = await world.ask(path="/unknown")
    assert (answer.status, answer.json["hint"]) == (404, "mooring list")
    answer = await world.ask(path="/broken")
    assert (answer.status, answer.json["code"]) == (500, "MOOR-INTERNAL-001")
    assert b"secret" not in answer.body
    assert [type(error) for error in world.wrong] == [ZeroDivisionError]


async def test_a_websocket_is_not_opened(world: World) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    await world.door({"type": "websocket", "path": "/", "headers": []}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]


# --- the token


def test_the_token_is_made_once_and_for_nobody_else(tmp_path: Path) -> None:
    data = tmp_path / "own"
    made = own_token(data, {})
    assert len(made) >= 43
    assert own_token(data, {}) == made
    assert stat.S_IMODE((data / "token").stat().st_mode) == 0o600
    assert own_token(data, {"MOORING_TOKEN": "another-token-of-mine"}) == "another-token-of-mine"
    (data / "token").write_text("short")
    assert own_token(data, {}) != made


@pytest.mark.parametrize(
    "given", ["short", "with a space in it", "line\nbreak-in-a-token", "ümlaut-in-this-token"]
)
def test_a_token_that_could_be_guessed_or_cannot_be_sent_is_refused(tmp_path: Path, given: str) -> None:
    with pytest.raises(UsageError):
        own_token(tmp_path / "own", {"MOORING_TOKEN": given})


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_token_that_others_could_read_is_no_secret(tmp_path: Path) -> None:
    data = tmp_path / "own"
    own_token(data, {})
    (data / "token").chmod(0o644)
    with pytest.raises(StorageError):
        own_token(data, {})
    (data / "token").unlink()
    (data / "token").symlink_to("/etc/passwd")
    with pytest.raises(StorageError):
        own_token(data, {})
