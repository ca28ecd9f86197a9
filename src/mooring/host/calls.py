"""The only way to a tool: resolve, permit, call, announce, write down."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from shlex import quote

from mooring.core.audit import Call
from mooring.core.catalog import Entry
from mooring.core.events import Event, Outcome
from mooring.core.intake import tidy
from mooring.core.items import Tool
from mooring.core.nearest import meant
from mooring.core.questions import Caller
from mooring.core.spec import BadServer
from mooring.core.values import is_map
from mooring.errors import CallRefused, MooringError, ToolNotApproved, UnknownTool
from mooring.host.again import once_more
from mooring.host.fleet import Fleet
from mooring.host.link import Link
from mooring.host.permits import Permits
from mooring.host.running import Arguments, Running
from mooring.upstream.session import Asking, Result, Session
from mooring.upstream.wire import Progress

__all__ = ["Calls"]


class Calls:
    """`publish` hears when a call begins, how it goes, and how it ends; `keep` gets one record of each."""

    def __init__(
        self,
        fleet: Fleet,
        permits: Permits,
        publish: Callable[[Event], None],
        keep: Callable[[Call], None],
    ) -> None:
        self._fleet = fleet
        self._permits = permits
        self._publish = publish
        self._keep = keep
        self._numbers = count(1)

    async def call(
        self,
        caller: Caller,
        name: str,
        arguments: Arguments,
        progress: Progress | None,
        began: Callable[[str], None] | None = None,
    ) -> Result:
        identity = f"call-{next(self._numbers)}"
        running = Running(identity, caller, name, arguments, self._publish, self._keep)
        if began is not None:
            began(identity)
        outcome: Outcome = "failed"
        why: MooringError | None = None
        received = 0
        try:
            result = await self._called(running, progress)
            outcome, received = "tool_error" if result.is_error else "done", len(result.raw)
        except asyncio.CancelledError:
            outcome = "cancelled"
            raise
        except MooringError as error:
            outcome, why = "refused" if isinstance(error, CallRefused) else "failed", error
            raise
        finally:
            # Whoever is asked may fail in ways of their own.
            running.ended(outcome, why, received=received)
        return result

    async def _called(self, running: Running, progress: Progress | None) -> Result:
        caller, arguments = running.caller, running.arguments
        link, entry = await self.tool(running.tool)
        running.began(entry.server)
        spec = link.entry
        if isinstance(spec, BadServer):
            raise spec.errors[0]
        await self._permits.check(caller, entry, arguments, spec)
        asking = Asking(caller, running.heard_by(progress), caller.rounds, caller.meta)

        async def request(session: Session) -> Result:
            if entry.item.name in link.offer.unapproved.held:
                raise _not_approved(running.tool, link)
            return await session.call(entry.item.name, arguments, asking)

        return await once_more(link, request, is_safe=spec.trusted and _is_harmless_twice(entry.item))

    async def tool(self, name: str) -> tuple[Link, Entry[Tool]]:
        """Servers that may still turn out to have it are waited for, and no others."""
        entry = self._fleet.catalog.tool(name)
        if entry is None:
            owners = self._fleet.owners(name)
            failures = await asyncio.gather(*(self._known(link) for link in owners))
            entry = self._fleet.catalog.tool(name)
            if entry is None:
                for failure in failures:
                    if failure is not None:
                        raise failure
                entry = await self._released(name)
        return self._fleet.link(entry.server), entry

    async def _released(self, name: str) -> Entry[Tool]:
        """A tool that is kept back may have been approved meanwhile, by another process."""
        link = self._fleet.held(name)
        if link is None:
            raise self._unknown(name)
        await link.look_at_pins()
        entry = self._fleet.catalog.tool(name)
        if entry is None:
            raise _not_approved(name, link)
        return entry

    async def _known(self, link: Link) -> MooringError | None:
        try:
            await link.use()
        except MooringError as error:
            return error
        return None

    def _unknown(self, name: str) -> UnknownTool:
        hint = meant(name, (entry.name for entry in self._fleet.catalog.tools()), "mooring tools")
        return UnknownTool(f"There is no tool `{tidy(name, 100)}`", hint=hint)


def _is_harmless_twice(tool: Tool) -> bool:
    annotations = tool.raw.get("annotations")
    return tool.read_only or (is_map(annotations) and annotations.get("idempotentHint") is True)


def _not_approved(name: str, link: Link) -> ToolNotApproved:
    hint = f"mooring pins diff {quote(link.name)}"
    return ToolNotApproved(f"`{tidy(name, 100)}` is not what was approved", hint=hint)
