"""Finds tools for a request: by their words and, where that is wanted, by what they mean."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import islice
from threading import Event
from typing import TYPE_CHECKING

from mooring.core.catalog import Catalog, Entry
from mooring.core.chinese import in_english
from mooring.core.fusion import fused
from mooring.core.items import Tool
from mooring.core.search import Index
from mooring.core.words import words

if TYPE_CHECKING:
    from mooring.meaning.meanings import Meanings, Space

__all__ = ["Finder", "gist"]

_DEEP = 60
_LONGEST = 240


class Finder:
    """Of one catalogue. Until all meanings are known, which can take a minute, words do alone."""

    def __init__(self, catalog: Catalog, meanings: Meanings | None) -> None:
        self.catalog = catalog
        self._tools = catalog.tools()
        self._places = {entry.name: place for place, entry in enumerate(self._tools)}
        self._stop = Event()
        self._index = asyncio.ensure_future(asyncio.to_thread(Index.of_tools, catalog))
        self._space: asyncio.Future[Space | None] | None = None
        if meanings is not None:
            gists = [gist(entry) for entry in self._tools]
            self._space = asyncio.ensure_future(asyncio.to_thread(meanings.space, gists, self._stop))

    def close(self) -> None:
        self._stop.set()

    async def settled(self) -> None:
        """Until everything is known that ever will be."""
        await asyncio.shield(self._index)
        if self._space is not None:
            await asyncio.shield(self._space)

    async def find(self, query: str, limit: int, accept: Callable[[Entry[Tool]], bool]) -> list[Entry[Tool]]:
        index = await asyncio.shield(self._index)
        found = [self._places[hit.entry.name] for hit in index.find(query, _DEEP, accept=accept)]
        space = self._space
        if space is not None and space.done() and (known := space.result()) is not None:
            said = " ".join(in_english(query)) or query
            near = await asyncio.to_thread(known.nearest, said)
            shown = (place for place in near if accept(self._tools[place]))
            found = fused(found, list(islice(shown, _DEEP)))
        return [self._tools[place] for place in found[:limit]]


def gist(entry: Entry[Tool]) -> str:
    said = " ".join(entry.item.description[: 4 * _LONGEST].split())
    return f"{' '.join(words(entry.server))}: {' '.join(words(entry.item.name))}. {said[:_LONGEST]}"
