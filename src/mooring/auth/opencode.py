"""The logins that OpenCode keeps: read, never written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn

from mooring.auth.vault import Record, Registration, Tokens, Vault
from mooring.core.frozen import frozen
from mooring.core.values import is_map, is_number
from mooring.errors import ConfigError, ForeignUnreadable, Spot
from mooring.system.dirs import Dirs
from mooring.system.files import read_text

__all__ = ["Login", "State", "adopt", "logins", "places", "read"]


class State(StrEnum):
    """What would happen to a login."""

    NEW = "new"
    KEPT = "kept"
    EXPIRED = "expired"
    ELSEWHERE = "elsewhere"
    UNKNOWN = "unknown"


@frozen
class Login:
    """One of OpenCode's logins, ready to be put into the vault if it is new."""

    record: Record
    state: State


def places(dirs: Dirs) -> tuple[Path, ...]:
    """Where OpenCode keeps them, and where it once did."""
    return dirs.opencode_data / "mcp-auth.json", dirs.home / ".opencode" / "mcp-auth.json"


def read(file: Path, now: float) -> list[Record]:
    """Every login in a file; like OpenCode, an entry that makes no sense is passed over."""
    try:
        text = read_text(file)
    except ConfigError as error:
        raise ForeignUnreadable(error.sentence, hint=error.hint, spot=error.spot) from error
    try:
        tree: Any = json.loads(text or "{}", parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        # The line holds tokens, so it is named and not shown.
        spot = Spot(str(file), error.lineno) if isinstance(error, json.JSONDecodeError) else Spot(str(file))
        hint = "Log in again with Mooring: mooring auth NAME"
        raise ForeignUnreadable(f"`{file}` is not valid JSON", hint=hint, spot=spot) from error
    entries = tree.items() if is_map(tree) else ()
    return [record for name, raw in entries if (record := _record(name, raw, now)) is not None]


def logins(records: Iterable[Record], addresses: Mapping[str, str], vault: Vault, now: float) -> list[Login]:
    """What would become of each; `addresses` are the servers that are configured, with their URLs."""
    latest: dict[str, Record] = {}
    for record in records:
        there = latest.get(record.server)
        if there is None or _is_newer(record, there):
            latest[record.server] = record
    return [Login(record, _state(record, addresses, vault, now)) for record in latest.values()]


def adopt(login: Login, vault: Vault) -> Record:
    """The record as the vault keeps it from now on."""
    kept = vault.open(login.record.server, login.record.url)
    return vault.put(replace(login.record, generation=kept.generation if kept else 0))


def _state(record: Record, addresses: Mapping[str, str], vault: Vault, now: float) -> State:
    if record.server not in addresses:
        return State.UNKNOWN
    if addresses[record.server] != record.url:
        return State.ELSEWHERE
    tokens = record.tokens
    if tokens and tokens.refresh is None and tokens.expires_at is not None and tokens.expires_at <= now:
        return State.EXPIRED
    kept = vault.open(record.server, record.url)
    return State.NEW if kept is None or _is_newer(record, kept) else State.KEPT


def _is_newer(one: Record, other: Record) -> bool:
    """Later to expire; what never does is never pushed aside."""
    if one.tokens is None or other.tokens is None:
        return one.tokens is not None
    mine, theirs = one.tokens.expires_at, other.tokens.expires_at
    return mine is not None and theirs is not None and mine > theirs


def _record(name: str, raw: Any, now: float) -> Record | None:
    if not is_map(raw) or not is_map(raw.get("tokens")):
        return None
    given, url = raw["tokens"], raw.get("serverUrl")
    access = given.get("accessToken")
    if not isinstance(url, str) or not isinstance(access, str) or not access:
        return None
    expires = given.get("expiresAt")
    tokens = Tokens(
        access,
        refresh=_text(given, "refreshToken"),
        expires_at=float(expires) if is_number(expires) else None,
        scope=_text(given, "scope"),
    )
    return Record(name, url, tokens=tokens, client=_client(raw.get("clientInfo"), now), source="opencode")


def _client(raw: Any, now: float) -> Registration | None:
    """None also where its secret has run out; an end of 0 is no end."""
    if not is_map(raw) or not (client_id := _text(raw, "clientId")):
        return None
    end = raw.get("clientSecretExpiresAt")
    ends_at = float(end) if is_number(end) and end else None
    if ends_at is not None and ends_at <= now:
        return None
    return Registration(client_id, _text(raw, "clientSecret"), ends_at)


def _text(given: Mapping[str, Any], key: str) -> str | None:
    value = given.get(key)
    return value if isinstance(value, str) and value else None


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)
