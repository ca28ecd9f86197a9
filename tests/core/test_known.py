"""Which of the values that a server was given are secrets."""

from __future__ import annotations

import pytest

from mooring.core.redact import hidden, mask_arguments, mask_url, secret_values, with_bare


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("LOG_LEVEL", "debug", []),
        ("PORT", "8080", []),
        ("GREETING", "hunter22", ["hunter22"]),
        ("API_KEY", "abcd", ["abcd"]),
        ("DATA_DIR", "/srv/data", []),
        ("TOKEN", "/srv/data", ["/srv/data"]),
        ("DB", "pg://me:secret1@host/db", ["pg://me:secret1@host/db", "me:secret1"]),
    ],
)
def test_a_value_is_a_secret_unless_it_cannot_be_one(name: str, value: str, found: list[str]):
    assert list(secret_values({name: value})) == found


def test_what_is_masked_in_an_argument_is_known_by_itself():
    arguments = ("--api-key=hunter22", "--verbose", "--token", "hunter33", "/srv/data")
    shown = mask_arguments(arguments)
    found = [secret for pair in zip(arguments, shown, strict=True) for secret in hidden(*pair)]
    assert found == ["hunter22", "hunter33"]


def test_what_is_masked_in_an_address_is_known_by_itself():
    url = "https://h.example/mcp?api_key=hunter22&page=1"
    assert list(hidden(url, mask_url(url))) == ["hunter22"]


def test_a_header_is_known_with_its_scheme_and_without():
    assert with_bare(["Bearer hunter22", "plain"]) == ("Bearer hunter22", "hunter22", "plain")
