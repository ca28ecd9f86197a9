"""From a server that turns us away to one that is connected: through a browser, or by hand; and out again."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
import pytest
from tests.servers.oauth import Guarded, guarded
from tests.servers.scripted_http import Request, raw

from mooring import Host, open_host
from mooring.core.account import Standing
from mooring.core.events import Event, StatusChanged
from mooring.core.questions import Accepted, Answer, Cancelled, Declined, Question, Visit
from mooring.core.status import Connected, Disabled, Failed, NeedsAuth, word
from mooring.errors import (
    BadCallback,
    CallbackBusy,
    LoginGivenUp,
    MooringError,
    NeedsLogin,
    NoLogin,
    StorageError,
    UnknownServer,
)

NO_ISS = {"authorization_response_iss_parameter_supported": None}


def config(server: Guarded, **entry: Any) -> dict[str, Any]:
    return {"mcp": {"notes": {"url": server.url, **entry}}}


async def redirected(url: str) -> str:
    """Where the authorization server sends a browser that was sent to it."""
    async with httpx2.AsyncClient(timeout=20) as browser:
        return (await browser.get(url)).headers["location"]


class Person:
    """Somebody whose browser goes where it is sent; `pages` is what it shows at the end."""

    def __init__(self, *, by_hand: bool = False) -> None:
        self.by_hand = by_hand
        self.visits: list[Visit] = []
        self.pages: list[asyncio.Task[str]] = []

    async def __call__(self, question: Question) -> Answer:
        assert isinstance(question, Visit)
        self.visits.append(question)
        there = await redirected(question.url)
        if self.by_hand:
            return Accepted({"url": there})
        self.pages.append(asyncio.create_task(shown(there)))
        return Accepted()


async def shown(url: str) -> str:
    async with httpx2.AsyncClient(timeout=20) as browser:
        return (await browser.get(url)).text


def back_of(visit: Visit) -> str:
    return dict(parse_qsl(urlsplit(visit.url).query))["redirect_uri"]


def kept(home: Path) -> list[Path]:
    return list((home / ".local" / "share" / "mooring" / "credentials").rglob("*"))


async def turned_away(host: Host) -> None:
    await host.settled()
    assert isinstance(host.server("notes").status, NeedsAuth)


@pytest.fixture(params=["2025-11-25", "2026-07-28"])
def protocol(request: pytest.FixtureRequest) -> str:
    return request.param


async def test_a_browser_comes_back_and_the_server_connects_by_itself(tmp_path: Path, protocol: str) -> None:
    async with guarded(protocol=protocol) as server, open_host(config(server), cwd=tmp_path) as host:
        await turned_away(host)
        with pytest.raises(NeedsLogin):
            await host.call(None, "notes_echo")
        person, moves = Person(), list[Event]()
        with host.bus.hear(moves.append):
            view = await host.login("notes", person)
        assert isinstance(view.status, Connected)
        assert view.protocol == protocol
        words = [word(each.after) for each in moves if isinstance(each, StatusChanged)]
        assert words == ["pending", "connecting", "connected"]
        assert "<h1>Logged in</h1>" in await person.pages[0]
        assert (await host.call(None, "notes_echo", {"a": 1})).text == '{"a": 1}'


async def test_looking_at_a_server_leaves_no_trace_anywhere(tmp_path: Path, empty_home: Path) -> None:
    async with guarded() as server, open_host(config(server), cwd=tmp_path) as host:
        await turned_away(host)
        assert {path for path in server.paths() if not path.startswith("GET /.well-known/")} == set()
    assert kept(empty_home) == []


async def test_a_login_is_there_again_after_a_restart(tmp_path: Path) -> None:
    async with guarded() as server:
        async with open_host(config(server), cwd=tmp_path) as host:
            await host.login("notes", Person())
        before = server.paths()
        async with open_host(config(server), cwd=tmp_path) as host:
            await host.ready()
            assert isinstance(host.server("notes").status, Connected)
            (account,) = host.accounts()
        assert server.paths() == before
    assert (account.standing, account.issuer, account.renews) == (Standing.IN, server.origin, True)


async def test_the_address_may_be_brought_back_by_hand(tmp_path: Path) -> None:
    async with guarded() as server, open_host(config(server), cwd=tmp_path) as host:
        await turned_away(host)
        person = Person(by_hand=True)
        view = await host.login("notes", person, by_hand=True)
        assert isinstance(view.status, Connected)
        assert back_of(person.visits[0]) == "http://127.0.0.1:19876/mcp/oauth/callback"


async def test_a_wrong_address_is_asked_for_again_and_says_why(tmp_path: Path) -> None:
    brought = iter(["nonsense", "http://127.0.0.1:19876/mcp/oauth/callback?code=c&state=wrong", None])
    asked: list[Visit] = []

    async def ask(question: Question) -> Answer:
        assert isinstance(question, Visit)
        asked.append(question)
        return Accepted({"url": next(brought) or await redirected(question.url)})

    async with guarded() as server, open_host(config(server), cwd=tmp_path) as host:
        await host.login("notes", ask, by_hand=True)
    assert [visit.reason.partition(".")[0] for visit in asked] == [
        "",
        "This is no address that a login ends at",
        "This address belongs to another login",
    ]
    assert len({visit.url for visit in asked}) == 1


@pytest.mark.parametrize("answer", [Declined(), Cancelled(), Accepted({"url": "x"})], ids=str)
async def test_a_login_that_is_given_up_leaves_nothing(
    answer: Answer, tmp_path: Path, empty_home: Path
) -> None:
    async def ask(_: Question) -> Answer:
        return answer

    async with guarded() as server, open_host(config(server), cwd=tmp_path) as host:
        await turned_away(host)
        with pytest.raises(LoginGivenUp):
            await host.login("notes", ask)
        assert isinstance(host.server("notes").status, NeedsAuth)
        assert "POST /token" not in server.paths()
    assert kept(empty_home) == []


async def test_a_login_that_is_cancelled_leaves_nothing(tmp_path: Path, empty_home: Path) -> None:
    shown = asyncio.Event()

    async def ask(_: Question) -> Answer:
        shown.set()
        await asyncio.Event().wait()
        return Accepted()

    async with guarded() as server, open_host(config(server), cwd=tmp_path) as host:
        login = asyncio.create_task(host.login("notes", ask))
        await shown.wait()
        login.cancel()
        await asyncio.wait([login])
        assert login.cancelled()
        # The page is gone as well, and the next login has its port.
        person = Person()
        await host.login("notes", person)
    assert server.paths().count("POST /token") == 1


async def test_several_logins_at_once_do_not_mix(tmp_path: Path) -> None:
    async with guarded() as one, guarded() as other:
        servers = {"one": {"url": one.url}, "other": {"url": other.url}}
        async with open_host({"mcp": servers}, cwd=tmp_path) as host:
            people = {name: Person() for name in servers}
            both_shown = asyncio.Barrier(2)

            def slow(person: Person) -> Callable[[Question], Awaitable[Answer]]:
                async def ask(question: Question) -> Answer:
                    await both_shown.wait()
                    return await person(question)

                return ask

            await asyncio.gather(*(host.login(name, slow(people[name])) for name in servers))
            assert {view.name: view.word for view in host.servers()} == dict.fromkeys(servers, "connected")
        for name, server in (("one", one), ("other", other)):
            assert server.paths().count("POST /token") == 1
            assert people[name].visits[0].url.startswith(server.origin)


async def test_a_no_of_the_authorization_server_is_shown_in_the_browser_and_here(tmp_path: Path) -> None:
    def no(request: Request) -> bytes:
        asked = dict(parse_qsl(request.target.partition("?")[2]))
        said = {"error": "access_denied", "error_description": "<b>Not</b> today", "state": asked["state"]}
        return raw(302, b"", location=f"{asked['redirect_uri']}?{urlencode(said)}")

    server = guarded(instead={"/authorize": no}, changes=NO_ISS)
    async with server as found, open_host(config(found), cwd=tmp_path) as host:
        person = Person()
        with pytest.raises(MooringError, match="Not"):
            await host.login("notes", person)
        page = await person.pages[0]
        assert "<h1>Not logged in</h1>" in page
        assert "<b>" not in page
        assert isinstance(host.server("notes").status, NeedsAuth)


async def test_a_login_that_ends_while_connected_shows_at_once(tmp_path: Path, protocol: str) -> None:
    async with guarded(protocol=protocol) as server, open_host(config(server), cwd=tmp_path) as host:
        await host.login("notes", Person())
        moves, moved = list[Event](), asyncio.Event()

        def hear(event: Event) -> None:
            moves.append(event)
            if isinstance(event, StatusChanged) and isinstance(event.after, NeedsAuth) and event.after.scope:
                moved.set()

        server.tokens.clear()
        with host.bus.hear(hear):
            with pytest.raises(NeedsLogin):
                await host.call(None, "notes_echo")
            async with asyncio.timeout(20):
                await moved.wait()
        words = [word(each.after) for each in moves if isinstance(each, StatusChanged)]
        assert set(words) == {"needs_auth"}
        with pytest.raises(NeedsLogin):
            await host.call(None, "notes_echo")
        assert isinstance((await host.login("notes", Person())).status, Connected)


async def test_a_tool_that_alone_wants_a_login_takes_no_other_with_it(tmp_path: Path) -> None:
    async with guarded() as server, open_host(config(server), cwd=tmp_path) as host:
        await host.login("notes", Person())
        pinged = asyncio.Event()

        async def unknown(request: Request, writer: asyncio.StreamWriter) -> None:
            writer.write(raw(401, b""))

        async def ping(request: Request, writer: asyncio.StreamWriter) -> None:
            await server.plainly(request, writer)
            pinged.set()

        server.on |= {"tools/call": unknown, "ping": ping}
        with pytest.raises(NeedsLogin):
            await host.call(None, "notes_echo")
        async with asyncio.timeout(20):
            await pinged.wait()
        del server.on["tools/call"]
        assert (await host.call(None, "notes_echo", {"a": 1})).text == '{"a": 1}'
        assert isinstance(host.server("notes").status, Connected)


async def test_after_a_logout_nothing_is_sent_and_nothing_is_kept(tmp_path: Path, empty_home: Path) -> None:
    async with guarded() as server, open_host(config(server), cwd=tmp_path) as host:
        await host.login("notes", Person())
        farewell = await host.logout("notes")
        assert (farewell.had, farewell.revoked, server.tokens) == (True, True, set())
        await turned_away(host)
        assert host.accounts()[0].standing is Standing.OUT
        assert kept(empty_home) == []
        assert not (await host.logout("notes")).had


async def test_another_address_does_not_get_the_login_and_logout_finds_it(tmp_path: Path) -> None:
    async with guarded() as before, guarded() as after:
        async with open_host(config(before), cwd=tmp_path) as host:
            await host.login("notes", Person())
        async with open_host(config(after), cwd=tmp_path) as host:
            await turned_away(host)
            assert [request.headers.get("authorization") for request in after.requests] == [None] * len(
                after.requests
            )
            assert [account.configured for account in host.accounts()] == [True, False]
            assert (await host.logout("notes")).had
            assert [account.configured for account in host.accounts()] == [True]


async def test_what_takes_no_login_says_so(tmp_path: Path) -> None:
    servers = {
        "local": {"command": "x", "enabled": False},
        "off": {"url": "http://127.0.0.1:9/mcp", "oauth": False, "enabled": False},
        "keyed": {
            "url": "http://127.0.0.1:9/mcp",
            "headers": {"authorization": "Bearer k"},
            "enabled": False,
        },
    }
    async with open_host({"mcp": servers}, cwd=tmp_path) as host:
        for name, why in (("local", "program"), ("off", "switched off"), ("keyed", "key of its own")):
            with pytest.raises(NoLogin, match=why):
                await host.login(name, Person())
        with pytest.raises(UnknownServer):
            await host.login("nowhere", Person())
        with pytest.raises(UnknownServer):
            await host.logout("nowhere")


@pytest.mark.parametrize(
    ("entry", "hint"),
    [
        ({"oauth": False}, "headers"),
        ({"headers": {"Authorization": "Bearer old"}}, "Correct `Authorization`"),
    ],
    ids=["off", "keyed"],
)
async def test_a_server_that_refuses_us_where_no_login_can_help_has_failed(
    entry: dict[str, Any], hint: str, tmp_path: Path
) -> None:
    async with guarded() as server, open_host(config(server, **entry), cwd=tmp_path) as host:
        await host.settled()
        status = host.server("notes").status
        assert isinstance(status, Failed)
        assert hint in status.error.hint
        assert [path for path in server.paths() if "well-known" in path] == []


async def test_logging_in_to_a_server_that_is_switched_off_leaves_it_off(tmp_path: Path) -> None:
    async with guarded() as server, open_host(config(server, enabled=False), cwd=tmp_path) as host:
        view = await host.login("notes", Person())
        assert isinstance(view.status, Disabled)
        assert host.accounts()[0].standing is Standing.IN


async def test_a_fixed_port_that_is_taken_is_said_before_anybody_is_sent_anywhere(tmp_path: Path) -> None:
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        oauth = {"callbackPort": other.getsockname()[1]}
        async with guarded() as server, open_host(config(server, oauth=oauth), cwd=tmp_path) as host:
            person = Person()
            with pytest.raises(CallbackBusy):
                await host.login("notes", person)
            assert person.visits == []
            assert "POST /register" not in server.paths()
            # By hand no page is needed.
            await host.login("notes", Person(by_hand=True), by_hand=True)


async def test_an_address_elsewhere_can_only_be_brought_back_by_hand(tmp_path: Path) -> None:
    oauth = {"redirectUri": "https://back.example/here"}
    async with guarded() as server, open_host(config(server, oauth=oauth), cwd=tmp_path) as host:
        with pytest.raises(BadCallback, match="No page of ours"):
            await host.login("notes", Person())
        person = Person(by_hand=True)
        view = await host.login("notes", person, by_hand=True)
        assert isinstance(view.status, Connected)
        assert back_of(person.visits[0]) == "https://back.example/here"


async def test_where_the_disk_takes_nothing_a_login_works_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StorageError("the disk is full", hint="Make room") from OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("mooring.auth.vault.write_private", full)
    async with guarded() as server, open_host(config(server), cwd=tmp_path) as host:
        view = await host.login("notes", Person())
        assert isinstance(view.status, Connected)
        assert host.accounts()[0].stored == "memory"
        (problem,) = host.lost_logins
        assert "cannot be kept" in problem.sentence
