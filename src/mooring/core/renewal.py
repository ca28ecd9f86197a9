"""A server met anew: what was remembered of it, and what is different now."""

from __future__ import annotations

from mooring.core.changes import Changes
from mooring.core.frozen import frozen
from mooring.core.server_view import ServerView
from mooring.core.status import Connected

__all__ = ["Known", "Renewal"]

_OLD_ERA, _NEW_ERA = "legacy", "2026"


@frozen
class Known:
    """What is remembered of a server; `protocol` is `legacy`, `auto`, or a version of the new era."""

    protocol: str
    server_version: str
    tools: int
    resources: int
    templates: int
    prompts: int


@frozen
class Renewal:
    """`known` is None where nothing was; of a server that does not work nothing is said to be changed."""

    view: ServerView
    known: Known | None
    changes: Changes

    @property
    def version(self) -> tuple[str, str] | None:
        """From which version of the server to which, where that is different."""
        status = self.view.status
        if self.known is None or not isinstance(status, Connected):
            return None
        pair = self.known.server_version, status.server_version
        return pair if pair[0] != pair[1] else None

    @property
    def protocol(self) -> tuple[str, str] | None:
        """From which era to which; which version of the old one it was is not remembered."""
        if self.known is None or self.known.protocol == "auto" or not self.view.protocol:
            return None
        now = self.view.protocol if self.view.protocol > _NEW_ERA else _OLD_ERA
        return (self.known.protocol, self.view.protocol) if self.known.protocol != now else None

    @property
    def is_different(self) -> bool:
        return bool(self.changes or self.version or self.protocol)
