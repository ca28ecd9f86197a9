"""OpenCode's logins: its file as it is written today, and what becomes of each login."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mooring.auth.opencode import State, adopt, logins, places, read
from mooring.auth.vault import Record, Registration, Tokens, Vault
from mooring.errors import ForeignUnreadable
from mooring.system.dirs import Dirs

NOW = 1_795_000_000.0
URL = "https://docs.example.com/mcp"


def entry(**more: Any) -> dict[str, Any]:
    tokens = {
        "accessToken": "hush-a",
        "refreshToken": "hush-r",
        "expiresAt": NOW + 10.596,
        "scope": "mcp:read",
    }
    return {"tokens": tokens, "serverUrl": URL, **more}


def read_all(tmp_path: Path, tree: Any) -> list[Record]:
    file = tmp_path / "mcp-auth.json"
    file.write_text(json.dumps(tree))
    return read(file, NOW)


def test_both_files_are_known(empty_home: Path) -> None:
    assert places(Dirs.of(os.environ)) == (
        empty_home / ".local/share/opencode/mcp-auth.json",
        empty_home / ".opencode/mcp-auth.json",
    )


def test_a_whole_entry_is_understood(tmp_path: Path) -> None:
    client = {
        "clientId": "id",
        "clientSecret": "hush-c",
        "clientIdIssuedAt": 1,
        "clientSecretExpiresAt": NOW + 1,
    }
    assert read_all(tmp_path, {"docs": entry(clientInfo=client, oauthState="pending")}) == [
        Record(
            "docs",
            URL,
            tokens=Tokens("hush-a", "hush-r", NOW + 10.596, "mcp:read"),
            client=Registration("id", "hush-c", NOW + 1),
            source="opencode",
        )
    ]


@pytest.mark.parametrize(
    ("client", "is_kept"),
    [
        ({"clientId": "id"}, True),
        ({"clientId": "id", "clientSecretExpiresAt": 0}, True),
        ({"clientId": "id", "clientSecretExpiresAt": NOW + 1}, True),
        ({"clientId": "id", "clientSecretExpiresAt": NOW - 1}, False),
        ({"clientSecret": "hush"}, False),
        ("id", False),
    ],
)
def test_a_client_whose_secret_has_run_out_is_no_client(tmp_path: Path, client: Any, is_kept: bool) -> None:
    (record,) = read_all(tmp_path, {"docs": entry(clientInfo=client)})
    assert (record.client is not None) is is_kept


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {},
        {"tokens": {}, "serverUrl": URL},
        {"tokens": {"accessToken": "x"}},
        {"tokens": {"accessToken": 1}, "serverUrl": URL},
        {"codeVerifier": "pending", "serverUrl": URL},
    ],
)
def test_an_entry_without_a_login_is_passed_over(tmp_path: Path, raw: Any) -> None:
    assert [record.server for record in read_all(tmp_path, {"odd": raw, "docs": entry()})] == ["docs"]


def test_no_file_holds_no_logins(tmp_path: Path) -> None:
    assert read(tmp_path / "missing.json", NOW) == []


@pytest.mark.parametrize("text", ['{\n "docs": {"accessToken": "hush-a"', "NaN", "[" * 100_000, "\ufeff{}x"])
def test_a_broken_file_is_said_without_its_text(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mcp-auth.json"
    file.write_text(text)
    with pytest.raises(ForeignUnreadable) as caught:
        read(file, NOW)
    assert caught.value.spot is not None
    assert caught.value.spot.text is None
    assert file.read_text() == text


def states(vault: Vault, records: list[Record], addresses: dict[str, str]) -> list[State]:
    return [login.state for login in logins(records, addresses, vault, NOW)]


def test_only_the_login_of_exactly_this_address_is_new(tmp_path: Path, vault: Vault) -> None:
    records = read_all(tmp_path, {"docs": entry()})
    assert states(vault, records, {"docs": URL}) == [State.NEW]
    assert states(vault, records, {"docs": URL + "/"}) == [State.ELSEWHERE]
    assert states(vault, records, {"other": URL}) == [State.UNKNOWN]


def test_a_login_that_is_over_is_left(tmp_path: Path, vault: Vault) -> None:
    over = {"accessToken": "hush", "expiresAt": NOW - 1}
    assert states(vault, read_all(tmp_path, {"docs": entry(tokens=over)}), {"docs": URL}) == [State.EXPIRED]
    renewable = {**over, "refreshToken": "hush-r"}
    assert states(vault, read_all(tmp_path, {"docs": entry(tokens=renewable)}), {"docs": URL}) == [State.NEW]


@pytest.mark.parametrize(
    ("expires_at", "state"),
    [(NOW + 5, State.NEW), (NOW + 10.596, State.KEPT), (NOW + 99, State.KEPT), (None, State.KEPT)],
)
def test_the_vault_keeps_what_is_newer(
    tmp_path: Path, vault: Vault, expires_at: float | None, state: State
) -> None:
    mine = vault.put(Record("docs", URL, tokens=Tokens("mine", expires_at=expires_at)))
    (login,) = logins(read_all(tmp_path, {"docs": entry()}), {"docs": URL}, vault, NOW)
    assert login.state is state
    if state is State.NEW:
        kept = adopt(login, vault)
        assert (kept.generation, kept.source) == (mine.generation + 1, "opencode")
        assert vault.open("docs", URL) == kept


def test_a_client_without_a_login_gives_way(tmp_path: Path, vault: Vault) -> None:
    vault.put(Record("docs", URL, client=Registration("id")))
    assert states(vault, read_all(tmp_path, {"docs": entry()}), {"docs": URL}) == [State.NEW]


def test_of_two_files_the_later_login_counts(tmp_path: Path, vault: Vault) -> None:
    def login(access: str, expires_at: float) -> Record:
        return Record("docs", URL, tokens=Tokens(access, "r", expires_at), source="opencode")

    for order in (
        [login("old", NOW + 1), login("new", NOW + 2)],
        [login("new", NOW + 2), login("old", NOW + 1)],
    ):
        (found,) = logins(order, {"docs": URL}, vault, NOW)
        assert found.record.tokens is not None
        assert found.record.tokens.access == "new"
