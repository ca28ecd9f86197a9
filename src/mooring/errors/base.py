"""What every deliberate error has: a code that never changes, a sentence, the next step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

__all__ = [
    "MooringError",
    "Spot",
    "codes",
    "internal",
]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where in a file something stands; `text` is that line, already free of secrets."""

    file: str
    line: int | None = None
    column: int | None = None
    text: str | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


class MooringError(Exception):
    """The base of all of them; also carried as a value, where one bad thing must not stop the others.

    `nothing_was_sent` says of a request that failed that the server cannot have heard of it.
    """

    code: ClassVar[str] = "MOOR-INTERNAL-001"
    nothing_was_sent = False
    severity: ClassVar[Literal["error", "notice"]] = "error"

    def __init__(self, sentence: str, *, hint: str = "", spot: Spot | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint
        self.spot = spot


def internal(error: BaseException) -> MooringError:
    """A mistake of ours; what kind, and never a value."""
    said = MooringError(
        f"a mistake in Mooring itself: {type(error).__name__}", hint="Report it, with what you did"
    )
    said.__cause__ = error
    return said


def codes() -> dict[str, type[MooringError]]:
    """Each code with the class that carries it; codes are never renamed or given a second meaning."""
    found: dict[str, type[MooringError]] = {}
    waiting: list[type[MooringError]] = [MooringError]
    while waiting:
        kind = waiting.pop()
        waiting.extend(kind.__subclasses__())
        if "code" in vars(kind):
            found[kind.code] = kind
    return dict(sorted(found.items()))
