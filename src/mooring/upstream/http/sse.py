"""HTTP+SSE, the transport of 2024: one stream that brings everything, and an address to write to."""

from __future__ import annotations

import asyncio
from shlex import quote

from mooring.core.redact import clean, mask_url
from mooring.errors import BadMessage, ConnectionLost, LineTooLong, MooringError, NotMcp, StartTimeout
from mooring.upstream.http.answer import Answer
from mooring.upstream.http.endpoint import Endpoint
from mooring.upstream.http.errands import Errands
from mooring.upstream.http.events import LIMIT, Event, Events
from mooring.upstream.http.refusal import body_of, refusal
from mooring.upstream.http.stream import EVENTS, fairly
from mooring.upstream.wire import Slot, Wire

__all__ = ["SseCarrier"]

ENDPOINT_WITHIN = 10.0
TELL_WITHIN = 5.0
_AUTHOR = "Tell the author of the server"


class SseCarrier:
    """When the stream ends, so does the session: nothing of it can be had again."""

    def __init__(self, wire: Wire, endpoint: Endpoint, secrets: tuple[str, ...] = ()) -> None:
        self._wire = wire
        self._endpoint = endpoint
        self._secrets = secrets
        self._errands = Errands()
        self._there: asyncio.Future[Endpoint] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        name = self._wire.name
        try:
            async with asyncio.timeout(ENDPOINT_WITHIN):
                answer = await self._endpoint.send("GET", [("accept", EVENTS)])
                if answer.status >= 300:
                    body = await body_of(answer)
                    answer.close()
                    raise refusal(name, answer, body, self._secrets)
                if answer.kind != EVENTS:
                    answer.close()
                    raise NotMcp(
                        f"`{name}` answers with `{answer.kind[:60] or 'no type'}`, where events are due",
                        hint=f"Is `mcp.{name}.url` the address of an MCP server?",
                    )
                self._errands.start(self._listen(answer), self._end)
                await self._there
        except TimeoutError as error:
            raise StartTimeout(
                f"`{name}` has not said within {ENDPOINT_WITHIN:g} s where to write to",
                hint=f"Is `mcp.{name}.url` the address of an MCP server?",
            ) from error

    # --- out

    async def carry(self, message: bytes, slot: Slot | None) -> None:
        async def ask(slot: Slot) -> None:
            await self._post(message, slot)
            await asyncio.wait([slot.future])

        if slot is not None:
            self._errands.run(slot, ask)
        else:
            await self._tell(message)

    def abandon(self, slot: Slot, notice: bytes) -> None:
        del slot
        self._errands.start(self._tell(notice))

    async def _tell(self, message: bytes) -> None:
        try:
            async with asyncio.timeout(TELL_WITHIN):
                await self._post(message, None)
        except (MooringError, TimeoutError):
            self._wire.noise += 1

    async def _post(self, message: bytes, slot: Slot | None) -> None:
        def written() -> None:
            if slot is not None:
                slot.written = True

        there = await asyncio.shield(self._there)
        headers = [("content-type", "application/json"), ("accept", "application/json")]
        if self._wire.protocol:
            headers.append(("mcp-protocol-version", self._wire.protocol))
        answer = await there.send("POST", headers, message, is_safe=False, written=written)
        try:
            if answer.status >= 300:
                raise refusal(self._wire.name, answer, await body_of(answer), self._secrets)
        finally:
            answer.close(TELL_WITHIN)

    # --- in

    async def _listen(self, answer: Answer) -> None:
        name = self._wire.name
        events = Events(self._heard, self._too_long)
        error: MooringError = ConnectionLost(f"`{name}` ended its stream", hint=f"mooring test {quote(name)}")
        try:
            while data := await answer.more():
                await fairly(events, data)
        except MooringError as broken:
            error = broken
        finally:
            answer.close()
        self._end(error)

    def _heard(self, event: Event) -> None:
        if event.kind == "endpoint":
            self._meet(event.data.decode("utf-8", "replace").strip())
        elif event.data and event.kind in ("", "message"):
            self._wire.receive(event.data)

    def _meet(self, reference: str) -> None:
        """Where to write to; credentials go there too, so it has to be the same origin."""
        if self._there.done():
            return
        name = self._wire.name
        try:
            address = self._endpoint.address.joined(reference)
            if not address.is_neighbour_of(self._endpoint.address):
                shown = mask_url(clean(reference))[:200]
                raise BadMessage(
                    f"`{name}` wants to be written to at another origin: `{shown}`", hint=_AUTHOR
                )
            self._there.set_result(self._endpoint.at(address))
        except MooringError as error:
            self._end(error)

    def _too_long(self, head: bytes) -> None:
        sentence = f"`{self._wire.name}` sent a message of more than {LIMIT // 1024 // 1024} MiB"
        self._wire.noise += 1
        self._wire.lose(head, LineTooLong(sentence, hint="Ask for less at once"))

    # --- the end

    def _end(self, error: MooringError) -> None:
        self._wire.end(error)
        if not self._there.done():
            self._there.set_exception(error)
            self._there.exception()

    async def aclose(self, *, leave: bool = False) -> None:
        del leave
        self._wire.end(ConnectionLost(f"`{self._wire.name}` was stopped"))
        await self._errands.aclose()
