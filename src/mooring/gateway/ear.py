"""One listener's share of what happens at the servers: what it wants to hear of, and said but once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from mooring.core.catalog import Catalog
from mooring.core.items import Kind
from mooring.gateway.view import Scope

__all__ = ["CHANGED", "Ear", "Tell"]

CHANGED: Mapping[Kind, str] = {
    Kind.TOOL: "notifications/tools/list_changed",
    Kind.RESOURCE: "notifications/resources/list_changed",
    Kind.PROMPT: "notifications/prompts/list_changed",
}
UPDATED = "notifications/resources/updated"
Tell: TypeAlias = Callable[[str, Mapping[str, object]], None]


class Ear:
    """`kinds` are the lists that matter, `seen` of which catalogue each was when the client last had it.

    `follows` says under which addresses it knows what it follows.
    """

    def __init__(self, scope: Scope, kinds: Iterable[Kind], tell: Tell, seen: Mapping[Kind, Catalog]) -> None:
        self.scope = scope
        self.seen = seen
        self.follows: dict[tuple[str, str], str] = {}
        self._kinds = frozenset(kinds)
        self._tell = tell
        self._due: dict[tuple[str, str], Mapping[str, object]] = {}
        self._loop = asyncio.get_running_loop()

    def concerns(self, server: str) -> bool:
        return self.scope.server in (None, server)

    def changed(self, kinds: Iterable[Kind], now: Catalog | None = None) -> None:
        """Whoever has listed what is there `now` need not list it again."""
        for kind in kinds:
            if kind in self._kinds and (now is None or self.seen.get(kind) is not now):
                self._soon(CHANGED[kind], "")

    def updated(self, server: str, uri: str) -> None:
        known = self.follows.get((server, uri))
        if known is not None:
            self._soon(UPDATED, known)

    def _soon(self, method: str, uri: str) -> None:
        """Several servers may change in one moment: that is one change to whoever lists them all."""
        if not self._due:
            self._loop.call_soon(self._flush)
        self._due[method, uri] = {"uri": uri} if uri else {}

    def _flush(self) -> None:
        due, self._due = self._due, {}
        for (method, _), params in due.items():
            self._tell(method, params)
