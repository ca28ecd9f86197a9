"""Streamable HTTP: each message a POST of its own, answered by JSON or by a stream."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from shlex import quote

from mooring.core.values import is_map
from mooring.errors import (
    BadMessage,
    ConnectionLost,
    MooringError,
    NotMcp,
    SessionLost,
    Unreachable,
)
from mooring.upstream.http.answer import LIMIT, Answer
from mooring.upstream.http.effects import dropped, is_safe
from mooring.upstream.http.endpoint import Endpoint
from mooring.upstream.http.errands import Errands
from mooring.upstream.http.refusal import body_of, error_in, is_page, refusal
from mooring.upstream.http.stream import EVENTS, LAST_WORDS, Stream
from mooring.upstream.wire import Slot, Wire, decode

__all__ = ["TEMPORARY", "StreamableCarrier"]

JSON_TYPE = "application/json"
MOST_RESUMES = 5
TELL_WITHIN = 5.0
LEAVE_WITHIN, HURRIED = 2.0, 0.5
LONGEST_SESSION = 4096
METHOD_NOT_FOUND = -32601
TEMPORARY = (408, 425, 429, 500, 502, 503, 504)

_POST = (("accept", f"{JSON_TYPE}, {EVENTS}"), ("content-type", JSON_TYPE))
_PING = b'{"jsonrpc":"2.0","id":"still-there","method":"ping"}'
_GET = (("accept", EVENTS),)


class StreamableCarrier:
    """One failed POST fails one request; only a server that has forgotten the session ends it."""

    def __init__(self, wire: Wire, endpoint: Endpoint, secrets: tuple[str, ...] = ()) -> None:
        self._wire = wire
        self._endpoint = endpoint
        self._secrets = secrets
        self._session = ""
        self._errands = Errands()

    # --- out

    async def carry(self, message: bytes, slot: Slot | None) -> None:
        if slot is None:
            await self._tell(message)
        else:
            self._errands.run(slot, lambda slot: self._post(message, slot))

    def abandon(self, slot: Slot, notice: bytes) -> None:
        """In the old era the server is told; in the new one the end of the POST says it."""
        del slot
        if not self._is_modern:
            self._errands.start(self._tell(notice))

    def start(self, work: Coroutine[None, None, None]) -> None:
        """A task that ends with the session, and that ends it where it breaks."""
        self._errands.start(work, self._wire.end)

    async def _tell(self, message: bytes) -> None:
        """A message without an answer is lost quietly: whatever is wrong, the next request meets it too."""
        try:
            async with asyncio.timeout(TELL_WITHIN):
                headers = [*_POST, *self._headers()]
                if self._is_modern:
                    headers.append(("mcp-method", _method(message)))
                answer = await self._endpoint.send("POST", headers, message, is_safe=False)
                answer.close(LAST_WORDS)
                if answer.status >= 300:
                    self._wire.noise += 1
        except (MooringError, TimeoutError):
            self._wire.noise += 1

    async def _post(self, message: bytes, slot: Slot) -> None:
        def written() -> None:
            slot.written = True

        headers = [*_POST, *(slot.terms.headers or self._headers(slot))]
        answer = await self._endpoint.send("POST", headers, message, is_safe=is_safe(slot), written=written)
        try:
            if answer.status >= 300:
                await self._refused(answer, slot)
                return
            if slot.method == "initialize":
                self._remember(answer.headers.get("mcp-session-id", ""))
            if answer.kind == EVENTS:
                await self._follow(answer, slot)
            else:
                await self._take(answer, slot)
        finally:
            answer.close()

    def _headers(self, slot: Slot | None = None) -> list[tuple[str, str]]:
        """Of the old era; in the new one a request brings its own."""
        if slot is not None and slot.method == "initialize":
            return []
        headers: list[tuple[str, str]] = []
        if self._wire.protocol:
            headers.append(("mcp-protocol-version", self._wire.protocol))
        if self._session:
            headers.append(("mcp-session-id", self._session))
        return headers

    @property
    def _is_modern(self) -> bool:
        return self._wire.protocol > "2026"

    def _remember(self, session: str) -> None:
        if len(session) > LONGEST_SESSION or not all("!" <= c <= "~" for c in session):
            raise BadMessage(
                f"`{self._wire.name}` gives its session an id that no header can carry",
                hint="Tell the author of the server",
            )
        self._session = session

    # --- in

    async def _take(self, answer: Answer, slot: Slot) -> None:
        """An answer in one piece."""
        body = await answer.whole(LIMIT)
        name = self._wire.name
        if body and answer.kind in (JSON_TYPE, ""):
            self._wire.receive(body, slot)
            if not slot.future.done():
                raise BadMessage(
                    f"`{name}` answers `{slot.method}` with something else",
                    hint=f"mooring debug {quote(name)}",
                )
        elif is_page(answer, body):
            raise NotMcp(
                f"`{name}` answers with a web page",
                hint=f"Is `mcp.{name}.url` right? It often ends in `/mcp`",
            )
        elif not body:
            raise BadMessage(
                f"`{name}` answers `{slot.method}` with nothing", hint="Tell the author of the server"
            )
        else:
            raise NotMcp(
                f"`{name}` answers with `{answer.kind[:60]}`, where JSON or events are due",
                hint=f"Is `mcp.{name}.url` the address of an MCP server?",
            )

    async def _follow(self, answer: Answer, slot: Slot) -> None:
        """An answer in events; where the server numbers them, what is missing can be fetched later."""
        stream = Stream(lambda message: self._wire.receive(message, slot))
        while True:
            await stream.read(answer, slot.future.done)
            if slot.future.done():
                return
            if self._is_modern or not stream.last:
                raise dropped(slot, f"`{self._wire.name}` ended the stream of the answer without it")
            answer = await self._rest(stream, slot)

    async def _rest(self, stream: Stream, slot: Slot) -> Answer:
        name = self._wire.name
        while stream.pace.tries < MOST_RESUMES:
            await stream.pace.pause()
            try:
                answer = await self.listen(stream.last)
            except Unreachable:
                continue
            if answer.status == 200 and answer.kind == EVENTS:
                return answer
            answer.close()
            if answer.status not in TEMPORARY:
                raise dropped(slot, f"`{name}` refuses the rest of an answer with {answer.status}")
        raise dropped(slot, f"`{name}` interrupted an answer {MOST_RESUMES} times without news")

    async def listen(self, last: str = "") -> Answer:
        """The server's own stream, or the rest of one that ended."""
        resume = [("last-event-id", last)] if last else []
        return await self._endpoint.send("GET", [*_GET, *self._headers(), *resume])

    async def _refused(self, answer: Answer, slot: Slot) -> None:
        body = await body_of(answer)
        error = error_in(body)
        status = answer.status
        if self._session and slot.method != "initialize":
            is_unknown = is_map(error) and error.get("code") == METHOD_NOT_FOUND
            # Many servers answer 400 to a session that they do not know, as they do to much else.
            if (status == 404 and not is_unknown) or (status == 400 and await self._is_forgotten()):
                self.lose()
                return
        if error is not None and status < 500 and status not in (401, 403, 429):
            self._wire.receive(body, slot)
            if slot.future.done():
                return
        raise refusal(self._wire.name, answer, body, self._secrets)

    async def _is_forgotten(self) -> bool:
        """Whether even the plainest question is refused now."""
        headers = [*_POST, *self._headers()]
        answer = await self._endpoint.send("POST", headers, _PING)
        answer.close(LAST_WORDS)
        return answer.status in (400, 404)

    def lose(self) -> None:
        """The server does not know our session any more; nothing of it can be saved."""
        self._session = ""
        name = self._wire.name
        error = SessionLost(f"`{name}` has forgotten our session", hint="A new one is begun by itself")
        self._wire.end(error)

    # --- the end

    async def aclose(self, *, leave: bool = False) -> None:
        """Whatever is under way is given up; the session is given back, if the server takes that."""
        # From a server that is lost already no answer can be expected.
        hurried = leave or self._wire.ended.done()
        self._wire.end(ConnectionLost(f"`{self._wire.name}` was stopped"))
        await self._errands.aclose()
        if self._session:
            with suppress(TimeoutError, MooringError):
                async with asyncio.timeout(HURRIED if hurried else LEAVE_WITHIN):
                    answer = await self._endpoint.send("DELETE", self._headers())
                    answer.close()


def _method(message: bytes) -> str:
    value = decode(message)
    method = value.get("method") if is_map(value) else None
    return method if isinstance(method, str) else ""
