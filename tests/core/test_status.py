from __future__ import annotations

from typing import get_args

import pytest

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
    opencode,
    word,
)
from mooring.errors import MooringError

EACH: list[tuple[Status, str, dict[str, str]]] = [
    (Disabled(), "disabled", {"status": "disabled"}),
    (Pending(), "pending", {"status": "failed", "error": "still connecting"}),
    (Connecting(2), "connecting", {"status": "failed", "error": "still connecting"}),
    (Connected("2026-07-28", tools=3), "connected", {"status": "connected"}),
    (
        NeedsApproval("new in this project"),
        "needs_approval",
        {"status": "failed", "error": "needs approval: mooring trust notes"},
    ),
    (NeedsAuth("the token has run out"), "needs_auth", {"status": "needs_auth"}),
    (
        NeedsClientRegistration(),
        "needs_client_registration",
        {
            "status": "needs_client_registration",
            "error": "`notes` registers no clients: set `mcp.notes.oauth.clientId`",
        },
    ),
    (
        Failed(MooringError("`notes` exited at once"), exit_code=1, stderr=("no such key",)),
        "failed",
        {"status": "failed", "error": "`notes` exited at once"},
    ),
]


@pytest.mark.parametrize(("status", "name", "shape"), EACH, ids=[name for _, name, _ in EACH])
def test_each_status_has_a_word_and_a_shape_that_opencode_clients_know(
    status: Status, name: str, shape: dict[str, str]
) -> None:
    assert word(status) == name
    assert opencode(status, "notes") == shape


def test_no_status_is_left_out_of_these_tests() -> None:
    assert {type(status) for status, _, _ in EACH} == set(get_args(Status))


def test_the_server_s_last_words_are_not_in_a_status_s_own_words() -> None:
    assert "sesame" not in repr(Failed(MooringError("`notes` exited"), stderr=("password: sesame",)))
