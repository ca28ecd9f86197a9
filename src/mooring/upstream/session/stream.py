"""A request that stays open for what a server wants to tell (`subscriptions/listen`)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from shlex import quote

from mooring.core.values import JSON, is_list, is_map
from mooring.errors import CallTimeout, MooringError, ServerError
from mooring.upstream.session.eras import META
from mooring.upstream.session.verbs import Session

__all__ = ["URIS", "Filter", "Stream"]

URIS = "resourceSubscriptions"
Filter = Mapping[str, JSON]


class Stream:
    """`ended` is done when the server has nothing more to say, or when the connection is gone."""

    def __init__(self, session: Session, identity: str, wanted: Filter) -> None:
        self._loop = asyncio.get_running_loop()
        self._session = session
        self._identity = identity
        self._since = self._loop.time()
        self._acknowledged: asyncio.Future[Filter] = self._loop.create_future()
        session.on_acknowledged = self._hear
        self.ended = asyncio.create_task(session.listen(identity, {"notifications": wanted}))

    @property
    def honoured(self) -> Filter:
        return self._acknowledged.result() if self._acknowledged.done() else {}

    @property
    def age(self) -> float:
        return self._loop.time() - self._since

    def tells_of(self, uri: str) -> bool:
        uris = self.honoured.get(URIS)
        return is_list(uris) and uri in uris

    async def opened(self, within: float) -> None:
        """Until the server has said what it will tell."""
        name = self._session.wire.name
        await asyncio.wait([self._acknowledged, self.ended], timeout=within, return_when="FIRST_COMPLETED")
        if self._acknowledged.done():
            return
        if self.ended.done():
            self.ended.result()
            raise ServerError(
                f"`{name}` ended `subscriptions/listen` at once", hint=f"mooring debug {quote(name)}"
            )
        raise CallTimeout(
            f"`{name}` did not answer `subscriptions/listen` within {within:g} s",
            hint=f"mooring test {quote(name)}",
        )

    def error(self) -> MooringError | None:
        """Why it ended, if it did not end as the server wanted."""
        if not self.ended.done() or self.ended.cancelled():
            return None
        why = self.ended.exception()
        return why if isinstance(why, MooringError) else None

    async def close(self) -> None:
        self.ended.cancel()
        await asyncio.wait([self.ended])
        self.error()

    def _hear(self, params: Mapping[str, JSON]) -> None:
        meta, honoured = params.get("_meta"), params.get("notifications")
        identity = meta.get(f"{META}subscriptionId") if is_map(meta) else None
        if identity in (None, self._identity) and not self._acknowledged.done():
            agreed = honoured if is_map(honoured) else {}
            self._acknowledged.set_result({key: value for key, value in agreed.items() if value})
