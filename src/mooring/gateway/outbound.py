"""Requests of ours to a client of the old era, and its answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from mooring.core.values import JSON
from mooring.errors import MooringError, ServerError
from mooring.gateway.messages import notice
from mooring.gateway.request import Say
from mooring.upstream.wire import decode, encode
from mooring.upstream.wire.envelope import Envelope, key_of, open_error

__all__ = ["Outbound"]

PATIENCE = 600.0


class Outbound:
    """Ids are counted for each client; what it does not answer within ten minutes is withdrawn."""

    def __init__(self) -> None:
        self._count = 0
        self._waiting: dict[int | str, asyncio.Future[JSON]] = {}

    async def request(self, say: Say, method: str, params: Mapping[str, JSON]) -> JSON:
        self._count += 1
        identity = self._count
        message = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
        waiting = self._waiting[identity] = asyncio.get_running_loop().create_future()
        try:
            say(encode(message))
            async with asyncio.timeout(PATIENCE):
                return await waiting
        except TimeoutError as error:
            raise ServerError(f"the client did not answer `{method}`") from error
        finally:
            del self._waiting[identity]
            if not waiting.done() or waiting.cancelled():
                withdrawn = {"requestId": identity, "reason": "nobody waits for the answer any more"}
                say(notice("notifications/cancelled", withdrawn))

    def answered(self, envelope: Envelope) -> None:
        """An answer of the client; one that nobody waits for is of no consequence."""
        try:
            key = key_of(envelope.id)
            waiting = None if key is None else self._waiting.get(key)
            if waiting is None or waiting.done():
                return
            if envelope.error:
                said = open_error(envelope.error)
                waiting.set_exception(ServerError(said.message or "the client refused", number=said.code))
            else:
                waiting.set_result(decode(envelope.result))
        except MooringError:
            return
