"""Small fetches that end in time, whatever the other side does."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from mooring.errors import Unreachable
from mooring.system.net import fetch, is_safe, origin


class Peer:
    """Answers each connection with the same bytes, then waits with an open line or hangs up."""

    def __init__(self, answer: bytes, *, hangs: bool = False) -> None:
        self._answer, self._hangs = answer, hangs
        self._done = threading.Event()
        self.heard: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/x"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self._done.is_set():
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            with line:
                self.heard.append(line.recv(65536))
                try:
                    line.sendall(self._answer)
                except OSError:
                    continue
                if self._hangs:
                    self._done.wait(30)

    def close(self) -> None:
        self._done.set()
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def peers() -> Iterator[list[Peer]]:
    made: list[Peer] = []
    yield made
    for peer in made:
        peer.close()


def page(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = (f"HTTP/1.1 {status}", f"content-length: {len(body)}", "connection: close", *headers)
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def asked(peers: list[Peer], answer: bytes, *, hangs: bool = False, deadline: float = 10) -> bytes:
    peers.append(Peer(answer, hangs=hangs))
    return fetch(peers[-1].url, {"x-me": "1"}, deadline=deadline, limit=1000)


def test_the_body_of_a_good_answer_is_returned_and_headers_are_sent(peers: list[Peer]):
    assert asked(peers, page(b"hello")) == b"hello"
    assert b"x-me: 1" in peers[0].heard[0]
    assert b"accept: application/json" in peers[0].heard[0]


def test_as_much_as_the_limit_is_not_too_much(peers: list[Peer]):
    assert len(asked(peers, page(b"x" * 1000))) == 1000


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (page(b"x" * 1001), "more than"),
        (page(gzip.compress(b"x" * 5_000_000), "200 OK", "content-encoding: gzip"), "more than"),
        (page(b"", "500 Oops"), "answered 500"),
        (page(b"", "302 Found", "location: http://127.0.0.1:1/"), "answered 302"),
        (page(b"", "204 Nothing"), "answered 204"),
        (b"", "cannot be reached"),
        (b"SSH-2.0-OpenSSH\r\n", "cannot be reached"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nshort", "cannot be reached"),
    ],
)
def test_everything_else_says_why(peers: list[Peer], answer: bytes, words: str):
    with pytest.raises(Unreachable, match=words) as caught:
        asked(peers, answer)
    assert peers[0].url in caught.value.sentence
    assert len(peers[0].heard) == 1


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"]
)
def test_a_peer_that_stops_talking_costs_the_deadline(peers: list[Peer], answer: bytes):
    started = time.monotonic()
    with pytest.raises(Unreachable):
        asked(peers, answer, hangs=True, deadline=0.2)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:99999/", "http://[", "nonsense", "http://\x00/", "https://"]
)
def test_an_address_that_is_none_is_unreachable(url: str):
    with pytest.raises(Unreachable):
        fetch(url, {}, deadline=5, limit=10)


@pytest.mark.parametrize("headers", [{"x": "é"}, {"x": "a\nb"}, {"x y": "1"}])
def test_a_header_that_cannot_be_sent_is_unreachable_at_once(headers: dict[str, str]):
    with pytest.raises(Unreachable, match="cannot be reached"):
        fetch("http://127.0.0.1:9/", headers, deadline=20, limit=10)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://corp.example", True),
        ("https://corp.example:8443/x", True),
        ("http://127.0.0.1:1", True),
        ("http://localhost", True),
        ("http://[::1]:1/", True),
        ("http://corp.example", False),
        ("http://127.0.0.1.evil.example", False),
        ("http://localhost@evil.example", False),
        ("http://192.168.0.1", False),
        ("HTTPS://corp.example", True),
        ("https://", False),
        ("https:corp.example", False),
        ("ftp://corp.example", False),
        ("//corp.example", False),
        ("http://[", False),
        ("https://h:99999999", False),
        ("", False),
    ],
)
def test_only_what_nobody_on_the_way_can_change_is_safe(url: str, expected: bool):
    assert is_safe(url) is expected


def test_an_origin_is_scheme_host_and_port():
    assert origin("https://Corp.example/a") == origin("https://corp.example:443/b")
    assert origin("https://corp.example") != origin("http://corp.example")
    assert origin("https://corp.example") != origin("https://corp.example:8443")
    assert origin("https://a@corp.example") == origin("https://corp.example")
