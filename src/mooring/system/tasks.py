"""Tasks whose end perhaps nobody is left to hear of."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

__all__ = ["beside", "let_go"]

_T = TypeVar("_T")


def beside(work: Awaitable[_T]) -> asyncio.Future[_T]:
    """Its error is no surprise to the loop, should whoever began it be gone by then."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(_heard)
    return task


async def let_go(*tasks: asyncio.Future[Any]) -> None:
    """All are cancelled before any is waited for: whoever waits may be cancelled too."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)


def _heard(task: asyncio.Future[Any]) -> None:
    if not task.cancelled():
        task.exception()
