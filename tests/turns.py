"""Turns of the event loop, counted: for what has to hold whichever of them something happens in."""

from __future__ import annotations

import asyncio

__all__ = ["turns"]


async def turns(count: int = 1) -> None:
    """Whatever was ready has run so often; no time is waited for."""
    for _ in range(count):
        await asyncio.sleep(0)
