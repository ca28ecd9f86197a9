"""What a server asks for, however it writes it."""

from __future__ import annotations

import time

import pytest

from mooring.auth.challenge import Challenge

METADATA = "https://a.example/.well-known/oauth-protected-resource"


@pytest.mark.parametrize(
    ("header", "challenge"),
    [
        ("", Challenge()),
        ("Bearer", Challenge(schemes=("bearer",))),
        (
            f'Bearer realm="x, y=z", resource_metadata="{METADATA}", scope="a b a"',
            Challenge(METADATA, "a b", schemes=("bearer",)),
        ),
        ("bearer error=insufficient_scope,scope=a", Challenge("", "a", "insufficient_scope", ("bearer",))),
        (
            'Basic realm="x", scope="not ours", Bearer scope="ours"',
            Challenge(scope="ours", schemes=("basic", "bearer")),
        ),
        ('DPoP error="use_dpop_nonce"', Challenge(error="use_dpop_nonce", schemes=("dpop",))),
        (r'Bearer error="a\"b"', Challenge(error='a"b', schemes=("bearer",))),
        ('Bearer scope=""', Challenge(schemes=("bearer",))),
        ('Bearer scope="a\u00e9"', Challenge(schemes=("bearer",))),
        ('Bearer scope="first", Bearer scope="second"', Challenge(scope="first", schemes=("bearer",))),
    ],
)
def test_challenges_are_read(header: str, challenge: Challenge) -> None:
    assert Challenge.of(header) == challenge


def test_only_a_lack_of_scope_asks_for_more() -> None:
    assert Challenge.of('Bearer error="insufficient_scope"').wants_more
    assert not Challenge.of('Bearer error="invalid_token"').wants_more


@pytest.mark.parametrize("piece", ['"', "Bearer ", 'a="', "a=", ",", "\\", 'Bearer a="\\'])
def test_hostile_headers_take_no_time(piece: str) -> None:
    begun = time.perf_counter()
    Challenge.of("Bearer " + piece * 20_000)
    assert time.perf_counter() - begun < 1
