"""What had to be changed in a schema, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from mooring.core.frozen import frozen

__all__ = ["Log", "Path", "Repair", "listed"]

Path: TypeAlias = tuple[str, ...]


@frozen
class Repair:
    """`kind` never changes its meaning; `path` is a JSON pointer into the schema as it was."""

    path: str
    kind: str
    sentence: str


@dataclass(slots=True)
class Log:
    """The repairs so far; the same one twice counts once."""

    _repairs: dict[Repair, None] = field(default_factory=dict[Repair, None])

    def add(self, path: Path, kind: str, sentence: str) -> None:
        pointer = "/".join(["#", *(part.replace("~", "~0").replace("/", "~1") for part in path)])
        self._repairs[Repair(pointer, kind, sentence)] = None

    def all(self) -> tuple[Repair, ...]:
        return tuple(self._repairs)


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
