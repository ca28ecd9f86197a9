"""Blocking work beside the loop: who stops waiting for it leaves it behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

from mooring.errors import MooringError

__all__ = ["aside"]

T = TypeVar("T")
P = ParamSpec("P")


async def aside(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """In a thread that no exit waits for: an address that never answers must not hold a Ctrl-C."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    results: list[T] = []
    errors: list[MooringError] = []

    def run() -> None:
        try:
            results.append(work(*args, **kwargs))
        except MooringError as error:
            errors.append(error)
        finally:
            with suppress(RuntimeError):
                # The loop may be closed by now.
                loop.call_soon_threadsafe(done.set)

    threading.Thread(target=run, name="login", daemon=True).start()
    await done.wait()
    if results:
        return results[0]
    # Without either it was a mistake of ours, and the thread's own last words have told which.
    raise errors[0] if errors else MooringError("a mistake in Mooring itself")
