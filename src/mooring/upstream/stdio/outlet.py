"""What comes out of a program, read in pieces that cost no new pages of memory."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import IO

__all__ = ["Outlet"]

# asyncio reads 256 KiB at a time. That is more than the C library keeps at hand: it maps new pages for each
# read and gives them back, which doubles what a small call costs.
PIECE = 64 * 1024
AT_ONCE = 16
# What comes of a piece may cost much more than to read it, and other servers wait for their turn.
WITHIN = 0.005


class Outlet:
    """Feeds until the other end is closed; `ended` is then done. It owns the pipe."""

    def __init__(self, pipe: IO[bytes], feed: Callable[[bytes], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._pipe = pipe
        self._number = pipe.fileno()
        self._feed = feed
        self.ended: asyncio.Future[None] = self._loop.create_future()
        os.set_blocking(self._number, False)
        self._loop.add_reader(self._number, self._read)

    def _read(self) -> None:
        until = self._loop.time() + WITHIN
        for _ in range(AT_ONCE):
            try:
                piece = os.read(self._number, PIECE)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                piece = b""
            if not piece:
                self.close()
                return
            self._feed(piece)
            # `feed` may have closed it; and a piece that is not full was the last for now.
            if len(piece) < PIECE or self._pipe.closed or self._loop.time() > until:
                return

    def close(self) -> None:
        if self._pipe.closed:
            return
        self._loop.remove_reader(self._number)
        self._pipe.close()
        if not self.ended.done():
            self.ended.set_result(None)
