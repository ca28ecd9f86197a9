"""What can be wrong with a client of the gateway, and with what it says."""

from __future__ import annotations

from collections.abc import Mapping

from mooring.errors.base import MooringError

__all__ = ["NotUnderstood", "NothingRead"]


class NotUnderstood(MooringError):
    """A message of a client that the protocol does not allow, or that asks for what is not there."""

    code = "MOOR-GATEWAY-001"

    def __init__(
        self, sentence: str, *, hint: str = "", number: int = -32600, data: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(sentence, hint=hint)
        self.number = number
        self.data: Mapping[str, object] = data or {}


class NothingRead(MooringError):
    """A client over stdio that does not take what it is told."""

    code = "MOOR-GATEWAY-002"
