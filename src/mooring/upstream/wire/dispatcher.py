"""A wire in the shape that sessions of the SDK can stand on (`mcp.shared.dispatcher.Dispatcher`)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from math import inf
from typing import Any

from mooring.core.values import JSON, is_map
from mooring.errors import BadMessage, CallTimeout, MooringError, ServerError, ServerFailure
from mooring.upstream.wire.context import WireContext
from mooring.upstream.wire.engine import Wire
from mooring.upstream.wire.envelope import decode
from mooring.upstream.wire.serving import Inbound, refuse
from mooring.upstream.wire.slot import Progress, Terms

__all__ = ["WireDispatcher"]

CONNECTION_CLOSED, REQUEST_TIMEOUT, INTERNAL = -32000, -32001, -32603
VERSION = "io.modelcontextprotocol/protocolVersion"

OnRequest = Callable[[Any, str, Mapping[str, JSON] | None], Awaitable[dict[str, JSON]]]
OnNotify = Callable[[Any, str, Mapping[str, JSON] | None], Awaitable[None]]
OnNotifyIntercept = Callable[[str, Mapping[str, JSON] | None], bool]


class WireDispatcher:
    """What goes wrong leaves as an `error`, the SDK's `MCPError`; progress pushes times back up to `ceiling`.

    The SDK's lifecycle of dispatchers is provisional, so nothing but this class knows it.
    """

    def __init__(
        self, wire: Wire, error: Callable[[int, str, JSON], Exception], ceiling: float = inf
    ) -> None:
        self._wire = wire
        self._error = error
        self._ceiling = ceiling
        self._tasks: set[asyncio.Future[None]] = set()

    async def send_raw_request(
        self, method: str, params: Mapping[str, JSON] | None, opts: Mapping[str, Any] | None = None
    ) -> dict[str, JSON]:
        wanted = opts or {}
        headers: Mapping[str, str] = wanted.get("headers") or {}
        hear = wanted.get("on_progress")
        terms = Terms(
            quiet=wanted.get("timeout", inf),
            ceiling=max(self._ceiling, wanted.get("timeout", 0)),
            progress=None if hear is None else self._reported(hear),
            cancellable=wanted.get("cancel_on_abandon", True),
            identity=wanted.get("request_id"),
            headers=tuple(headers.items()),
        )
        try:
            result = decode(await self._wire.request(method, params, terms))
            if not is_map(result):
                raise BadMessage(f"`{self._wire.name}` answered `{method}` with no map")
        except MooringError as error:
            raise self._translated(error) from error
        if is_map(params) and VERSION in (params.get("_meta") or {}):
            # Servers leave it out although the protocol wants it; then the result is complete.
            result.setdefault("resultType", "complete")
        return result

    async def notify(
        self,
        method: str,
        params: Mapping[str, JSON] | None,
        opts: Mapping[str, Any] | None = None,  # noqa: ARG002 - the SDK's signature
    ) -> None:
        try:
            await self._wire.notify(method, params)
        except MooringError as error:
            raise self._translated(error) from error

    async def run(
        self,
        on_request: OnRequest,
        on_notify: OnNotify,
        on_notify_intercept: OnNotifyIntercept | None = None,
        *,
        task_status: Any = None,
    ) -> None:
        """Until the connection ends; `on_notify_intercept` hears in the order of the wire."""

        async def answer(inbound: Inbound) -> Mapping[str, JSON]:
            context = WireContext(self, decode(inbound.identity), inbound.params)
            try:
                return await on_request(context, inbound.method, inbound.params)
            except asyncio.CancelledError:
                context.cancel_requested.set()
                raise
            finally:
                context.can_send_request = False

        def hear(method: str, params: Mapping[str, JSON], _cause: object) -> None:
            consumed = False
            try:
                consumed = on_notify_intercept is not None and on_notify_intercept(method, params)
            finally:
                if not consumed:
                    self._spawn(on_notify(WireContext(self, None, params), method, params))

        self._wire.on_request, self._wire.on_notice = self._answering(answer), hear
        if task_status is not None:
            task_status.started()
        try:
            await asyncio.wait([self._wire.ended])
        finally:
            self._wire.on_request, self._wire.on_notice = refuse, lambda _method, _params, _cause: None
            for task in list(self._tasks):
                task.cancel()

    def _answering(
        self, answer: Callable[[Inbound], Awaitable[Mapping[str, JSON]]]
    ) -> Callable[[Inbound], Awaitable[Mapping[str, JSON]]]:
        """What the SDK raises to a server's request goes to the server as it is."""

        async def translated(inbound: Inbound) -> Mapping[str, JSON]:
            try:
                return await answer(inbound)
            except self._kinds as error:
                number, data = getattr(error, "code", INTERNAL), getattr(error, "data", None)
                raise ServerError(str(error), number=number, data=data) from error

        return translated

    @property
    def _kinds(self) -> tuple[type[Exception], ...]:
        return (self._error,) if isinstance(self._error, type) else ()

    def _reported(self, hear: Callable[..., Coroutine[Any, Any, None]]) -> Progress:
        return lambda done, total, words: self._spawn(hear(done, total, words or None))

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _translated(self, error: MooringError) -> Exception:
        match error:
            case ServerError():
                words = error.sentence.removeprefix(f"`{self._wire.name}` answered: ")
                return self._error(error.number, words, error.data)
            case CallTimeout():
                number = REQUEST_TIMEOUT
            case BadMessage():
                number = INTERNAL
            case ServerFailure():
                number = CONNECTION_CLOSED
            case _:
                number = INTERNAL
        return self._error(number, error.sentence, {"code": error.code, "hint": error.hint})
