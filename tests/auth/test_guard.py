"""Nobody's metadata leads us into another network, or hands a browser something to act on."""

from __future__ import annotations

import pytest

from mooring.auth.guard import Guard, Kind, kind_of, resolve
from mooring.auth.near import is_near
from mooring.errors import Unreachable, UnsafeAddress

NAMES = {
    "docs.example.com": ["93.184.215.14"],
    "login.example.com": ["93.184.215.15", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
    "intranet.example.com": ["10.1.2.3"],
    "both.example.com": ["93.184.215.14", "10.1.2.3"],
    "localhost": ["127.0.0.1"],
    "127.0.0.1": ["127.0.0.1"],
    "10.1.2.3": ["10.1.2.3"],
    "169.254.169.254": ["169.254.169.254"],
}


def guard(url: str = "https://docs.example.com/mcp", *allowed: str) -> Guard:
    def known(host: str, port: int) -> list[str]:
        return NAMES[host]

    return Guard("docs", url, allowed, known)


def goes(checked: Guard, url: str) -> list[str]:
    return checked.within("token endpoint", checked.check("token endpoint", url))


HOSTILE = {
    "javascript": "javascript:alert(1)",
    "file": "file:///etc/passwd",
    "data": "data:text/html,x",
    "command in the path": "https://a.example/$(calc.exe)",
    "plain http": "http://evil.example/authorize",
    "plain http to our neighbour": "http://intranet.example.com/authorize",
    "fragment": "https://a.example/x?client_id=evil#frag",
    "empty fragment": "https://a.example/x#",
    "pipe and quote": "https://a.example/'|calc.exe|'",
    "ampersand": "https://a.example/&calc",
    "user and password": "https://user:pw@a.example/authorize",
    "user only": "https://user@a.example/authorize",
    "line break": "https://a.example/x\r\nX: y",
    "space": "https://a.example/a b",
    "backslash": "https://a.example\\@b.example/",
    "backtick": "https://a.example/?x=`id`",
    "quote in the query": 'https://a.example/?x="',
    "no host": "https:///authorize",
    "no number": "https://a.example:port/",
    "port zero": "https://a.example:0/",
    "letters that look alike": "https://\u0430.example/",
    "too long": "https://a.example/" + "x" * 3000,
    "nothing": "",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_addresses_are_refused_by_their_words(case: str) -> None:
    with pytest.raises(UnsafeAddress) as caught:
        guard().check("authorization endpoint", HOSTILE[case])
    assert caught.value.step == "authorization endpoint"
    assert caught.value.sentence.startswith("authorization endpoint: ")
    assert "pw" not in caught.value.sentence
    assert caught.value.sentence.isprintable()


@pytest.mark.parametrize(
    "url",
    [
        "https://login.example.com/oauth2/v2.0/authorize?tenant=a&prompt=x",
        "https://login.example.com:8443/a%20b/",
        "http://localhost:3000/authorize",
        "http://127.0.0.1:3000/authorize",
        "http://[::1]:3000/authorize",
    ],
)
def test_ordinary_addresses_pass(url: str) -> None:
    assert guard().check("authorization endpoint", url).origin in url


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        ("93.184.215.14", Kind.PUBLIC),
        ("10.0.0.1", Kind.PRIVATE),
        ("172.16.0.1", Kind.PRIVATE),
        ("192.168.1.1", Kind.PRIVATE),
        ("100.64.0.1", Kind.PRIVATE),
        ("fd00::1", Kind.PRIVATE),
        ("127.0.0.2", Kind.LOOPBACK),
        ("::1", Kind.LOOPBACK),
        ("169.254.169.254", Kind.LINK_LOCAL),
        ("fe80::1%eth0", Kind.LINK_LOCAL),
        ("0.0.0.0", Kind.NOWHERE),
        ("224.0.0.1", Kind.NOWHERE),
        ("240.0.0.1", Kind.NOWHERE),
        ("::ffff:127.0.0.1", Kind.LOOPBACK),
        ("::ffff:10.0.0.1", Kind.PRIVATE),
        ("64:ff9b::a9fe:a9fe", Kind.LINK_LOCAL),
        ("2002:7f00:1::", Kind.LOOPBACK),
        ("2606:2800::5efe:10.0.0.1", Kind.PRIVATE),
    ],
)
def test_numbers_are_judged_by_where_they_end(number: str, kind: Kind) -> None:
    assert kind_of(number) is kind


def test_a_public_server_leads_to_public_addresses_only() -> None:
    assert goes(guard(), "https://login.example.com/token") == NAMES["login.example.com"]
    for host in ("intranet.example.com", "169.254.169.254", "10.1.2.3", "127.0.0.1"):
        with pytest.raises(UnsafeAddress, match="address"):
            goes(guard(), f"https://{host}/token")


def test_one_private_number_among_public_ones_is_enough_to_refuse() -> None:
    with pytest.raises(UnsafeAddress, match="private"):
        goes(guard(), "https://both.example.com/token")


def test_a_private_server_may_have_private_neighbours_but_not_the_machine_itself() -> None:
    ours = guard("https://intranet.example.com/mcp")
    assert goes(ours, "https://10.1.2.3/token")
    with pytest.raises(UnsafeAddress, match="loopback"):
        goes(ours, "http://localhost:3000/token")
    with pytest.raises(UnsafeAddress, match="link-local"):
        goes(ours, "https://169.254.169.254/token")


def test_the_user_may_name_a_host_and_the_hint_says_how() -> None:
    with pytest.raises(UnsafeAddress) as caught:
        goes(guard(), "https://intranet.example.com/token")
    assert caught.value.hint == "If that is right, add `intranet.example.com` to `mcp.docs.oauth.allowHosts`"
    assert goes(
        guard("https://docs.example.com/mcp", "intranet.example.com"), "https://intranet.example.com/"
    )


def test_behind_a_proxy_only_what_is_written_can_be_judged() -> None:
    ours = guard()
    step = "token endpoint"
    assert ours.within(step, ours.check(step, "https://unknown.example/"), is_proxied=True) == []
    with pytest.raises(UnsafeAddress, match="private"):
        ours.within(step, ours.check(step, "https://10.1.2.3/"), is_proxied=True)
    with pytest.raises(UnsafeAddress, match="loopback"):
        ours.within(step, ours.check(step, "http://localhost/"), is_proxied=True)


@pytest.mark.parametrize("host", ["0x7f.0.0.1", "0177.0.0.1", "2130706433", "127.1", "0x7f000001"])
def test_numbers_in_disguise_lead_nowhere(host: str) -> None:
    with pytest.raises(Unreachable):
        resolve(host, 443)


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("login.example.com", "login.example.com", True),
        ("cf.mcp.example.com", "mcp.example.com", True),
        ("auth.example.com", "api.example.com", True),
        ("auth.example.com", "auth.example.org", False),
        ("a.co.uk", "b.co.uk", False),
        ("a.b.co.uk", "c.b.co.uk", True),
        ("example.com", "evilexample.com", False),
        ("10.0.0.1", "10.0.0.2", False),
        ("1.0.0.1", "2.0.0.1", False),
        ("com", "com.", True),
    ],
)
def test_hosts_of_one_house(one: str, other: str, *, near: bool) -> None:
    assert is_near(one, other) is near
    assert is_near(other, one) is near
