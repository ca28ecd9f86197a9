"""What one server offers now: what it listed, and how that differs from what was approved."""

from __future__ import annotations

from collections.abc import Sequence

from mooring.core.items import Kind
from mooring.core.listing import Listing
from mooring.core.pins import Unapproved
from mooring.core.spec import BadServer, Entry, LocalSpec, RemoteSpec, ToolFilter
from mooring.core.values import JSON
from mooring.host.lists import Lists
from mooring.host.remembered import Memory
from mooring.host.yard import Yard
from mooring.upstream.session import Session

__all__ = ["Offer"]


class Offer:
    """Its owner says when it changes; whatever it shows is announced."""

    def __init__(self, server: str, yard: Yard) -> None:
        self.listing: Listing | None = None
        self.unapproved = Unapproved()
        self._server = server
        self._yard = yard
        self._lists: Lists | None = None

    @property
    def tools(self) -> Sequence[JSON]:
        """As the server sent them, also those that are kept back."""
        return self._lists.items.get(Kind.TOOL, ()) if self._lists is not None else ()

    def recall(self, spec: LocalSpec | RemoteSpec) -> bool:
        """Whether it is known from an earlier run what the server offers."""
        memory = self._yard.remembered.get(self._yard.prepare(spec).mark)
        lists = memory.as_lists() if memory is not None else Lists()
        if Kind.TOOL not in lists.items:
            return False
        self._lists = lists
        self.listing = lists.listing(self._server, spec.tools)
        return True

    def keep(self, mark: str, session: Session, lists: Lists, before: Memory | None) -> None:
        """For the runs to come."""
        if self.unapproved.tools:
            # What somebody may still refuse is not shown before the server is asked again.
            self._yard.remembered.forget(mark)
            return
        agreed = session.agreed
        protocol = agreed.protocol if agreed.is_modern else "legacy"
        memory = Memory.of(protocol, agreed.version, lists)
        if memory != before:
            self._yard.remembered.keep(mark, memory)

    async def compare(self, entry: Entry, lists: Lists | None = None) -> None:
        """With what was approved; without `lists`, what is shown is looked at again."""
        lists = self._lists if lists is None else lists
        if isinstance(entry, BadServer) or lists is None:
            return
        before = self.unapproved
        self.unapproved = await self._yard.pins.look(entry, lists.items.get(Kind.TOOL, ()))
        if self.unapproved != before:
            self._yard.hears.pinned(self._server, self.unapproved)

    def show(self, entry: Entry, lists: Lists | None = None) -> None:
        """As far as the configuration lets it in; without `lists`, what there is by other rules."""
        self._lists = self._lists if lists is None else lists
        if self._lists is None:
            return
        only = ToolFilter() if isinstance(entry, BadServer) else entry.tools
        self.listing = self._lists.listing(self._server, only, self.unapproved.held)

    def withdraw(self) -> None:
        self._lists = self.listing = None
