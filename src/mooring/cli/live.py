"""The table of servers, drawn again in its place while they come up."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence

from mooring.cli.listing import listing
from mooring.cli.render import say
from mooring.cli.unseen import unseen
from mooring.cli.widths import columns, cut, room_of
from mooring.core.server_view import ServerView

__all__ = ["live"]

_EVERY = 0.1
_PATIENCE = 0.3
_USUAL = 24


async def live(
    views: Callable[[], Sequence[ServerView]],
    changed: Callable[[], Awaitable[object]],
    settled: Awaitable[object],
) -> None:
    """Until `settled`; on a terminal what stands is shown meanwhile, and gone afterwards.

    What is over in a moment is never drawn, so that nothing flickers.
    """
    waiting = asyncio.ensure_future(settled)
    try:
        if sys.stdout.isatty() and sys.stderr.isatty():
            # a line that somebody typed in between would push the table from its place
            with unseen():
                await _draw(views, changed, waiting)
        await waiting
    finally:
        waiting.cancel()


async def _draw(
    views: Callable[[], Sequence[ServerView]],
    changed: Callable[[], Awaitable[object]],
    waiting: asyncio.Future[object],
) -> None:
    drawn: list[str] = []
    pause = _PATIENCE
    try:
        while not waiting.done():
            await asyncio.wait([waiting], timeout=pause)
            pause = _EVERY
            if waiting.done():
                return
            drawn = _redrawn(views(), drawn)
            woken = asyncio.ensure_future(changed())
            await asyncio.wait([waiting, woken], return_when=asyncio.FIRST_COMPLETED)
            woken.cancel()
    finally:
        _erase(drawn)


def _redrawn(views: Sequence[ServerView], drawn: list[str]) -> list[str]:
    """The lines that stand there now: never more than the terminal can take back."""
    try:
        height = room_of(sys.stderr).lines or _USUAL
    except OSError:
        height = _USUAL
    text = listing(views, columns(sys.stderr)).splitlines()
    if len(text) >= height:
        text = [*text[: max(height - 2, 1)], cut(f"… {len(text) - height + 2} more lines", 40)]
    if text != drawn:
        _erase(drawn)
        say("\n".join(text))
    return text


def _erase(drawn: list[str]) -> None:
    if drawn:
        sys.stderr.write(f"\x1b[{len(drawn)}F\x1b[J")
        sys.stderr.flush()
