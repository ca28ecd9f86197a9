"""What can be wrong with what a client says to the gateway."""

from __future__ import annotations

from collections.abc import Mapping

from mooring.errors.base import MooringError

__all__ = ["NotUnderstood"]


class NotUnderstood(MooringError):
    """A message of a client that the protocol does not allow, or that asks for what is not there."""

    code = "MOOR-GATEWAY-001"

    def __init__(
        self, sentence: str, *, hint: str = "", number: int = -32600, data: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(sentence, hint=hint)
        self.number = number
        self.data: Mapping[str, object] = data or {}
