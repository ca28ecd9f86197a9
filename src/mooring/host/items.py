"""Resources, prompts and completions: which server has one, and the request to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from shlex import quote

from mooring.core.catalog import Entry
from mooring.core.intake import tidy
from mooring.core.items import Prompt
from mooring.core.nearest import meant
from mooring.core.questions import Caller
from mooring.core.redact import mask_url
from mooring.core.uri_template import could_be
from mooring.core.values import JSON
from mooring.errors import MooringError, UnknownItem
from mooring.host.again import once_more
from mooring.host.fleet import Fleet
from mooring.host.link import Link
from mooring.upstream.session import Asking, Result, Session
from mooring.upstream.wire import Progress

__all__ = ["Items"]


class Items:
    """None of these has an effect by the protocol, so each may be asked for twice."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet

    async def read(self, caller: Caller, uri: str, server: str | None, progress: Progress | None) -> Result:
        """`uri` alone, where one server has it; or `server:uri`, as lists show it."""
        link, address = await self._resource(uri, server)

        async def request(session: Session) -> Result:
            return await session.read(address, Asking(caller, progress, caller.rounds, caller.meta))

        return await once_more(link, request, is_safe=True)

    async def prompt(
        self, caller: Caller, name: str, arguments: Mapping[str, str], progress: Progress | None
    ) -> Result:
        link, entry = await self.find_prompt(name)

        async def request(session: Session) -> Result:
            asking = Asking(caller, progress, caller.rounds, caller.meta)
            return await session.prompt(entry.item.name, arguments, asking)

        return await once_more(link, request, is_safe=True)

    async def complete(
        self,
        server: str,
        reference: Mapping[str, JSON],
        argument: Mapping[str, str],
        given: Mapping[str, str],
    ) -> Result:
        link = self._fleet.link(server)

        async def request(session: Session) -> Result:
            return await session.complete(reference, argument, given)

        return await once_more(link, request, is_safe=True)

    async def find_prompt(self, name: str) -> tuple[Link, Entry[Prompt]]:
        await self._until(lambda: self._fleet.catalog.prompt(name) is not None)
        entry = self._fleet.catalog.prompt(name)
        if entry is None:
            known = (entry.name for entry in self._fleet.catalog.prompts())
            raise _unknown("prompt", name, known, "mooring prompts")
        return self._fleet.link(entry.server), entry

    async def _resource(self, uri: str, server: str | None) -> tuple[Link, str]:
        if server is not None:
            return self._fleet.link(server), uri
        await self._until(lambda: bool(self._places(uri)))
        places = self._places(uri)
        if not places:
            await self._fleet.settled()
            places = self._fitting(uri)
        if not places:
            known = (entry.item.uri for entry in self._fleet.catalog.resources())
            raise _unknown("resource", uri, known, "mooring resources")
        if len(places) > 1:
            names = ", ".join(f"`{name}`" for name, _ in places)
            raise UnknownItem(
                f"`{tidy(uri, 100)}` is offered by {names}",
                hint=f"mooring read {quote(f'{places[0][0]}:{tidy(uri, 100)}')}",
            )
        (name, address) = places[0]
        return self._fleet.link(name), address

    def _places(self, uri: str) -> list[tuple[str, str]]:
        """Servers that list exactly this; a known server's name in front decides by itself."""
        exact = [(entry.server, uri) for entry in self._fleet.catalog.resources() if entry.item.uri == uri]
        if exact:
            return exact
        name, colon, rest = uri.partition(":")
        return [(name, rest)] if colon and ":" in rest and name in self._fleet.links else []

    def _fitting(self, uri: str) -> list[tuple[str, str]]:
        """Servers with a template that this address could have been made from."""
        found = [
            entry.server
            for entry in self._fleet.catalog.templates()
            if could_be(entry.item.uri_template, uri)
        ]
        return [(name, uri) for name in dict.fromkeys(found)]

    async def _until(self, found: Callable[[], bool]) -> None:
        """As servers come up; nobody is waited for who is not needed."""
        waiting = {asyncio.ensure_future(link.settled()) for link in self._fleet.links.values()}
        try:
            while waiting and not found():
                _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()


def _unknown(what: str, name: str, known: Iterable[str], hint: str) -> MooringError:
    asked = tidy(mask_url(name) if "://" in name else name, 100)
    return UnknownItem(f"There is no {what} `{asked}`", hint=meant(name, known, hint))
