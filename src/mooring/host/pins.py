"""What each server's tools are held against: what they were when they were approved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from mooring.core.pins import Mode, Pin, PinChanges, Unapproved, compare, mark_of
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.values import JSON, is_map
from mooring.errors import MooringError
from mooring.store import Store

__all__ = ["Pins"]


class Pins:
    """By `mooring.pins` nothing is done, or a difference is said, or the tools concerned are kept back."""

    def __init__(self, store: Store, settings: Mapping[str, JSON]) -> None:
        self._store = store
        self.mode: Mode = _mode(settings)

    def change(self, settings: Mapping[str, JSON]) -> bool:
        """Whether everything has to be looked at again."""
        before, self.mode = self.mode, _mode(settings)
        return before != self.mode

    async def look(self, spec: LocalSpec | RemoteSpec, tools: Sequence[JSON]) -> Unapproved:
        """The tools of a server that is seen for the first time are approved by that."""
        if self.mode == "off":
            return Unapproved()
        is_blocking = self.mode == "block"
        try:
            found = await self._store.look(spec.name, mark_of(spec), tools)
        except MooringError as error:
            self._store.trouble(error)
            # What cannot be compared is approved by nobody.
            found = compare({}, filter(is_map, tools)) if is_blocking else PinChanges()
        changed = tuple(each.new.tool for each in found.changed if spec.tools.lets_in(each.new.tool))
        new = tuple(pin.tool for pin in found.new if spec.tools.lets_in(pin.tool))
        return Unapproved(changed, new, is_blocking and bool(changed or new))

    async def compare(self, spec: LocalSpec | RemoteSpec, tools: Sequence[JSON]) -> PinChanges:
        """All of it, tool by tool."""
        return compare(await self._store.pins(mark_of(spec)), filter(is_map, tools))

    async def approve(
        self, spec: LocalSpec | RemoteSpec, approved: Sequence[Pin], gone: Sequence[str] = ()
    ) -> None:
        await self._store.pin(spec.name, mark_of(spec), approved, gone)


def _mode(settings: Mapping[str, JSON]) -> Mode:
    """A word that is none of the three was read as `block` long before."""
    ours = settings.get("mooring")
    word = ours.get("pins", "warn") if is_map(ours) else "warn"
    return word if word in get_args(Mode) else "block"
