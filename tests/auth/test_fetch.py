"""Requests of a login: bounded, and to where they were meant to go."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from tests.auth.authority import Asked, Said, place

from mooring.auth import fetch
from mooring.auth.fetch import Fetcher
from mooring.auth.guard import Guard
from mooring.errors import AnswerTooLarge, Interrupted, ProxyFailed, Unreachable, UnsafeAddress

STEP = "token endpoint"


def fetcher(url: str, **env: str) -> Fetcher:
    return Fetcher(Guard("docs", url), env)


@contextmanager
def speaking(speak: Callable[[socket.socket], None]) -> Iterator[str]:
    """One connection to something that is no web server."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            try:
                connected, _ = listening.accept()
                with connected:
                    connected.recv(65536)
                    speak(connected)
            except OSError:
                return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def test_an_answer_comes_back_whatever_its_status() -> None:
    with place({"/a": Said(418, b'{"a": 1}', {"X-Odd": "Yes"})}) as here:
        answer = fetcher(here.origin).get(STEP, f"{here.origin}/a?b=c")
    assert (answer.status, answer.json, answer.headers["x-odd"]) == (418, {"a": 1}, "Yes")
    (asked,) = here.asked
    assert asked.path == "/a?b=c"
    assert "authorization" not in asked.headers


def test_forms_and_json_say_what_they_are() -> None:
    with place({"/a": {}}) as here:
        ours = fetcher(here.origin)
        ours.post(STEP, f"{here.origin}/a", {"x": "a b&c"}, {"authorization": "Basic x"})
        ours.post(STEP, f"{here.origin}/a", b"{}")
    form, json = here.asked
    assert form.form == {"x": "a b&c"}
    assert form.headers["content-type"] == "application/x-www-form-urlencoded"
    assert form.headers["authorization"] == "Basic x"
    assert (json.body, json.headers["content-type"]) == (b"{}", "application/json")


@pytest.mark.parametrize("body", [b"", b"<html>", b"[1]", b"\xff", b"[" * 50_000, b'{"a":'])
def test_what_is_no_object_is_none(body: bytes) -> None:
    with place({"/a": Said(200, body)}) as here:
        assert fetcher(here.origin).get(STEP, f"{here.origin}/a").json is None


def test_redirects_stay_at_home_and_come_to_an_end() -> None:
    with place() as there, place() as here:
        here.answers = {
            "/a": Said(302, b"", {"location": "/b"}),
            "/b": {"b": 1},
            "/away": Said(302, b"", {"location": f"{there.origin}/b"}),
            "/file": Said(302, b"", {"location": "file:///etc/passwd"}),
            "/loop": Said(302, b"", {"location": "/loop"}),
        }
        ours = fetcher(here.origin)
        assert ours.get(STEP, f"{here.origin}/a").json == {"b": 1}
        for path in ("/away", "/file", "/loop"):
            with pytest.raises(UnsafeAddress, match=STEP):
                ours.get(STEP, f"{here.origin}{path}")
    assert there.asked == []
    assert len(here.to("/loop")) == fetch.MOST_REDIRECTS + 1


def test_what_is_posted_is_not_carried_elsewhere() -> None:
    with place({"/a": Said(307, b"", {"location": "/b"}), "/b": {}}) as here:
        assert fetcher(here.origin).post(STEP, f"{here.origin}/a", {"code": "x"}).status == 307
    assert here.paths() == ["POST /a"]


def test_large_answers_are_not_read_to_the_end() -> None:
    with place({"/a": Said(200, b"x" * (fetch.METADATA + 1))}) as here, pytest.raises(AnswerTooLarge):
        fetcher(here.origin).get(STEP, f"{here.origin}/a")


def test_an_endless_answer_is_cut() -> None:
    def flood(connected: socket.socket) -> None:
        connected.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connected.sendall(b"x" * 65536)

    with speaking(flood) as origin, pytest.raises(AnswerTooLarge):
        fetcher(origin).get(STEP, origin)


def drip(head: bytes) -> Callable[[socket.socket], None]:
    def speak(connected: socket.socket) -> None:
        connected.sendall(head)
        while True:
            connected.sendall(b"x")
            time.sleep(0.02)

    return speak


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n"])
def test_the_deadline_holds_for_bytes_that_drip(head: bytes) -> None:
    with speaking(drip(head)) as origin:
        begun = time.monotonic()
        with pytest.raises(Interrupted, match="did not answer within"):
            fetcher(origin).post(STEP, origin, {}, within=0.3)
        assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    "said", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"]
)
def test_what_breaks_off_is_an_error(said: bytes) -> None:
    with speaking(lambda connected: connected.sendall(said)) as origin, pytest.raises(Interrupted):
        fetcher(origin).get(STEP, origin)


def test_a_closed_door_is_said_so() -> None:
    with place() as here:
        pass
    with pytest.raises(Unreachable, match="refuses connections"):
        fetcher(here.origin).get(STEP, here.origin)


def test_the_proxy_of_the_environment_is_used() -> None:
    seen: list[Asked] = []

    def answer(asked: Asked) -> Said:
        seen.append(asked)
        return Said(200, b'{"through": "proxy"}')

    with place() as proxy:
        proxy.answers["http://localhost:1/a"] = answer
        ours = fetcher("http://localhost:1", http_proxy=proxy.origin.replace("//", "//me:hush@"))
        assert ours.get(STEP, "http://localhost:1/a").json == {"through": "proxy"}
    assert seen[0].headers["proxy-authorization"].startswith("Basic ")


def test_a_proxy_that_opens_no_way_is_named_without_its_password() -> None:
    with place() as proxy:
        ours = fetcher("https://docs.example.com", https_proxy=proxy.origin.replace("//", "//me:hush@"))
        with pytest.raises(ProxyFailed) as caught:
            ours.get(STEP, "https://docs.example.com/a")
    assert "hush" not in caught.value.sentence
