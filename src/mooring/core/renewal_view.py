"""The JSON shape of a server that was met anew, and of what was remembered of it."""

from __future__ import annotations

from typing import Any

from mooring.core.changes import Changes
from mooring.core.renewal import Known, Renewal
from mooring.core.views import server

__all__ = ["changed", "known", "renewal"]


def renewal(found: Renewal) -> dict[str, Any]:
    """A server met anew: as it stands, what was remembered of it, and what is different."""
    return {
        **server(found.view),
        "remembered": known(found.known) if found.known else None,
        "different": found.is_different,
        "changes": changed(found.changes),
    }


def changed(found: Changes) -> dict[str, Any]:
    """Public names of what was added, removed and changed."""
    deltas = {
        "tools": found.tools,
        "resources": found.resources,
        "templates": found.templates,
        "prompts": found.prompts,
    }
    lists = {
        kind: {"added": [*delta.added], "removed": [*delta.removed], "changed": [*delta.changed]}
        for kind, delta in deltas.items()
    }
    return {**lists, "instructions": found.instructions}


def known(of: Known) -> dict[str, Any]:
    """What was remembered of a server from earlier runs."""
    return {
        "protocol": of.protocol,
        "serverVersion": of.server_version or None,
        "counts": {
            "tools": of.tools,
            "resources": of.resources,
            "templates": of.templates,
            "prompts": of.prompts,
        },
    }
