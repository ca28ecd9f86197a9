"""Whether a stored login belongs to the entry that would use it."""

from __future__ import annotations

from dataclasses import replace

from mooring.auth.vault import Record, Vault
from mooring.core.spec import OAuth, RemoteSpec

__all__ = ["in_place", "is_ours", "kept_for"]


def kept_for(vault: Vault, spec: RemoteSpec) -> Record | None:
    """The login that this entry uses, of all that were made under its name at its address."""
    return vault.open(spec.name, spec.url, lambda record: is_ours(record, spec))


def in_place(vault: Vault, spec: RemoteSpec, record: Record) -> Record:
    """A new login, ready to take the place of what this entry has used until now; other clients' stay."""
    bound = _bound(record)
    kept = vault.open(spec.name, spec.url, lambda each: is_ours(each, spec) or _bound(each) == bound)
    return replace(record, generation=kept.generation if kept else 0)


def is_ours(record: Record, spec: RemoteSpec) -> bool:
    """Whether it was made for the client and the addresses that the configuration names now."""
    oauth = spec.oauth or OAuth()
    client = record.client
    if oauth.client_id and client is not None and client.id != oauth.client_id:
        return False
    if client is not None and client.origin == "configured" and client.id != oauth.client_id:
        return False
    return not (oauth.token_url and record.token_url and record.token_url != oauth.token_url)


def _bound(record: Record) -> tuple[str | None, ...]:
    return record.issuer, record.client.id if record.client else None, record.resource
