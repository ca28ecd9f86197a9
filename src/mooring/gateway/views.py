"""Views of what a host offers, kept until something in it changes."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from mooring.core.redact import mask_shapes
from mooring.core.status import Connected, Disabled
from mooring.gateway.finder import Finder
from mooring.gateway.view import Scope, View
from mooring.host import Host

if TYPE_CHECKING:
    from mooring.meaning.meanings import Meanings

__all__ = ["Views"]

GREET_WITHIN = 2.0
LIST_WITHIN = 8.0


class Views:
    """Clients that come while servers are still starting wait a little, so that their first list is whole."""

    def __init__(self, host: Host, meanings: Meanings | None = None) -> None:
        self.host = host
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._is_settled = False
        self._of: dict[Scope, View] = {}
        self._config = host.config
        self._meanings = meanings
        self._finder: Finder | None = None

    def of(self, scope: Scope) -> View:
        catalog = self.host.catalog
        if self._config is not self.host.config:
            # Other rules may show other tools.
            self._config = self.host.config
            self._of.clear()
        view = self._of.get(scope)
        if view is None or view.catalog is not catalog:
            view = self._of[scope] = View(catalog, scope, partial(self.host.shows, scope.agent))
        return view

    def finder(self) -> Finder:
        """One for all views of a catalogue; it gets ready beside the loop."""
        catalog = self.host.catalog
        if self._finder is None or self._finder.catalog is not catalog:
            self.close()
            self._finder = Finder(catalog, self._meanings)
        return self._finder

    def close(self) -> None:
        if self._finder is not None:
            self._finder.close()

    def is_ready(self, within: float) -> bool:
        """Whether nobody has to wait: everything is known, or has had its time."""
        return self._is_settled or self._loop.time() > self._began + within

    async def ready(self, scope: Scope, within: float) -> None:
        try:
            async with asyncio.timeout_at(self._began + within):
                await self.host.settled(None if scope.server is None else (scope.server,))
        except TimeoutError:
            return
        self._is_settled = self._is_settled or scope.server is None

    def missing(self, scope: Scope) -> dict[str, str]:
        """Servers that a view should have and has not, each with the reason."""
        offers = self.host.catalog.offers
        return {
            view.name: mask_shapes(view.reason) or view.word
            for view in self.host.servers()
            if scope.server in (None, view.name)
            and view.name not in offers
            and not isinstance(view.status, Connected | Disabled)
        }
