"""Whether a stored login belongs to the entry that would use it."""

from __future__ import annotations

from mooring.auth.vault import Record
from mooring.core.spec import OAuth, RemoteSpec

__all__ = ["is_ours"]


def is_ours(record: Record, spec: RemoteSpec) -> bool:
    """Whether it was made for the client and the addresses that the configuration names now."""
    oauth = spec.oauth or OAuth()
    client = record.client
    if oauth.client_id and client is not None and client.id != oauth.client_id:
        return False
    if client is not None and client.origin == "configured" and client.id != oauth.client_id:
        return False
    return not (oauth.token_url and record.token_url and record.token_url != oauth.token_url)
