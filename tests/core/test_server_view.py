"""What the faces are told of a server says what is wrong and what to do next."""

from __future__ import annotations

import json

import pytest

from mooring.core import views
from mooring.core.server_view import ServerView
from mooring.core.status import (
    Connected,
    Connecting,
    Disabled,
    Failed,
    NeedsApproval,
    NeedsAuth,
    NeedsClientRegistration,
    Pending,
    Status,
)
from mooring.errors import ServerExited

SECRET = "sk-proj-9f8e7d6c5b4a39281706"
DIED = Failed(ServerExited("`a` ended with exit code 3"), 3, (f"key {SECRET} \x1b[2Jis bad",), 4.0)


@pytest.mark.parametrize("status", [Disabled(), Pending(), Connecting(2), Connected("2025-11-25")])
def test_a_server_that_is_well_or_waits_needs_nobody(status: Status):
    view = ServerView(name="a", status=status)
    assert (view.reason, view.hint) == ("", "")


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (NeedsApproval(), "mooring trust a"),
        (NeedsAuth(), "mooring auth a"),
        (NeedsClientRegistration(), "mooring config set mcp.a.oauth.clientId ID"),
        (DIED, "mooring test a"),
        (Failed(ServerExited("x", hint="npm install")), "npm install"),
    ],
)
def test_a_server_that_is_not_well_says_why_and_what_to_type_next(status: Status, hint: str):
    view = ServerView(name="a", status=status)
    assert view.reason
    assert view.hint == hint


def test_a_connected_server_shows_its_protocol_and_its_counts():
    view = views.server(
        ServerView(
            name="a",
            status=Connected("2026-07-28", "A server", "1.2"),
            transport="stdio",
            latency=0.01234,
            tools=3,
        )
    )
    assert (view["status"], view["protocol"], view["serverName"]) == ("connected", "2026-07-28", "A server")
    assert view["counts"] == {"tools": 3, "resources": 0, "templates": 0, "prompts": 0}
    assert (view["latencyMs"], view["error"], view["stderr"]) == (12.3, None, [])


def test_a_failed_server_shows_its_error_and_its_last_words_without_secrets():
    view = views.server(ServerView(name="a", status=DIED, next_try=1000.0))
    assert view["error"] == {"code": "MOOR-SERVER-003", "message": "`a` ended with exit code 3", "hint": ""}
    assert (view["exitCode"], view["nextTry"]) == (3, 1000.0)
    assert SECRET not in json.dumps(view)
    assert "\x1b" not in view["stderr"][0]


def test_every_server_has_the_same_keys():
    shapes = [views.server(ServerView(name="a", status=status)) for status in (DIED, Pending(), NeedsAuth())]
    assert len({tuple(shape) for shape in shapes}) == 1
    assert views.servers([]) == []
