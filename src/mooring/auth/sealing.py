"""What opens anything, apart from what may be read."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from mooring.auth.record import Record

__all__ = ["secrets_of", "with_secrets", "without_secrets"]


class _Secrets(msgspec.Struct):
    access: str | None = None
    refresh: str | None = None
    client: str | None = None
    key: str | None = None


def secrets_of(record: Record) -> str:
    """All that opens anything, as one text."""
    tokens, client = record.tokens, record.client
    found = _Secrets(
        tokens.access if tokens else None,
        tokens.refresh if tokens else None,
        client.secret if client else None,
        record.key,
    )
    return msgspec.json.encode(found).decode()


def without_secrets(record: Record) -> Record:
    """What may be read by whoever reads the file; whether there is a refresh token is no secret."""
    tokens, client = record.tokens, record.client
    return replace(
        record,
        tokens=replace(tokens, access="", refresh="" if tokens.refresh else None) if tokens else None,
        client=replace(client, secret="" if client.secret else None) if client else None,
        key="" if record.key else None,
        sealed=True,
    )


def with_secrets(record: Record, text: str) -> Record:
    found = msgspec.json.decode(text, type=_Secrets)
    tokens, client = record.tokens, record.client
    return replace(
        record,
        tokens=replace(tokens, access=found.access or "", refresh=found.refresh) if tokens else None,
        client=replace(client, secret=found.client) if client else None,
        key=found.key,
        sealed=False,
    )
