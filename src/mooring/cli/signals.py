"""What a signal does, changed for a while."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import FrameType

__all__ = ["handling"]


@contextmanager
def handling(
    names: Sequence[str], handler: Callable[[int, FrameType | None], object] | signal.Handlers
) -> Generator[None]:
    """Only the main thread may say what a signal does; afterwards it does again what it did before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in known}
    for number in known:
        # what was ignored stays ignored: `nohup` means it
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
