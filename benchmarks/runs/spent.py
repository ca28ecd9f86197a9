"""What a call costs the process that makes it."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable

TEXT = "abcdefghij"
WARM = 200


def on_one_core() -> None:
    """For us and for what we start.

    Where each has a core, one core sleeps while the other works; waking it again costs more than the call
    itself on some machines, now and then, and would be counted as the call's.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


async def spent(call: Callable[[], Awaitable[str | bytes]], calls: int) -> float:
    """Processor seconds for one call, after some that do not count; every answer is looked at."""
    for _ in range(WARM):
        assert check(await call())
    started = time.process_time()
    for _ in range(calls):
        await call()
    taken = time.process_time() - started
    assert check(await call())
    return taken / calls


def check(found: str | bytes) -> bool:
    return TEXT.encode() in found if isinstance(found, bytes) else TEXT in found
