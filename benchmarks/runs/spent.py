"""What a call costs the process that makes it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

TEXT = "abcdefghij"
WARM = 200


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
