"""The JSON shape of what is kept: calls that were made, and pins; nothing in one is a secret."""

from __future__ import annotations

from json import dumps, loads
from typing import Any

from mooring.core.audit import Kept
from mooring.core.pins import PinChanges, Pinned
from mooring.core.redact import clean, mask_shapes
from mooring.core.values import JSON

__all__ = ["call", "pinned", "pins"]


def call(kept: Kept) -> dict[str, Any]:
    """One call of the past; its arguments as far as they were kept, the moment in seconds of Unix time."""
    return {
        "id": kept.id,
        "at": kept.at,
        "caller": clean(kept.caller),
        "face": kept.face,
        "agent": clean(kept.agent),
        "server": clean(kept.server) or None,
        "tool": kept.tool,
        "arguments": loads(kept.arguments),
        "outcome": kept.outcome,
        "code": kept.code or None,
        "durationMs": round(kept.seconds * 1000, 1),
        "sentBytes": kept.sent,
        "receivedBytes": kept.received,
    }


def pinned(each: Pinned) -> dict[str, Any]:
    """One server whose tools are pinned, or some of whose calls were allowed for good."""
    return {
        "server": clean(each.server),
        "at": each.at,
        "tools": [clean(tool) for tool in each.tools],
        "allowed": [{"agent": clean(agent), "tool": clean(tool)} for agent, tool in each.allowed],
    }


def pins(changes: PinChanges) -> dict[str, Any]:
    """What differs from what was approved; `old` and `new` are JSON, in which nothing can hide."""
    return {
        "changed": [
            {
                "tool": clean(each.new.tool),
                "fields": [
                    {"field": field.field, "old": _unhidden(field.old), "new": _unhidden(field.new)}
                    for field in each.fields
                ],
            }
            for each in changes.changed
        ],
        "new": [clean(pin.tool) for pin in changes.new],
        "gone": [clean(pin.tool) for pin in changes.gone],
        "same": [clean(pin.tool) for pin in changes.same],
        "fingerprints": {
            pin.tool: pin.fingerprint
            for pin in (*changes.same, *changes.new, *(each.new for each in changes.changed))
        },
    }


def _unhidden(value: JSON) -> str | None:
    return mask_shapes(dumps(value)) if value is not None else None
