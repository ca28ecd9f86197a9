"""What a tool looked like when it was approved, and what has changed since."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Literal, TypeAlias

from mooring.core.frozen import frozen
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.values import JSON

__all__ = [
    "Changed",
    "FieldChange",
    "Mode",
    "Pin",
    "PinChanges",
    "Pinned",
    "Unapproved",
    "compare",
    "fingerprint",
    "mark_of",
]

Mode: TypeAlias = Literal["off", "warn", "block"]

_FIELDS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")


@frozen
class Pin:
    """One approved tool; `definition` is everything about it that a model or a call depends on."""

    tool: str
    fingerprint: str
    definition: Mapping[str, JSON]

    @staticmethod
    def of(raw: Mapping[str, JSON]) -> Pin:
        definition = _definition(raw)
        return Pin(str(definition.get("name", "")), _digest(definition), definition)


@frozen
class FieldChange:
    """One field, as it was and as it is; None where it is absent."""

    field: str
    old: JSON
    new: JSON


@frozen
class Changed:
    """A tool that is no longer what was approved."""

    old: Pin
    new: Pin

    @property
    def fields(self) -> tuple[FieldChange, ...]:
        """What differs; nothing does if the stored pin itself was tampered with."""
        old, new = self.old.definition, self.new.definition
        return tuple(
            FieldChange(field, old.get(field), new.get(field))
            for field in _FIELDS
            if _canonical(old.get(field)) != _canonical(new.get(field))
        )


@frozen
class PinChanges:
    """Every tool, pinned or offered, in one list only."""

    new: tuple[Pin, ...] = ()
    changed: tuple[Changed, ...] = ()
    gone: tuple[Pin, ...] = ()
    same: tuple[Pin, ...] = ()


@frozen
class Unapproved:
    """A server's tools that are not what was approved, and whether that keeps them from being used."""

    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    blocked: bool = False

    @property
    def tools(self) -> tuple[str, ...]:
        return (*self.changed, *self.new)

    @property
    def held(self) -> frozenset[str]:
        """Those that nobody gets to see or to call."""
        return frozenset(self.tools) if self.blocked else frozenset()


@frozen
class Pinned:
    """One server whose tools are pinned; `at` is when they were approved last, in seconds since 1970.

    `allowed` are the agents and tools that nobody is asked about any more.
    """

    server: str
    mark: str
    at: float
    tools: tuple[str, ...]
    allowed: tuple[tuple[str, str], ...] = ()


def mark_of(spec: LocalSpec | RemoteSpec) -> str:
    """Whose pins they are: of a server of this name with this command line, or at this address."""
    what = [spec.command, *spec.args] if isinstance(spec, LocalSpec) else spec.url
    return sha256(_canonical([spec.name, what]).encode()).hexdigest()


def fingerprint(raw: Mapping[str, JSON]) -> str:
    """SHA-256 of what matters, independent of the order of keys and of fields that are not about the tool."""
    return _digest(_definition(raw))


def compare(pinned: Mapping[str, Pin], tools: Iterable[Mapping[str, JSON]]) -> PinChanges:
    """What a server offers now against what was approved, by the tools' own names."""
    offered = {pin.tool: pin for pin in map(Pin.of, tools)}
    known = {name: pin for name, pin in offered.items() if name in pinned}
    return PinChanges(
        new=tuple(pin for name, pin in offered.items() if name not in pinned),
        changed=tuple(
            Changed(pinned[name], pin)
            for name, pin in known.items()
            if pin.fingerprint != pinned[name].fingerprint
        ),
        gone=tuple(pin for name, pin in pinned.items() if name not in offered),
        same=tuple(pin for name, pin in known.items() if pin.fingerprint == pinned[name].fingerprint),
    )


def _definition(raw: Mapping[str, JSON]) -> Mapping[str, JSON]:
    return {field: raw[field] for field in _FIELDS if raw.get(field) is not None}


def _digest(definition: Mapping[str, JSON]) -> str:
    return sha256(_canonical(definition).encode()).hexdigest()


def _canonical(value: JSON) -> str:
    # ASCII only: a lone surrogate in a description must not make the tool impossible to pin.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
