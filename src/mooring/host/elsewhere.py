"""Logins that other processes make and end: noticed while we run, and acted upon as if they were ours."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from mooring.auth.accounts import Accounts
from mooring.auth.vault import Vault
from mooring.core.spec import RemoteSpec
from mooring.core.status import Connected, Connecting, Failed, NeedsAuth, NeedsClientRegistration
from mooring.errors import MooringError
from mooring.host.fleet import Fleet
from mooring.host.link import Link
from mooring.host.logins import Logins

__all__ = ["Elsewhere"]

EVERY = 1.0
# Clocks of file systems tick, and two changes within one tick look like one.
TICK = 2.0
TRIED = (Connected, Failed, NeedsAuth, NeedsClientRegistration)


class Elsewhere:
    """Of what is in the way the servers' states tell; a login of this process is for `logins` to end."""

    def __init__(
        self,
        fleet: Fleet,
        vault: Vault,
        accounts: Accounts,
        filled_in: Callable[[RemoteSpec], RemoteSpec],
        logins: Logins,
    ) -> None:
        self._fleet = fleet
        self._vault = vault
        self._accounts = accounts
        self._filled_in = filled_in
        self._logins = logins
        self._seen = vault.changed_at()

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            changed_at = self._vault.changed_at()
            if changed_at == self._seen:
                continue
            is_done = self._look()
            if is_done and not 0 <= time.time() - changed_at < TICK:
                self._seen = changed_at

    def _look(self) -> bool:
        """Whether nobody has to be looked at again: who is just connecting may do so with an old login."""
        is_done = True
        for link in list(self._fleet.links.values()):
            if not isinstance(link.entry, RemoteSpec) or link.entry.oauth is None:
                continue
            if isinstance(link.status, Connecting) or link.name in self._logins.under_way:
                is_done = False
            elif isinstance(link.status, TRIED) and self._is_news(link, link.entry):
                link.invite()
        return is_done

    def _is_news(self, link: Link, entry: RemoteSpec) -> bool:
        try:
            spec = self._filled_in(entry)
        except MooringError:
            return False
        try:
            return self._accounts.is_news(spec, is_connected=isinstance(link.status, Connected))
        except MooringError as error:
            self._logins.lose(error)
            return False
