"""What a hostile server says on the way to a login: refused at its step, nothing opened and nothing kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from tests.flows.test_login import Person, config, kept
from tests.servers.oauth import guarded
from tests.servers.scripted_http import Request, as_json, raw

from mooring import open_host
from mooring.core import views as core_views
from mooring.core.status import Failed, NeedsAuth
from mooring.errors import MooringError

HUGE = 100 * 1024 * 1024
RESOURCE = "/.well-known/oauth-protected-resource/mcp"
AUTHORITY = "/.well-known/oauth-authorization-server"


@pytest.mark.parametrize(
    ("changes", "step", "why"),
    [
        ({"authorization_endpoint": "javascript:alert(1)"}, "authorization", "no address of https"),
        ({"authorization_endpoint": "file:///etc/passwd"}, "authorization", "no address of https"),
        ({"authorization_endpoint": "data:text/html,x"}, "authorization", "no address of https"),
        ({"authorization_endpoint": "https://u:hunter2@a.example/"}, "authorization", "user or password"),
        ({"authorization_endpoint": "https://a.example/$(calc.exe)"}, "authorization", "shell"),
        ({"authorization_endpoint": "https://a.example/?a=`id`"}, "authorization", "shell"),
        ({"authorization_endpoint": "http://a.example/"}, "authorization", "not https"),
        ({"authorization_endpoint": "https://a.example/\r\nX: y"}, "authorization", "no address of https"),
        ({"token_endpoint": "https://169.254.169.254/latest"}, "token", "link-local"),
        ({"token_endpoint": "https://10.0.0.1/token"}, "token", "private"),
        ({"token_endpoint": "https://[::ffff:10.0.0.1]/token"}, "token", "private"),
        ({"registration_endpoint": "https://192.168.1.1/register"}, "registration", "private"),
        ({"registration_endpoint": "http://0x0a000001/register"}, "registration", "not https"),
        ({"issuer": "https://other.example"}, "authorization server", "other.example"),
        ({"code_challenge_methods_supported": None}, "pkce", "S256"),
        ({"code_challenge_methods_supported": ["plain"]}, "pkce", "S256"),
    ],
    ids=[str(number) for number in range(16)],
)
async def test_metadata_that_leads_astray_leads_nowhere(
    changes: dict[str, Any], step: str, why: str, tmp_path: Path, empty_home: Path
) -> None:
    async with guarded(changes=changes) as server, open_host(config(server), cwd=tmp_path) as host:
        person = Person()
        with pytest.raises(MooringError, match=why) as error:
            await host.login("notes", person)
        said = error.value.sentence + error.value.hint
        assert step in said.casefold()
        assert "hunter2" not in said
        assert person.visits == []
        assert "POST /token" not in server.paths()
        assert isinstance(host.server("notes").status, NeedsAuth)
    assert kept(empty_home) == []


def elsewhere(_: Request) -> bytes:
    return raw(302, b"", location="https://elsewhere.example/metadata")


def endless(_: Request) -> bytes:
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {HUGE}\r\n\r\n"
    return head.encode() + b"[" * (4 * 1024 * 1024)


def another_resource(_: Request) -> bytes:
    return as_json({"resource": "https://another.example/mcp", "authorization_servers": []})


def rubbish(_: Request) -> bytes:
    return raw(200, b"\x1b[2J<h1>hello</h1>", kind="application/json")


@pytest.mark.parametrize(
    ("path", "answer", "why"),
    [
        (RESOURCE, elsewhere, "protected resource"),
        (RESOURCE, endless, "protected resource"),
        (RESOURCE, another_resource, "protected resource"),
        (AUTHORITY, elsewhere, "authorization server"),
        (AUTHORITY, endless, "authorization server"),
        (AUTHORITY, rubbish, "no metadata"),
        ("/register", elsewhere, "registration"),
        ("/register", endless, "registration"),
        ("/register", rubbish, "registration"),
    ],
    ids=[str(number) for number in range(9)],
)
async def test_an_answer_that_is_none_ends_the_login_at_its_step(
    path: str, answer: Callable[[Request], bytes], why: str, tmp_path: Path, empty_home: Path
) -> None:
    async with guarded(instead={path: answer}) as server, open_host(config(server), cwd=tmp_path) as host:
        person = Person()
        with pytest.raises(MooringError) as error:
            await host.login("notes", person)
        assert why in error.value.sentence.casefold()
        assert error.value.sentence.isprintable()
        assert person.visits == []
    assert kept(empty_home) == []


def coming_back(**said: str) -> Callable[[Request], bytes]:
    def answer(request: Request) -> bytes:
        asked = dict(parse_qsl(request.target.partition("?")[2]))
        query = {"code": "c", "state": asked["state"], **said}
        return raw(302, b"", location=f"{asked['redirect_uri']}?{urlencode(query)}")

    return answer


@pytest.mark.parametrize("said", [{"iss": "https://other.example"}, {}], ids=["another", "none"])
async def test_a_code_that_is_not_from_the_issuer_is_not_used(
    said: dict[str, str], tmp_path: Path, empty_home: Path
) -> None:
    hostile = guarded(instead={"/authorize": coming_back(**said)})
    async with hostile as server, open_host(config(server), cwd=tmp_path) as host:
        person = Person()
        with pytest.raises(MooringError, match=r"from"):
            await host.login("notes", person)
        assert "<h1>Not logged in</h1>" in await person.pages[0]
        assert "POST /token" not in server.paths()
    assert kept(empty_home) == []


async def test_what_a_token_endpoint_says_is_never_repeated_with_its_secrets(
    tmp_path: Path, empty_home: Path
) -> None:
    """A careless one echoes what it was sent, and a hostile one adds what moves a cursor."""

    def echo(request: Request) -> bytes:
        form = dict(parse_qsl(request.body.decode()))
        text = f"\x1b[2J<script>{form['code']} {form['code_verifier']}</script>"
        return as_json({"error": "invalid_grant", "error_description": text}, 400)

    careless = guarded(instead={"/token": echo})
    async with careless as server, open_host(config(server), cwd=tmp_path) as host:
        person = Person()
        with pytest.raises(MooringError) as error:
            await host.login("notes", person)
        page = await person.pages[0]
        form = dict(parse_qsl(server.asked("POST")[-1].body.decode()))
    for said in (error.value.sentence + error.value.hint, page):
        assert form["code"] not in said
        assert form["code_verifier"] not in said
        assert "\x1b" not in said
    assert page.count("<script>") == 1
    assert kept(empty_home) == []


@pytest.mark.parametrize(
    "challenge",
    [
        'Bearer error="invalid_token", error_description="\x1b[2J<script>hunter2", scope="\x1b]0;x\x07"',
        'Bearer scope="' + "x " * 4000 + '"',
        'Bearer resource_metadata="file:///etc/passwd"',
        'Bearer resource_metadata="https://169.254.169.254/latest/meta-data"',
        "Bearer ,,,=\xff",
        "Negotiate",
    ],
    ids=[str(number) for number in range(6)],
)
async def test_whatever_a_server_says_when_it_turns_us_away_is_harmless(
    challenge: str, tmp_path: Path, empty_home: Path
) -> None:
    def unknown(_: Request) -> bytes:
        return raw(401, b"", **{"www-authenticate": challenge})

    async with guarded(instead={"/mcp": unknown}) as server, open_host(config(server), cwd=tmp_path) as host:
        await host.settled()
        view = host.server("notes")
        assert view.word in ("needs_auth", "needs_client_registration", "failed")
        for said in (view.reason, view.hint, str(core_views.server(view))):
            assert said.isprintable()
            assert len(said) < 9000
        assert {path.partition(" ")[0] for path in server.paths()} <= {"GET", "POST /mcp"}
    assert kept(empty_home) == []


async def test_a_key_of_the_configuration_never_reaches_an_authorization_server(tmp_path: Path) -> None:
    """Only requests of the protocol itself have it, and a redirect does not lead away from there."""
    async with guarded() as authority, guarded() as server:
        told = {"resource": server.url, "authorization_servers": [authority.origin]}
        server.instead[RESOURCE] = lambda _: as_json(told)
        answers = iter(
            [
                raw(307, b"", location=f"{server.origin}/token"),
                as_json({"access_token": "good", "token_type": "Bearer"}),
            ]
        )
        authority.instead["/token"] = lambda _: next(answers)
        server.tokens.add("good")
        keys = {"X-Api-Key": "hunter2", "Cookie": "hunter2"}
        async with open_host(config(server, headers=keys), cwd=tmp_path) as host:
            with pytest.raises(MooringError, match="token"):
                await host.login("notes", Person())
            await host.login("notes", Person())
            assert host.server("notes").word == "connected"
    assert {"POST /token", "POST /register"} <= set(authority.paths())
    keyed = {request.target for request in server.requests if "hunter2" in str(request.headers)}
    assert keyed == {"/mcp"}
    assert RESOURCE in {request.target for request in server.requests}
    assert not any("hunter2" in str(request.headers) for request in authority.requests)


async def test_a_server_that_has_moved_gets_neither_the_login_nor_a_key_there(tmp_path: Path) -> None:
    async with guarded() as elsewhere, guarded() as server:
        async with open_host(config(server, headers={"X-Api-Key": "hunter2"}), cwd=tmp_path) as host:
            await host.login("notes", Person())
        server.instead["/mcp"] = lambda _: raw(307, b"", location=elsewhere.url)
        async with open_host(config(server, headers={"X-Api-Key": "hunter2"}), cwd=tmp_path) as host:
            await host.settled()
            status = host.server("notes").status
            assert isinstance(status, Failed)
            assert "has moved to" in status.error.sentence
        assert elsewhere.requests == []


async def test_a_server_that_refuses_every_login_is_not_asked_again_and_again(tmp_path: Path) -> None:
    """It gives out a token and refuses it: one login, one try with it, and the person is told."""
    async with guarded() as server:

        def useless(_: Request) -> bytes:
            return as_json({"access_token": "useless", "token_type": "Bearer", "expires_in": 3600})

        server.instead["/token"] = useless
        async with open_host(config(server), cwd=tmp_path) as host:
            person = Person()
            view = await host.login("notes", person)
            assert isinstance(view.status, NeedsAuth | Failed)
            assert len(person.visits) == 1
            sent = [request for request in server.requests if "authorization" in request.headers]
            assert len(sent) <= 2
