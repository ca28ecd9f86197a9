"""Which requests may be made twice, and what is said of one that was interrupted."""

from __future__ import annotations

from mooring.errors import ConnectionLost, Interrupted, MooringError
from mooring.upstream.wire import Slot

__all__ = ["dropped", "is_safe", "told"]

_SAFE = frozenset(
    (
        *("initialize", "ping", "server/discover", "subscriptions/listen", "completion/complete"),
        *("tools/list", "resources/list", "resources/templates/list", "prompts/list"),
        *("resources/read", "prompts/get"),
    )
)
_EFFECT = "; the call may have had an effect"
_AGAIN = "Try again where that is safe"


def is_safe(slot: Slot) -> bool:
    """Whether asking it twice has no second effect."""
    return slot.method in _SAFE


def told(error: MooringError, slot: Slot) -> MooringError:
    """An interruption after the request was sent leaves a question that only the caller can decide."""
    if isinstance(error, Interrupted) and slot.written and not is_safe(slot):
        said = Interrupted(error.sentence + _EFFECT, hint=_AGAIN)
        said.__cause__ = error
        return said
    return error


def dropped(slot: Slot, what: str) -> ConnectionLost:
    """A stream in which the answer should have come has ended without it."""
    return ConnectionLost(what + ("" if is_safe(slot) else _EFFECT), hint=_AGAIN)
