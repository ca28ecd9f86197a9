"""What a handler of the SDK is told of the message that it handles."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from mooring.core.frozen import frozen
from mooring.core.values import JSON, is_map

__all__ = ["Transport", "WireContext"]


class Outbound(Protocol):
    async def send_raw_request(
        self, method: str, params: Mapping[str, JSON] | None, opts: Mapping[str, Any] | None = None
    ) -> dict[str, JSON]: ...

    async def notify(
        self, method: str, params: Mapping[str, JSON] | None, opts: Mapping[str, Any] | None = None
    ) -> None: ...


@frozen
class Transport:
    """What can be said of the way a message came; the names are the SDK's."""

    kind: str = "stream"
    can_send_request: bool = True
    headers: Mapping[str, str] | None = None


@dataclass(slots=True)
class WireContext:
    """One for each message, because it carries the id of it; None for a notification."""

    outbound: Outbound
    request_id: int | str | None
    params: Mapping[str, JSON] = field(repr=False)
    transport: Transport = field(default_factory=Transport)
    can_send_request: bool = True
    message_metadata: None = None
    cancel_requested: asyncio.Event = field(default_factory=asyncio.Event)

    async def send_raw_request(
        self, method: str, params: Mapping[str, JSON] | None, opts: Mapping[str, Any] | None = None
    ) -> dict[str, JSON]:
        return await self.outbound.send_raw_request(method, params, opts)

    async def notify(
        self, method: str, params: Mapping[str, JSON] | None, opts: Mapping[str, Any] | None = None
    ) -> None:
        await self.outbound.notify(method, params, opts)

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Nothing happens where the server gave no token."""
        meta = self.params.get("_meta")
        token = meta.get("progressToken") if is_map(meta) else None
        if token is None:
            return
        said: dict[str, JSON] = {"progressToken": token, "progress": progress}
        said |= {} if total is None else {"total": total}
        said |= {} if message is None else {"message": message}
        await self.notify("notifications/progress", said)
