"""One server tried out: every step on the way to it and back, how long it took, and how it went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from mooring.core.frozen import frozen
from mooring.core.values import JSON
from mooring.errors import MooringError

__all__ = ["NOT_REACHED", "Step", "Trial", "Verdict"]

NOT_REACHED = "not reached"

Verdict: TypeAlias = Literal["ok", "note", "failed", "skipped"]


@frozen
class Step:
    """A `note` is done, and there is something to know of it. Nothing in here is a secret."""

    name: str
    verdict: Verdict
    seconds: float = 0.0
    says: str = ""
    notes: tuple[str, ...] = ()
    error: MooringError | None = None


@frozen(kw_only=True)
class Trial:
    """`stderr` is the last of what a local server said there; `exit_code` is None where it left none."""

    server: str
    transport: str
    protocol: str = ""
    server_name: str = ""
    server_version: str = ""
    capabilities: Mapping[str, JSON] = field(default_factory=dict[str, JSON])
    instructions: str = ""
    steps: tuple[Step, ...] = ()
    stderr: tuple[str, ...] = field(default=(), repr=False)
    exit_code: int | None = None

    @property
    def error(self) -> MooringError | None:
        """What went wrong first."""
        return next((step.error for step in self.steps if step.error is not None), None)

    @property
    def seconds(self) -> float:
        return sum(step.seconds for step in self.steps)
