"""The status of every server in OpenCode's five words, encoded once for everybody who asks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import assert_never

from mooring.core.redact import clean, mask_shapes
from mooring.core.server_view import ServerView
from mooring.core.spec import BadServer
from mooring.core.status import (
    Connected,
    Connecting,
    Disabled,
    Failed,
    NeedsApproval,
    NeedsAuth,
    NeedsClientRegistration,
    Pending,
)
from mooring.host import Host

__all__ = ["Statuses", "in_five_words"]


def in_five_words(view: ServerView) -> dict[str, str]:
    """A server that waits for its first use is switched off as far as these words go."""
    match view.status:
        case Connected():
            return {"status": "connected"}
        case Disabled():
            return {"status": "disabled"}
        case Pending():
            return {"status": "disabled"}
        case Connecting():
            return {"status": "failed", "error": "still connecting"}
        case NeedsApproval():
            return {"status": "failed", "error": f"needs approval: {view.hint}"}
        case NeedsAuth():
            return {"status": "needs_auth"}
        case NeedsClientRegistration():
            return {"status": "needs_client_registration", "error": mask_shapes(view.reason)}
        case Failed():
            return {"status": "failed", "error": mask_shapes(view.reason)}
        case _:
            assert_never(view.status)


class Statuses:
    """What holds until something happens; the host says when."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._encoded: bytes | None = None
        self._is_settled = False

    @contextmanager
    def kept(self) -> Generator[Statuses]:
        """For as long as the host's events are heard."""

        def happened(_event: object) -> None:
            self._encoded = None
            self._is_settled = False

        with self._host.bus.hear(happened):
            yield self

    async def encoded(self) -> bytes:
        """Of all servers; those that are coming up are waited for, but no longer than they may take."""
        if self._encoded is None or not self._is_settled:
            await self.settled()
            self._encoded = json.dumps(self.all()).encode()
            self._is_settled = True
        return self._encoded

    async def settled(self) -> None:
        try:
            async with asyncio.timeout(self._patience()):
                await self._host.settled()
        except TimeoutError:
            # Those that are not there yet are called so.
            pass

    def all(self) -> Mapping[str, Mapping[str, str]]:
        return {clean(view.name): in_five_words(view) for view in self._host.servers()}

    def _patience(self) -> float:
        entries = self._host.config.servers.values()
        return max((e.timeouts.start for e in entries if not isinstance(e, BadServer)), default=0.0)
