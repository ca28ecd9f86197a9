"""What a dial is given: the server, what it may know of the world, and who hears what the server says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import field, replace
from typing import Literal, TypeAlias

from mooring.core.frozen import frozen
from mooring.core.redact import with_bare
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.values import JSON
from mooring.system.journal import Journal
from mooring.upstream.credentials import Credentials
from mooring.upstream.session import Ourselves, Session
from mooring.upstream.trace import Frame, Learned, Took, Trace

__all__ = ["Dial", "Notice", "Order"]

Notice: TypeAlias = Callable[[str, Mapping[str, JSON], object], None]


@frozen
class Order:
    """One connection that is wanted; every reference in `spec` is filled in.

    `protocol` is the setting, or what is remembered of the last time. `trace` hears everything. `journal` is
    for what the server says beside the protocol. `credentials` are for servers at an address.
    """

    spec: LocalSpec | RemoteSpec
    us: Ourselves = field(default_factory=Ourselves)
    protocol: str = "auto"
    secrets: tuple[str, ...] = field(default=(), repr=False)
    notice: Notice | None = None
    trace: Trace | None = field(default=None, repr=False)
    journal: Journal | None = None
    credentials: Credentials | None = None

    def knowing(self, secrets: Iterable[str]) -> Order:
        """The same order, with more that must not be shown."""
        more = with_bare(secrets)
        if self.trace is not None:
            self.trace(Learned(more))
        return replace(self, secrets=(*self.secrets, *more))

    def took(self, step: str) -> None:
        if self.trace is not None:
            self.trace(Took(step))

    @property
    def frames(self) -> Callable[[Literal["out", "in"], bytes], None] | None:
        """What a wire tells of its messages, where somebody listens."""
        trace = self.trace
        return None if trace is None else lambda way, message: trace(Frame(way, bytes(message)))


Dial: TypeAlias = Callable[[Order], AbstractAsyncContextManager[Session]]
