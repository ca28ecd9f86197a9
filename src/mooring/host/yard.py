"""What all links of a host share: how a server is dialled, what is kept of it, who hears of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from mooring.auth.accounts import Accounts
from mooring.core.frozen import frozen
from mooring.core.pins import Unapproved
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.status import Status
from mooring.core.template import Expanded
from mooring.core.values import JSON
from mooring.errors import MooringError
from mooring.host.notices import Message
from mooring.host.pins import Pins
from mooring.host.remembered import Memory, Remembered
from mooring.system.journal import Journal
from mooring.upstream.order import Dial, Notice, Order
from mooring.upstream.session import Ourselves
from mooring.upstream.trace import Trace

__all__ = ["Hears", "Prepare", "Prepared", "Way", "Yard"]


@frozen
class Prepared:
    """A spec that may be started, its references filled in; `mark` names what exactly it starts."""

    expanded: Expanded
    mark: str


Prepare = Callable[[LocalSpec | RemoteSpec], Prepared]


class Hears(Protocol):
    """What a link tells its host; nothing here may block or raise."""

    def moved(self, server: str, before: Status, after: Status) -> None: ...

    def listed(self, server: str) -> None: ...

    def pinned(self, server: str, unapproved: Unapproved) -> None: ...

    def noticed(self, server: str, method: str, params: Mapping[str, JSON]) -> None: ...

    def logged(self, server: str, message: Message, cause: object) -> None: ...


@frozen
class Way:
    """`prepare` raises what stands in the way: an approval that is missing, a variable that is not set."""

    dial: Dial
    prepare: Prepare
    us: Callable[[str], Ourselves]
    accounts: Accounts
    remembered: Remembered
    journal: Callable[[str], Journal]

    def recall(self, spec: LocalSpec | RemoteSpec, *, forget: bool = False) -> Memory | None:
        """What is remembered of a server, where nothing stands in its way."""
        try:
            mark = self.prepare(spec).mark
        except MooringError:
            return None
        memory = self.remembered.get(mark)
        if forget:
            self.remembered.forget(mark)
        return memory

    def order(
        self,
        prepared: Prepared,
        protocol: str,
        *,
        journal: Journal,
        notice: Notice | None = None,
        trace: Trace | None = None,
    ) -> Order:
        """What a dial is given, whoever it is that wants the connection."""
        spec, secrets = prepared.expanded.spec, prepared.expanded.secrets
        return Order(
            spec,
            self.us(spec.name),
            protocol,
            secrets=secrets,
            notice=notice,
            trace=trace,
            journal=journal,
            credentials=self.accounts.credentials(spec) if isinstance(spec, RemoteSpec) else None,
        )


@frozen
class Yard(Way):
    """A way to servers, and who hears of what happens on it."""

    pins: Pins
    hears: Hears
