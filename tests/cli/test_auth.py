"""Logins from the command line: asked for, shown, brought back, listed and taken back."""

from __future__ import annotations

import asyncio
import io
import json
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.servers.oauth import Guarded, guarded_beside

GREET = {"command": [sys.executable, "-m", "mooring.servers.greet"]}


@pytest.fixture
def server() -> Iterator[Guarded]:
    with guarded_beside() as found:
        yield found


@pytest.fixture
def servers(own: Path, server: Guarded):
    """`servers(notes={...})` writes the user's own file; at first it is the one that wants a login."""

    def write(**found: Any) -> None:
        own.write_text(json.dumps({"mcp": found}))

    write(notes={"url": server.url}, greet=GREET)
    return write


@pytest.fixture(autouse=True)
def browser(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was opened; this browser goes wherever it is sent, as one does that is logged in already."""
    opened: list[str] = []
    going: list[asyncio.Task[None]] = []

    async def go(url: str) -> None:
        async with httpx2.AsyncClient(timeout=20, follow_redirects=True) as client:
            await client.get(url)

    async def open_browser(url: str, _: object) -> bool:
        opened.append(url)
        going.append(asyncio.create_task(go(url)))
        return True

    monkeypatch.setattr("mooring.cli.usher.open_browser", open_browser)
    return opened


def test_the_whole_address_is_shown_first_and_a_connected_server_last(mooring, servers, browser, server):
    assert mooring("list", "notes").code == 3
    said = mooring("auth", "notes")
    assert (said.code, said.out) == (0, "")
    (opened,) = browser
    assert opened.startswith(f"{server.origin}/authorize?")
    before, _, after = said.err.partition(opened)
    assert "Log in to notes at 127.0.0.1" in before
    assert "Logged in to notes" in after
    assert "offers 1 tool\n" in after
    assert "renews itself" in after
    assert mooring("call", "notes_echo", "a=1").code == 0


def test_looking_registers_nowhere_and_opens_nothing(mooring, servers, browser, server, empty_home):
    looks = [
        ("list",),
        ("list", "notes"),
        ("tools",),
        ("call", "notes_echo"),
        ("auth", "list"),
        ("debug", "notes"),
    ]
    for words in looks:
        mooring(*words)
    assert browser == []
    assert {path.partition(" ")[0] for path in server.paths()} == {"GET"}
    assert not (empty_home / ".local" / "share" / "mooring" / "credentials").exists()


@pytest.mark.parametrize(
    "hostile",
    [
        "javascript:alert('hunter2')",
        "file:///hunter2",
        "https://me:hunter2@a.example/",
        "https://a.example/$(hunter2)",
    ],
    ids=["script", "file", "password", "shell"],
)
def test_a_hostile_address_opens_nothing_and_shows_no_secret(hostile, mooring, servers, browser, server):
    server.changes["authorization_endpoint"] = hostile
    said = [mooring("auth", "notes"), mooring("auth", "notes", "--json"), mooring("debug", "notes")]
    said.append(mooring("auth", "notes", "--paste"))
    assert [each.code for each in said] == [1, 1, 3, 1]
    assert browser == []
    for each in said:
        assert "authorization endpoint: " in each.out + each.err
        if "@" in hostile:
            assert "hunter2" not in each.out + each.err


def test_no_token_shows_anywhere(mooring, servers, server):
    said = [mooring("auth", "notes"), mooring("auth", "list"), mooring("auth", "list", "--json")]
    said.append(mooring("auth", "notes", "--json"))
    (token,) = server.tokens
    for each in said:
        assert token not in each.out + each.err
        assert "code-" not in each.out + each.err


def test_who_is_logged_in_already_is_not_sent_away_again(mooring, servers, browser):
    mooring("auth", "notes")
    said = mooring("auth", "notes", "--json")
    assert (said.code, said.json["status"], said.json["renews"]) == (0, "authenticated", True)
    assert "logged in already" in said.err
    assert len(browser) == 1


def test_a_server_that_lets_everybody_in_wants_no_login(mooring, own, browser, server):
    server.tokens.add("")
    own.write_text(json.dumps({"mcp": {"notes": {"url": server.url}}}))
    said = mooring("auth", "notes")
    assert (said.code, browser) == (0, [])
    assert "wants no login" in said.err


def test_the_list_asks_no_server(mooring, servers, server):
    said = mooring("auth", "list")
    assert said.code == 0
    assert [line.split()[:4] for line in said.out.splitlines()] == [["notes", "not", "logged", "in"]]
    mooring("auth", "notes")
    asked = len(server.requests)
    (line,) = mooring("auth", "ls").out.splitlines()
    assert line.split("  ")[0] == "notes"
    for part in ("logged in", f"{server.origin}, notes:read, renews itself in ", ", in a private file"):
        assert part in line
    (account,) = mooring("mcp", "auth", "list", "--json").json
    assert (account["name"], account["status"], account["issuer"]) == (
        "notes",
        "authenticated",
        server.origin,
    )
    assert account["scopes"] == ["notes:read"]
    assert account["stored"] == "file"
    assert len(server.requests) == asked


@pytest.mark.parametrize("words", [("logout", "notes"), ("auth", "notes", "--remove")], ids=" ".join)
def test_a_logout_forgets(words, mooring, servers, server):
    mooring("auth", "notes")
    assert mooring(*words).code == 0
    assert mooring("auth", "list", "--json").json[0]["status"] == "not_authenticated"
    assert mooring("list", "notes").code == 3
    again = mooring("logout", "notes", "--json")
    assert (again.code, again.json["loggedOut"]) == (0, False)


def test_one_may_log_out_everywhere_at_once(mooring, servers, server):
    mooring("auth", "notes")
    servers(greet=GREET)
    assert "which no entry uses" in mooring("auth", "list").out
    said = mooring("logout", "--all", "--json")
    assert said.json == [{"name": "notes", "loggedOut": True, "revoked": True, "note": None}]
    assert server.tokens == set()
    assert mooring("logout", "--all", "--json").json == []


def test_every_server_that_waits_is_logged_in_to_one_after_the_other(mooring, servers, browser, server):
    with guarded_beside() as other:
        servers(notes={"url": server.url}, more={"url": other.url}, greet=GREET)
        said = mooring("auth", "--all", "--json")
        assert said.code == 0
        assert {each["name"]: each["status"] for each in said.json} == dict.fromkeys(
            ("notes", "more"), "authenticated"
        )
        assert [url.partition("/authorize")[0] for url in browser] == [server.origin, other.origin]
        assert "1 of 2: notes" in said.err
        assert "2 of 2: more" in said.err
        assert mooring("auth", "--all", "--json").json == []


def test_a_login_that_fails_keeps_nobody_from_the_next(mooring, servers, browser, server):
    with guarded_beside() as other:
        other.changes["code_challenge_methods_supported"] = None
        servers(other={"url": other.url}, notes={"url": server.url})
        said = mooring("auth", "--all", "--json")
        assert said.code == 1
        assert {each["name"]: each["status"] for each in said.json} == {
            "other": "not_authenticated",
            "notes": "authenticated",
        }
        assert "pkce: " in said.err
        assert "2 of 2: notes" in said.err
        error, none = (each["error"] for each in said.json)
        assert (error["code"], none) == ("MOOR-AUTH-003", None)
        assert error["message"].startswith("pkce: ")
        assert error["hint"]
        alone = mooring("auth", "other", "--json")
        assert (alone.code, alone.json) == (1, {"error": error})


def test_a_server_that_cannot_be_asked_is_not_passed_over_in_silence(mooring, servers, server):
    with closing(socket.socket()) as nobody:
        nobody.bind(("127.0.0.1", 0))
        servers(gone={"url": f"http://127.0.0.1:{nobody.getsockname()[1]}/mcp"}, notes={"url": server.url})
        said = mooring("auth", "--all", "--json")
    assert [(each["name"], each["status"]) for each in said.json] == [("notes", "authenticated")]
    assert "`gone` is not in this: " in said.err


def test_a_browser_is_opened_only_where_one_is_wanted(mooring, servers, browser, server, monkeypatch):
    """Without one the address is all there is; here somebody takes it from stderr."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("nonsense\n" * 5))
    said = mooring("auth", "notes", "--paste")
    assert (said.code, browser) == (130, [])
    assert f"{server.origin}/authorize?" in said.err
    assert "no address that a login ends at" in said.err
    assert "MOOR-LOGIN-004" in said.err


def test_an_end_of_what_is_piped_in_gives_up(mooring, servers, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    said = mooring("auth", "notes", "--paste", "--json")
    assert (said.code, said.json["error"]["code"]) == (130, "MOOR-LOGIN-004")


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("auth", "nots"), 2, "Did you mean `notes`?"),
        (("auth", "greet"), 2, "nothing to log in to"),
        (("auth", "notes", "--all"), 2, "excludes a name"),
        (("auth", "a", "b"), 2, "No such command `b`"),
        (("auth",), 2, "Which server?"),
        (("logout", "nots"), 2, "Did you mean `notes`?"),
        (("logout",), 2, "no server to choose from"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_says_what_to_type(words, code, why, mooring, servers, browser):
    said = mooring(*words)
    assert (said.code, said.out, browser) == (code, "", [])
    assert why in said.err


def test_a_server_may_be_called_as_the_command_is(mooring, own, server):
    own.write_text(json.dumps({"mcp": {"list": {"url": server.url}}}))
    assert mooring("auth", "--json", "--", "list").json["status"] == "authenticated"


def test_a_call_that_wants_more_names_the_command_that_gets_it(mooring, servers, server, browser):
    mooring("auth", "notes")
    server.wants["tools/call"] = "notes:write"
    said = mooring("call", "notes_echo", "a=1")
    assert said.code == 3
    assert "mooring auth notes --scope notes:write" in said.err
    said = mooring("auth", "notes", "--scope", "notes:write", "--json")
    assert (said.code, said.json["scopes"]) == (0, ["notes:read", "notes:write"])
    assert len(browser) == 2
    again = mooring("auth", "notes", "--scope", "notes:write")
    assert "has asked for already" in again.err
    assert len(browser) == 2
    assert mooring("auth", "notes", "--scope", 'a"b').code == 2


def test_a_damaged_login_is_set_aside_and_told_and_the_others_work(mooring, servers, server, empty_home):
    with guarded_beside() as other:
        servers(notes={"url": server.url}, more={"url": other.url})
        mooring("auth", "notes")
        (file,) = (empty_home / ".local" / "share" / "mooring" / "credentials").glob("*.json")
        mooring("auth", "more")
        file.write_text(file.read_text()[:40])
        said = mooring("auth", "list", "--json")
        assert said.code == 0
        assert "MOOR-VAULT-001" in said.err
        assert [each["status"] for each in said.json] == ["not_authenticated", "authenticated"]
        assert "MOOR-VAULT-001" not in mooring("auth", "list").err
        assert mooring("auth", "notes").code == 0


def test_debug_looks_at_every_step_of_a_login_and_takes_none(mooring, servers, server):
    said = mooring("debug", "notes", "--json")
    assert said.code == 3
    assert [(step["step"], step["outcome"]) for step in said.json["login"]] == [
        ("protected resource", "ok"),
        ("authorization server", "ok"),
        ("pkce", "ok"),
        ("registration", "ok"),
    ]
    assert {path.partition(" ")[0] for path in server.paths()} == {"GET"}
    server.changes["code_challenge_methods_supported"] = ["plain"]
    said = mooring("debug", "notes")
    assert "The way to a login:" in said.out
    assert "S256" in said.out
    assert [step["outcome"] for step in mooring("debug", "notes", "--json").json["login"]][-1] == "failed"
    server.changes.clear()
    mooring("auth", "notes")
    assert mooring("debug", "notes", "--json").json["login"] is None
