"""An organisation's defaults over the wire: never in the way, never from or to the wrong place."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from mooring.config import wellknown
from mooring.config.trust import is_gated
from mooring.core.spec import Layer
from mooring.errors import IgnoredValue, OrganisationRefused, OrganisationUnreachable

PATH = "/.well-known/opencode"
CONFIG = {"mcp": {"corp": {"command": ["corp-server"]}, "docs": {"url": "https://docs.example/mcp"}}}


class Corp:
    """A web server of this machine: what a path gets, and what was asked with which headers."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {PATH: {"config": CONFIG}}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.closing = threading.Event()
        corp = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                corp.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                answer = corp.answers.get(self.path, b"")
                if callable(answer):
                    answer(self)
                else:
                    reply(self, answer if isinstance(answer, bytes) else json.dumps(answer).encode())

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.closing.set()
        if self._thread.is_alive():
            self._server.shutdown()
            self._server.server_close()
            self._thread.join(10)


def reply(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


@pytest.fixture
def corp(monkeypatch: pytest.MonkeyPatch) -> Iterator[Corp]:
    monkeypatch.setattr(wellknown, "DEADLINE", 5.0)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = Corp()
    yield server
    server.close()


def asking(world, address: str = ""):
    if address:
        world.env["MOORING_ORGANISATION"] = address
    return world.load(organisation=wellknown.organisation(world.dirs, world.env))


def problems(loaded) -> list[type]:
    return [type(problem) for problem in loaded.config.problems]


def grow_old(world) -> None:
    """As if the last question had been asked long ago."""
    for file in (world.dirs.cache / "organisation").iterdir():
        kept = json.loads(file.read_text())
        file.write_text(json.dumps({**kept, "asked": kept["asked"] - 3600}))


# --- asked, used, remembered


def test_the_defaults_are_the_weakest_layer_and_a_program_among_them_needs_a_yes(world, corp: Corp):
    world.put("~/.config/mooring/mooring.json", {"mcp": {"docs": {"enabled": False}}})
    loaded = asking(world, corp.url)
    assert loaded.config.servers["corp"].command == "corp-server"
    assert not loaded.config.servers["docs"].enabled
    assert loaded.sources[0].layer is Layer.ORGANISATION
    assert loaded.sources[0].name == f"{corp.url}{PATH}"
    assert is_gated(loaded.config.servers["corp"])
    assert not is_gated(loaded.config.servers["docs"])
    assert problems(loaded) == []


def test_what_the_address_holds_besides_a_place_is_nobodys_business(world, corp: Corp):
    loaded = asking(world, corp.url.replace("//", "//u:hunter2x@"))
    assert loaded.sources[0].name == f"{corp.url}{PATH}".replace("//", "//***@")
    assert asking(world, corp.url.replace("//", "//u:hunter2x@")).config.servers.keys() == {"corp", "docs"}


def test_the_address_may_stand_in_the_global_file_and_the_environment_is_stronger(world, corp: Corp):
    world.put("~/.config/mooring/mooring.json", {"organisation": f"{corp.url}/"})
    assert "corp" in asking(world).config.servers
    world.env["MOORING_ORGANISATION"] = "http://unused.example"
    assert problems(asking(world)) == [OrganisationRefused]


def test_a_project_cannot_name_an_organisation(world, corp: Corp):
    world.put("mooring.json", {"organisation": corp.url})
    loaded = asking(world)
    assert loaded.config.servers == {}
    assert problems(loaded) == [IgnoredValue]
    assert corp.asked == []


def test_a_fresh_answer_is_not_asked_for_again_and_an_old_one_is(world, corp: Corp):
    for _ in range(3):
        assert "corp" in asking(world, corp.url).config.servers
    assert len(corp.asked) == 1
    grow_old(world)
    asking(world)
    assert len(corp.asked) == 2


def test_who_wants_it_anew_asks_at_once_and_loses_nothing_where_there_is_no_answer(world, corp: Corp):
    asking(world, corp.url)
    for _ in range(2):
        world.load(organisation=wellknown.organisation(world.dirs, world.env, anew=True))
    assert len(corp.asked) == 3
    corp.close()
    loaded = world.load(organisation=wellknown.organisation(world.dirs, world.env, anew=True))
    assert "corp" in loaded.config.servers
    assert problems(loaded) == [OrganisationUnreachable]


def test_a_clock_that_was_set_back_does_not_keep_an_answer_for_ever(world, corp: Corp):
    asking(world, corp.url)
    (file,) = (world.dirs.cache / "organisation").iterdir()
    file.write_text(json.dumps({**json.loads(file.read_text()), "asked": time.time() + 10**6}))
    asking(world)
    assert len(corp.asked) == 2


def test_when_it_is_down_the_last_good_answer_is_used_and_said(world, corp: Corp):
    asking(world, corp.url)
    corp.close()
    grow_old(world)
    loaded = asking(world)
    assert "corp" in loaded.config.servers
    (problem,) = loaded.config.problems
    assert isinstance(problem, OrganisationUnreachable)
    assert "last good answer" in problem.hint
    assert problem.severity == "notice"


@pytest.mark.parametrize("damage", ["{", "[]", '{"asked": "x"}', "[" * 100_000])
def test_a_damaged_cache_is_as_good_as_none(world, corp: Corp, damage: str):
    asking(world, corp.url)
    (file,) = (world.dirs.cache / "organisation").iterdir()
    file.write_text(damage)
    assert "corp" in asking(world).config.servers
    assert len(corp.asked) == 2


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(world, corp: Corp):
    world.put("~/.cache/mooring", "a file in the folder's place")
    assert "corp" in asking(world, corp.url).config.servers
    assert "corp" in asking(world).config.servers


# --- never in the way


def hang(corp: Corp) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(_: BaseHTTPRequestHandler) -> None:
        corp.closing.wait(30)

    return answer


def drip(corp: Corp) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not corp.closing.wait(0.02):
            try:
                handler.wfile.write(b" ")
            except OSError:
                return

    return answer


@pytest.mark.parametrize("slow", [hang, drip])
def test_a_server_that_does_not_come_to_an_end_costs_the_deadline_once(
    world, corp: Corp, monkeypatch: pytest.MonkeyPatch, slow: Callable[..., Any]
):
    monkeypatch.setattr(wellknown, "DEADLINE", 0.3)
    corp.answers[PATH] = slow(corp)
    started = time.monotonic()
    loaded = asking(world, corp.url)
    assert 0.25 < time.monotonic() - started < 5
    assert loaded.config.servers == {}
    assert problems(loaded) == [OrganisationUnreachable]
    for _ in range(3):
        assert problems(asking(world)) == [OrganisationUnreachable]
    assert len(corp.asked) == 1


def test_a_server_that_was_spared_is_asked_again_sooner_than_a_good_one(world, corp: Corp):
    corp.answers[PATH] = with_status(500)
    asking(world, corp.url)
    (file,) = (world.dirs.cache / "organisation").iterdir()
    kept = json.loads(file.read_text())
    file.write_text(json.dumps({**kept, "asked": kept["asked"] - wellknown.SPARED_FOR - 1}))
    corp.answers[PATH] = {"config": CONFIG}
    assert "corp" in asking(world).config.servers


def test_two_questions_share_one_deadline(world, corp: Corp, monkeypatch: pytest.MonkeyPatch):
    given: list[float] = []

    def fetch(url: str, headers: object, *, deadline: float, limit: int) -> bytes:
        given.append(deadline)
        return json.dumps({"remote_config": {"url": f"{corp.url}/more"}}).encode()

    monkeypatch.setattr(wellknown, "fetch", fetch)
    asking(world, corp.url)
    assert given[1] < given[0] <= 5


def test_a_port_where_nobody_listens_is_a_notice(world):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    loaded = asking(world, address)
    assert problems(loaded) == [OrganisationUnreachable]
    assert loaded.config.problems[0].hint


def with_status(status: int) -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda handler: reply(handler, json.dumps({"config": CONFIG}).encode(), status, location="/more")


@pytest.mark.parametrize(
    "answer",
    [
        with_status(500),
        with_status(404),
        with_status(302),
        with_status(307),
        b"<html>hello</html>",
        b"",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"config": "' + b"x" * 2_000_000 + b'"}',
        {"remote_config": {"url": "http://elsewhere.example/config"}},
        {"remote_config": {"url": "http://[broken"}},
    ],
)
def test_an_answer_that_is_none_is_a_notice_and_nothing_else(world, corp: Corp, answer: Any):
    corp.answers |= {PATH: answer, "/more": {"config": CONFIG}}
    loaded = asking(world, corp.url)
    assert loaded.config.servers == {}
    assert problems(loaded) == [OrganisationUnreachable]
    assert [path for path, _ in corp.asked] == [PATH]


def test_an_answer_without_a_configuration_says_nothing(world, corp: Corp):
    corp.answers[PATH] = {"auth": {"command": ["x"], "env": "TOKEN"}, "config": []}
    loaded = asking(world, corp.url)
    assert (loaded.config.servers, problems(loaded)) == ({}, [])


@pytest.mark.parametrize(
    "address",
    ["http://192.0.2.1", "http://corp.example", "ftp://127.0.0.1", "file:///etc", "corp.example", "http://["],
)
def test_an_address_that_others_could_listen_to_is_never_asked(
    world, monkeypatch: pytest.MonkeyPatch, address: str
):
    def connect(*_: object, **__: object) -> None:
        raise AssertionError("somebody was asked")

    monkeypatch.setattr(wellknown, "fetch", connect)
    loaded = asking(world, address)
    assert problems(loaded) == [OrganisationRefused]
    assert "https://" in loaded.config.problems[0].hint


# --- logins of OpenCode, and where their token goes


def log_in(world, *addresses: str, token: str = "s3cret") -> None:
    entries = {address: {"type": "wellknown", "key": "CORP_TOKEN", "token": token} for address in addresses}
    world.put("~/.local/share/opencode/auth.json", {**entries, "anthropic": {"type": "api", "key": "sk-1"}})


def more(url: str) -> dict[str, Any]:
    headers = {"Authorization": "Bearer {env:CORP_TOKEN}", "X-Fixed": "1"}
    return {"config": CONFIG, "remote_config": {"url": url, "headers": headers}}


def test_whoever_opencode_is_logged_in_to_is_asked_and_gets_the_token(world, corp: Corp):
    log_in(world, corp.url)
    corp.answers |= {
        PATH: more(f"{corp.url}/more"),
        "/more": {"mcp": {"extra": {"url": "https://e.example"}}},
    }
    servers = asking(world).config.servers
    assert [*servers] == ["extra"]
    (_, first), (path, second) = corp.asked
    assert path == "/more"
    assert "authorization" not in first
    assert (second["authorization"], second["x-fixed"]) == ("Bearer s3cret", "1")


def test_the_token_reaches_nobody_else(world, corp: Corp):
    other = Corp()
    try:
        log_in(world, corp.url)
        corp.answers[PATH] = more(f"{other.url}/more")
        other.answers["/more"] = {"config": {"mcp": {"extra": {"url": "https://e.example"}}}}
        assert "extra" in asking(world).config.servers
        ((_, headers),) = other.asked
        assert "authorization" not in headers
        assert "s3cret" not in str(headers)
    finally:
        other.close()
    kept = "".join(file.read_text() for file in (world.dirs.cache / "organisation").iterdir())
    assert "s3cret" not in kept


def test_a_token_that_no_header_can_hold_is_a_notice(world, corp: Corp):
    log_in(world, corp.url, token="é\n")
    corp.answers[PATH] = more(f"{corp.url}/more")
    assert problems(asking(world)) == [OrganisationUnreachable]


def test_several_organisations_are_asked_and_the_named_one_is_strongest(world, corp: Corp):
    other = Corp()
    try:
        log_in(world, other.url)
        other.answers[PATH] = {
            "config": {"mcp": {"corp": {"command": ["theirs"]}, "only": {"command": ["o"]}}}
        }
        servers = asking(world, corp.url).config.servers
        assert servers["corp"].command == "corp-server"
        assert servers["only"].command == "o"
    finally:
        other.close()


@pytest.mark.parametrize("text", ["{", "[]", '{"https://a": 5}', "\0"])
def test_logins_that_cannot_be_understood_are_none(world, text: str):
    world.put("~/.local/share/opencode/auth.json", text)
    assert wellknown.logins(world.dirs) == ()


def test_a_login_does_not_show_its_token(world):
    log_in(world, "https://corp.example")
    (login,) = wellknown.logins(world.dirs)
    assert login.token == "s3cret"
    assert "s3cret" not in f"{login!r}{login}"
