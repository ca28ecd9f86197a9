"""Where a browser comes back to: by default, by configuration, and by hand."""

from __future__ import annotations

import pytest

from mooring.auth.callback import callback_of, can_be_served, parameters, pasted
from mooring.core.spec import OAuth
from mooring.errors import BadCallback

BACK = callback_of(OAuth())


def test_nothing_configured_means_the_address_that_opencode_uses() -> None:
    assert BACK.uri == "http://127.0.0.1:19876/mcp/oauth/callback"
    assert not BACK.is_fixed


@pytest.mark.parametrize(
    ("oauth", "uri", "port"),
    [
        (OAuth(callback_port=3000), "http://127.0.0.1:3000/mcp/oauth/callback", 3000),
        (OAuth(client_id="us"), "http://127.0.0.1:19876/mcp/oauth/callback", 19876),
        (OAuth(redirect_uri="http://localhost:3000/callback"), "http://localhost:3000/callback", 3000),
        (OAuth(redirect_uri="http://localhost/callback"), "http://localhost/callback", 80),
        (
            OAuth(redirect_uri="https://h.example/back", callback_port=3000),
            "https://h.example/back",
            3000,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_written_down_somewhere_is_not_moved(oauth: OAuth, uri: str, port: int) -> None:
    there = callback_of(oauth)
    assert (there.uri, there.port, there.is_fixed) == (uri, port, True)
    assert can_be_served(there)


def test_a_page_of_ours_stands_on_this_machine_only() -> None:
    assert not can_be_served(callback_of(OAuth(redirect_uri="https://h.example/back")))
    assert not can_be_served(callback_of(OAuth(redirect_uri="https://127.0.0.1:19876/back")))


@pytest.mark.parametrize(
    "uri",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://",
        "http://h:x/",
        "http://me:secret@127.0.0.1:1/back",
        "http://127.0.0.1:1/back#here",
        "http://127.0.0.1:1/a b",
        "http://127.0.0.1:1/a\r\nHost: h",
    ],
)
def test_an_address_that_no_browser_can_come_back_to_is_refused(uri: str) -> None:
    with pytest.raises(BadCallback) as refused:
        callback_of(OAuth(redirect_uri=uri))
    assert "secret" not in refused.value.sentence


def test_a_moved_page_keeps_its_host_and_path() -> None:
    assert BACK.moved(19877).uri == "http://127.0.0.1:19877/mcp/oauth/callback"
    six = callback_of(OAuth(redirect_uri="http://[::1]:5000/x"))
    assert six.moved(5001).uri == "http://[::1]:5001/x"
    assert "[::1]:5000" in six.hosts


def test_an_address_pasted_by_hand_is_taken_with_what_clings_to_it() -> None:
    address = f"{BACK.uri}?code=c&state=s"
    assert pasted(f'  "{address}"\n', BACK, "s") == address


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no address"),
        ("code", "no address"),
        ("http://[", "no address"),
        ("javascript:alert(1)?code=c&state=s", "no address"),
        (BACK.uri, "no address"),
        (f"{BACK.uri}?code=c&state=" + "s" * 20_000, "no address"),
        (f"{BACK.uri}?code=c&state=other", "another login"),
        (f"{BACK.uri}?code=c", "another login"),
        ("http://127.0.0.1:19876/elsewhere?code=c&state=s", "another login"),
        (f"{BACK.uri}?code=c&state=s&state=s", "twice"),
        (f"{BACK.uri}?" + "&".join(f"a{n}=1" for n in range(40)), "more parameters"),
    ],
    ids=[str(n) for n in range(11)],
)
def test_another_address_is_refused_without_a_word_of_it(text: str, why: str) -> None:
    with pytest.raises(BadCallback, match=why) as refused:
        pasted(text, BACK, "s")
    assert "code=c" not in refused.value.sentence


def test_parameters_may_be_empty_and_written_in_any_letters() -> None:
    assert parameters("state=%C3%A9&code=&x=%FF") == {"state": "é", "code": "", "x": "\ufffd"}
