"""What a dial is given: the server, what it may know of the world, and who hears what the server says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import field, replace
from typing import TypeAlias

from mooring.core.frozen import frozen
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.values import JSON
from mooring.system.journal import Journal
from mooring.upstream.credentials import Credentials
from mooring.upstream.session import Ourselves, Session

__all__ = ["Dial", "Notice", "Order", "Trace"]

Notice: TypeAlias = Callable[[str, Mapping[str, JSON]], None]
Trace: TypeAlias = Callable[[str, bytes], None]


@frozen
class Order:
    """One connection that is wanted; every reference in `spec` is filled in.

    `protocol` is the setting, or what is remembered of the last time. `step` hears each step that was taken.
    `journal` is for what it says beside the protocol. `credentials` are for servers at an address.
    """

    spec: LocalSpec | RemoteSpec
    us: Ourselves = field(default_factory=Ourselves)
    protocol: str = "auto"
    secrets: tuple[str, ...] = field(default=(), repr=False)
    notice: Notice | None = None
    trace: Trace | None = None
    step: Callable[[str], None] | None = None
    journal: Journal | None = None
    credentials: Credentials | None = None

    def knowing(self, secrets: Iterable[str]) -> Order:
        """The same order, with more that must not be shown."""
        return replace(self, secrets=(*self.secrets, *secrets))

    def took(self, step: str) -> None:
        if self.step is not None:
            self.step(step)


Dial: TypeAlias = Callable[[Order], AbstractAsyncContextManager[Session]]
