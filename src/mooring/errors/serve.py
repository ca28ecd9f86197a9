"""What can be wrong between a command and the `mooring serve` that runs already."""

from __future__ import annotations

from mooring.errors.base import MooringError

__all__ = ["AlreadyServed", "NotStarted", "ServeLost", "StillServed"]


class AlreadyServed(MooringError):
    """Another `mooring serve` of the same project is running."""

    code = "MOOR-SERVE-001"


class StillServed(MooringError):
    """A `mooring serve` that was told to end has not."""

    code = "MOOR-SERVE-002"


class NotStarted(MooringError):
    """A `mooring serve` in the background ended before it listened, and did not say why."""

    code = "MOOR-SERVE-003"


class ServeLost(MooringError):
    """The `mooring serve` that carried a command out ended before the command did."""

    code = "MOOR-SERVE-004"
