"""An address is taken apart once, and what is left of it can be sent."""

from __future__ import annotations

import pytest

from mooring.system.address import Address


@pytest.mark.parametrize(
    ("url", "authority", "target"),
    [
        ("https://a.example", "a.example", "/"),
        ("HTTPS://A.Example:443/mcp#part", "a.example", "/mcp"),
        ("http://a.example:8080/a b/\u00e9?q=1 2&r=%20", "a.example:8080", "/a%20b/%C3%A9?q=1%202&r=%20"),
        ("http://b\u00fccher.example/", "xn--bcher-kva.example", "/"),
        ("http://[::1]:80/x", "[::1]", "/x"),
        ("http://[::1]:81/x", "[::1]:81", "/x"),
    ],
)
def test_an_address_says_where_and_what(url: str, authority: str, target: str) -> None:
    address = Address.of(url)
    assert (address.authority, address.target) == (authority, target)
    assert (address.origin + address.target).isascii()


@pytest.mark.parametrize(
    ("reference", "joined", "is_neighbour"),
    [
        ("/b?c", "http://a.example/b?c", True),
        ("b", "http://a.example/mcp/b", True),
        ("?s=1", "http://a.example/mcp/x?s=1", True),
        ("http://a.example:80/b", "http://a.example/b", True),
        ("//a.example:81/b", "http://a.example:81/b", False),
        ("https://a.example/b", "https://a.example/b", False),
        ("http://a.example.evil/b", "http://a.example.evil/b", False),
        ("http://a.example@evil.example/b", "http://evil.example/b", False),
    ],
)
def test_a_reference_leads_where_a_browser_would_go(reference: str, joined: str, is_neighbour: bool) -> None:
    here = Address.of("http://a.example/mcp/x")
    there = here.joined(reference)
    assert there.origin + there.target == joined
    assert there.is_neighbour_of(here) == is_neighbour
