"""One answer on its way in: status and headers first, then the body as it comes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from mooring.errors import AnswerTooLarge, BadMessage, MooringError
from mooring.upstream.http.unpacking import PACKED, Unpacking

__all__ = ["LIMIT", "Answer"]

LIMIT = 16 * 1024 * 1024
HIGH_WATER = 1024 * 1024


class Answer:
    """`let_go` is told whether the connection is to be kept; `flow` whether more may come."""

    def __init__(self, where: str, let_go: Callable[[float], None], flow: Callable[[bool], None]) -> None:
        self.where = where
        self.status = 0
        self.headers: dict[str, str] = {}
        self.heard = False
        self.is_whole = False
        self._has_head = False
        self._error: MooringError | None = None
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._is_paused = False
        self._is_unwanted = False
        self._waiter: asyncio.Future[None] | None = None
        self._unpacking: Unpacking | None = None
        self._let_go = let_go
        self._flow = flow

    # --- told by the connection

    def begin(self, status: int) -> None:
        self.status = status
        self._has_head = True
        packing = self.headers.get("content-encoding", "identity").strip().lower()
        if packing in PACKED:
            self._unpacking = Unpacking()
        elif packing not in ("identity", ""):
            self._error = BadMessage(
                f"`{self.where}` packs its answer as `{packing[:40]}`, unasked",
                hint="Tell the author of the server",
            )
        self._wake()

    def add(self, piece: bytes) -> None:
        if self._is_unwanted:
            return
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > HIGH_WATER and not self._is_paused:
            self._is_paused = True
            self._flow(False)
        self._wake()

    def finish(self) -> None:
        self.is_whole = True
        self._wake()

    def fail(self, error: MooringError) -> None:
        self._error = self._error or error
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # --- asked by whoever wants it

    async def head(self) -> None:
        """Return when status and headers are there."""
        while not self._has_head:
            if self._error is not None:
                raise self._error
            await self._news()

    async def more(self) -> bytes:
        """What has come since the last time; nothing at the end."""
        while True:
            if self._unpacking is not None and (piece := self._unpacking.take()):
                # One packed piece may hold thousands of these, and others have work to do too.
                await asyncio.sleep(0)
                return piece
            if self._pieces:
                data = self._take()
                if self._unpacking is None:
                    return data
                self._unpacking.put(data)
            elif self._error is not None:
                raise self._error
            elif self.is_whole:
                return b""
            else:
                await self._news()

    async def whole(self, limit: int = LIMIT) -> bytes:
        announced = self.headers.get("content-length", "")
        size = int(announced) if announced.isdigit() else 0
        if size > limit:
            raise self._too_large(limit)
        pieces: list[bytes] = []
        size = 0
        while piece := await self.more():
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                raise self._too_large(limit)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _too_large(self, limit: int) -> AnswerTooLarge:
        sentence = f"`{self.where}` answers with more than {limit // 1024 // 1024} MiB"
        return AnswerTooLarge(sentence, hint="Ask for less at once")

    def _take(self) -> bytes:
        data = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        self._pieces.clear()
        self._size = 0
        if self._is_paused:
            self._is_paused = False
            self._flow(True)
        return data

    async def _news(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    @property
    def kind(self) -> str:
        """The content type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def close(self, patience: float = 0.0) -> None:
        """Nobody reads on; an end that comes within `patience` seconds still saves the connection."""
        self._is_unwanted = True
        self._pieces.clear()
        if self._is_paused:
            self._is_paused = False
            self._flow(True)
        if not self.is_whole:
            self._let_go(patience)
