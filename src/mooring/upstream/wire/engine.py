"""Who asked gets the answer: ids, deadlines, progress, cancellation and the end of a connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from math import inf
from shlex import quote
from typing import Literal, Protocol, TypeAlias

from msgspec import Raw

from mooring.core.redact import clean
from mooring.core.values import JSON, finite, is_map
from mooring.errors import (
    BadArguments,
    BadMessage,
    CallTimeout,
    ConnectionLost,
    MooringError,
    ServerError,
    TooBusy,
)
from mooring.upstream.wire.envelope import (
    Envelope,
    batch_of,
    encode,
    key_in,
    key_in_value,
    key_of,
    open_envelope,
    open_error,
    params_of,
)
from mooring.upstream.wire.serving import Inbound, OnRequest, Serving
from mooring.upstream.wire.slot import Slot, Terms

__all__ = ["Carrier", "OnNotice", "Wire"]

MOST_PENDING = 8192
# Nobody sends lists of messages to who sends none; a large one would be opened while all others wait.
LARGEST_BATCH = 1024 * 1024
MOST_IN_BATCH = 1000
PLAIN = Terms()
Way: TypeAlias = Literal["out", "in"]
OnNotice: TypeAlias = Callable[[str, Mapping[str, JSON], object], None]


class Carrier(Protocol):
    """What takes messages to the server; answers come back through `Wire.receive`."""

    async def carry(self, message: bytes, slot: Slot | None) -> None:
        """Return when the message is written, or when its exchange is under way."""
        ...

    def abandon(self, slot: Slot, notice: bytes) -> None:
        """Nobody waits for this slot any more; `notice` tells the server so."""
        ...


class Wire:
    """One connection; `name` is the server's, for sentences. It belongs to the event loop's thread."""

    def __init__(self, name: str, trace: Callable[[Way, bytes], None] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self.name = name
        self.carrier: Carrier | None = None
        self.is_http = False
        self.transport = ""
        self.protocol = ""
        self.on_notice: OnNotice = lambda _method, _params, _cause: None
        self.noise = 0
        self.heard = 0
        self.late = 0
        self.ended: asyncio.Future[MooringError] = self._loop.create_future()
        self._trace = trace
        self._counter = 0
        self._pending: dict[int | str, Slot] = {}
        self._serving = Serving(self._send)

    # --- out

    async def request(self, method: str, params: Mapping[str, object] | None, terms: Terms = PLAIN) -> Raw:
        """The result as the bytes that arrived; whatever else happens is an error of ours."""
        slot = self.open(method, terms)
        return await self.exchange(slot, method, params)

    def open(self, method: str, terms: Terms = PLAIN) -> Slot:
        """A place for an answer, before anything is sent; `exchange` closes it."""
        if self.ended.done():
            why = self._why()
            why.nothing_was_sent = True
            raise why
        if len(self._pending) >= MOST_PENDING:
            raise TooBusy(
                f"`{self.name}` has {MOST_PENDING} calls waiting", hint="Wait for some of them to end"
            )
        if terms.identity is None:
            self._counter += 1
            key: int | str = self._counter
        else:
            own = key_in_value(terms.identity)
            key = terms.identity if own is None else own
            if key in self._pending:
                raise ValueError(f"request id {key!r} is in use")
        slot = self._pending[key] = Slot(self._loop, key, method, terms)
        return slot

    async def exchange(self, slot: Slot, method: str, params: Mapping[str, object] | None) -> Raw:
        identity = slot.key if slot.terms.identity is None else slot.terms.identity
        message: dict[str, object] = {"jsonrpc": "2.0", "id": identity, "method": method}
        if slot.terms.progress is not None:
            params = _with_token(params or {}, identity)
        if params is not None:
            message["params"] = params
        try:
            data = self._written(message)
            try:
                await self._carry(data, slot)
            except MooringError as error:
                slot.fail(error)
            return await slot.future
        except MooringError as error:
            error.nothing_was_sent = not slot.written
            raise
        finally:
            self._pending.pop(slot.key, None)
            if not slot.is_answered:
                self._abandon(slot)
            slot.close()

    async def notify(self, method: str, params: Mapping[str, object] | None = None) -> None:
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        await self._carry(self._written(message), None)

    async def _send(self, message: Mapping[str, object]) -> None:
        """An answer of ours; a connection that cannot take it has worse troubles, and ends by them."""
        try:
            await self._carry(self._written(message), None)
        except MooringError:
            self.noise += 1

    async def _carry(self, data: bytes, slot: Slot | None) -> None:
        if self.ended.done():
            raise self._why()
        if self.carrier is None:
            raise ConnectionLost(f"`{self.name}` has no connection", hint=f"mooring test {quote(self.name)}")
        await self.carrier.carry(data, slot)

    def _why(self) -> MooringError:
        return _again(self.ended.result())

    def _written(self, message: Mapping[str, object]) -> bytes:
        try:
            data = encode(message)
        except (TypeError, ValueError, RecursionError) as error:
            raise BadArguments(
                f"what is said to `{self.name}` cannot be written as JSON", hint="Texts, numbers, lists, maps"
            ) from error
        if self._trace is not None:
            self._trace("out", data)
        return data

    def _abandon(self, slot: Slot) -> None:
        """The caller has gone, or its time is up; a server that has answered is not told."""
        if slot.future.done() and not slot.future.cancelled():
            if not isinstance(slot.future.exception(), CallTimeout):
                return
            self.late += 1
        if slot.terms.cancellable and slot.written and self.carrier is not None and not self.ended.done():
            identity = slot.key if slot.terms.identity is None else slot.terms.identity
            notice = {
                "jsonrpc": "2.0",
                "method": "notifications/cancelled",
                "params": {"requestId": identity, "reason": "nobody waits for the result any more"},
            }
            self.carrier.abandon(slot, self._written(notice))
        slot.give_up()

    # --- in

    def receive(self, message: bytes, came_with: Slot | None = None) -> None:
        """One whole message; `came_with` is the request in whose exchange it arrived, where there is one."""
        if self.ended.done():
            return
        if self._trace is not None:
            self._trace("in", message)
        try:
            envelope = open_envelope(message)
        except BadMessage:
            self._noise(message, came_with)
            return
        # The method first: a server counts its own requests, and its ids may be equal to ours.
        if envelope.method:
            self._inbound(envelope, came_with)
        elif envelope.result or envelope.error:
            self.heard += 1
            self._answer(envelope, came_with)
        else:
            self.noise += 1

    def _noise(self, message: bytes, came_with: Slot | None) -> None:
        """Text among the messages, or a batch, which the protocol allowed for a while."""
        if len(message) <= LARGEST_BATCH and message.lstrip()[:1] == b"[":
            objects = [part for part in batch_of(message) if part[:1] == b"{"][:MOST_IN_BATCH]
            for part in objects:
                self.receive(part, came_with)
            if objects:
                return
        self.noise += 1
        error = BadMessage("the answer cannot be understood", hint="Tell the author of the server")
        self.lose(message[:256], error)
        self.lose(message[-256:], error)

    def lose(self, part: bytes, error: MooringError) -> None:
        """A message that is of no use fails the request that it seems to answer."""
        key = key_in(part)
        if key in self._pending:
            self._pending[key].fail(error)

    @property
    def on_request(self) -> OnRequest:
        return self._serving.on_request

    @on_request.setter
    def on_request(self, answer: OnRequest) -> None:
        self._serving.on_request = answer

    def _answer(self, envelope: Envelope, came_with: Slot | None) -> None:
        try:
            key = key_of(envelope.id) if envelope.id else None
        except BadMessage:
            key = None
        slot = self._pending.get(key) if key is not None else None
        if slot is None:
            if came_with is None or key is not None:
                # Late, doubled, or never asked for: nobody waits for it.
                self.noise += 1
                return
            slot = came_with
        if envelope.error and not envelope.result:
            slot.fail(self._error(envelope.error))
        else:
            slot.resolve(envelope.result)

    def _error(self, raw: Raw) -> ServerError:
        said = open_error(raw)
        words = " ".join(clean(said.message).split())[:500] or "an error without a message"
        return ServerError(
            f"`{self.name}` answered: {words}",
            hint=f"mooring debug {quote(self.name)}",
            number=said.code,
            data=said.data,
        )

    def _inbound(self, envelope: Envelope, came_with: Slot | None) -> None:
        params: Mapping[str, JSON] = {}
        with suppress(BadMessage):
            params = params_of(envelope.params)
        if envelope.id and bytes(envelope.id) != b"null":
            slots = self._about(came_with)
            cause = slots[0].terms.cause if slots else None
            self._serving.ask(Inbound(Raw(bytes(envelope.id)), envelope.method, params, cause, tuple(slots)))
            return
        match envelope.method:
            case "notifications/progress":
                self._progress(params)
            case "notifications/cancelled":
                self._withdraw(params.get("requestId"))
            case _:
                slots = self._about(came_with)
                cause = slots[0].terms.cause if slots else None
                self._tell(self.on_notice, envelope.method, params, cause)

    def _withdraw(self, identity: JSON) -> None:
        """A request of theirs, or one of ours that stays open and has a name for that."""
        key = key_in_value(identity)
        slot = self._pending.get(key) if isinstance(key, str) else None
        if slot is None:
            self._serving.withdraw(identity)
        else:
            slot.fail(
                ServerError(
                    f"`{self.name}` has ended `{slot.method}`", hint=f"mooring debug {quote(self.name)}"
                )
            )

    def _progress(self, params: Mapping[str, JSON]) -> None:
        token = params.get("progressToken")
        key = key_in_value(token)
        slot = None if key is None else self._pending.get(key)
        if slot is None or slot.terms.progress is None:
            return
        self.heard += 1
        slot.heard()
        words = params.get("message")
        self._tell(
            slot.terms.progress,
            finite(params.get("progress")) or 0.0,
            finite(params.get("total")),
            clean(words) if isinstance(words, str) else "",
        )

    def _tell(self, hear: Callable[..., None], *said: object) -> None:
        """In order, before the answer that follows is seen; an error there does not end the reading."""
        self._loop.call_soon(hear, *said)

    def _about(self, came_with: Slot | None) -> list[Slot]:
        """Over a stream nothing says what it belongs to; with one cause there is no doubt."""
        if came_with is not None:
            return [came_with]
        asking = [slot for slot in self._pending.values() if slot.terms.cause is not None]
        return asking if all(slot.terms.cause == asking[0].terms.cause for slot in asking) else []

    # --- the end

    def end(self, error: MooringError) -> None:
        """The connection is gone; everybody who waits hears why, and so does everybody who asks later."""
        if self.ended.done():
            return
        self.ended.set_result(error)
        for slot in list(self._pending.values()):
            slot.fail(_again(error))
        self._serving.stop()

    @property
    def pending(self) -> int:
        return len(self._pending)

    @property
    def is_at_work(self) -> bool:
        """Whether the server owes an answer; a request that stays open for ever is none."""
        return any(slot.terms.quiet != inf for slot in self._pending.values())


def _again(error: MooringError) -> MooringError:
    """One error that is raised again and again would keep every frame that it ever passed."""
    another = copy(error)
    another.__cause__ = error.__cause__
    return another


def _with_token(params: Mapping[str, object], token: int | str) -> dict[str, object]:
    meta = params.get("_meta")
    return {**params, "_meta": {**meta, "progressToken": token} if is_map(meta) else {"progressToken": token}}
