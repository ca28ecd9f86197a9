"""One connection, and the exchange that is under way on it."""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable
from typing import cast

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from mooring.errors import BadMessage, MooringError, NotMcp
from mooring.system.failure import connection_broke
from mooring.upstream.http.answer import Answer
from mooring.upstream.http.seconds import seconds_in

__all__ = ["Connection"]

LONGEST_HEAD = 64 * 1024


class Connection(asyncio.Protocol):
    """`idle` hears when it may be used again, `gone` when it never will."""

    def __init__(self, where: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._where = where
        self._transport: asyncio.Transport | None = None
        self._parser = HttpResponseParser(self)
        self._answer: Answer | None = None
        self._around = 0
        self._in_head = True
        self._ends_itself = False
        self._is_spoilt = False
        self._impatience: asyncio.TimerHandle | None = None
        self._poll: select.poll | None = None
        self._idle_since = 0.0
        self._idle_for = 55.0
        self.idle: Callable[[Connection], None] = lambda _connection: None
        self.gone: Callable[[Connection], None] = lambda _connection: None
        self.is_open = False

    # --- asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.is_open = True
        self._idle_since = self._loop.time()

    def data_received(self, data: bytes) -> None:
        answer = self._answer
        if answer is None:
            # Nobody has asked anything; whatever it is, it would be taken for the next answer.
            self.abort()
            return
        answer.heard = True
        self._around += len(data)
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade):
            if self._answer is answer and not answer.is_whole:
                self._break(NotMcp(f"`{self._where}` answers with something that is no HTTP", hint=_PORT))
            return
        if self._is_spoilt:
            self.abort()
        elif self._answer is not None and self._around > LONGEST_HEAD:
            # Headers, what follows a body, what stands beside the size of a chunk.
            size = f"{LONGEST_HEAD // 1024} KiB"
            self._break(BadMessage(f"`{self._where}` sends more than {size} of headers", hint=_AUTHOR))

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False
        if self._impatience is not None:
            self._impatience.cancel()
        answer, self._answer = self._answer, None
        if answer is not None:
            if exc is None and not self._in_head and not self._ends_itself:
                answer.finish()
            else:
                answer.fail(connection_broke(self._where, exc, heard=answer.heard))
        self.gone(self)

    # --- the parser's side

    def on_message_begin(self) -> None:
        self._ends_itself = False
        # An answer to nothing: whatever follows it could be taken for the next one.
        self._is_spoilt = self._answer is None

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._answer is None or not self._in_head:
            return
        headers = self._answer.headers
        key = name.decode("latin-1").lower()
        text = value.decode("latin-1").strip()
        headers[key] = f"{headers[key]}, {text}" if key in headers else text

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        answer = self._answer
        if answer is None:
            return
        if status < 200:
            # It will go on; what it says until then is of no use here.
            answer.headers.clear()
            return
        headers = answer.headers
        self._ends_itself = "content-length" in headers or "chunked" in headers.get("transfer-encoding", "")
        self._in_head = False
        answer.begin(status)

    def on_body(self, body: bytes) -> None:
        self._around = 0
        if self._answer is not None:
            self._answer.add(body)

    def on_message_complete(self) -> None:
        answer = self._answer
        if answer is None or self._in_head:
            return
        self._answer = None
        if self._impatience is not None:
            self._impatience.cancel()
        stays = self._parser.should_keep_alive() and self._transport is not None
        # A body that was answered before all of it was sent leaves the connection in the middle of something.
        if stays and self._transport is not None and self._transport.get_write_buffer_size() == 0:
            self._idle_since = self._loop.time()
            self._idle_for = _patience(answer.headers.get("keep-alive", ""))
            answer.finish()
            self.idle(self)
        else:
            answer.finish()
            self.abort()

    # --- our side

    def ask(self, data: bytes) -> Answer:
        """Send one request; its answer begins to come."""
        answer = self._answer = Answer(self._where, self._let_go, self._flow)
        self._in_head, self._around = True, 0
        if self._transport is None or not self.is_open:
            answer.fail(connection_broke(self._where, None, heard=False))
        else:
            self._transport.write(data)
        return answer

    def is_usable(self) -> bool:
        """Whether the other side seems to wait for more; asked of a connection that was idle."""
        if self._transport is None or not self.is_open or self._transport.is_closing():
            return False
        if self._loop.time() - self._idle_since > self._idle_for:
            return False
        if self._poll is None:
            self._poll = select.poll()
            self._poll.register(self._transport.get_extra_info("socket").fileno(), select.POLLIN)
        # Its end may have arrived, and not have been noticed yet.
        return not self._poll.poll(0)

    def abort(self) -> None:
        self.is_open = False
        if self._transport is not None:
            self._transport.abort()

    def _break(self, error: MooringError) -> None:
        answer, self._answer = self._answer, None
        if answer is not None:
            answer.fail(error)
        self.abort()

    def _let_go(self, patience: float) -> None:
        if patience <= 0:
            self._answer = None
            self.abort()
        elif self._impatience is None:
            self._impatience = self._loop.call_later(patience, self._let_go, 0.0)

    def _flow(self, more: bool) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        if more:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()


_PORT = "Is it the right port, and `http` rather than `https`?"
_AUTHOR = "Tell the author of the server"


def _patience(header: str) -> float:
    """`timeout=5` in seconds, a little less for the way there."""
    for part in header.split(","):
        key, _, value = part.strip().partition("=")
        if key.lower() == "timeout" and (seconds := seconds_in(value)) is not None:
            return max(seconds - 0.5, 0.0)
    return 55.0
