"""How far a call is: one line on a terminal, which vanishes."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from math import isfinite

from mooring.cli.render import say
from mooring.cli.unseen import unseen
from mooring.cli.widths import columns, cut
from mooring.core.intake import tidy

__all__ = ["ProgressLine", "progress_line"]

_BAR = 20


class ProgressLine:
    """Called with what the server says of it; it draws on stderr, where that is a terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._is_drawn = False
        self._is_held = False
        self._keys = ExitStack()

    def __call__(self, done: float, total: float | None = None, message: str = "") -> None:
        self.draw(" ".join(f"{self._what} {_amount(done, total)} {tidy(message, 400)}".split()))

    def draw(self, text: str) -> None:
        room = columns(sys.stderr)
        if room is None or self._is_held:
            return
        if self._is_drawn:
            self._wipe()
        else:
            self._keys.enter_context(unseen())
            self._is_drawn = True
        say(cut(text, room - 1), newline=False)

    def clear(self) -> None:
        """Make room for something that stays."""
        if self._is_drawn:
            self._is_drawn = False
            self._wipe()
            self._keys.close()

    @contextmanager
    def held(self) -> Generator[None]:
        """Somebody is asked: nothing is drawn over the question, and what is typed shows."""
        self.clear()
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False

    def _wipe(self) -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


@contextmanager
def progress_line(what: str) -> Generator[ProgressLine]:
    line = ProgressLine(what)
    try:
        yield line
    finally:
        line.clear()


def _amount(done: float, total: float | None) -> str:
    if not isfinite(done):
        return ""
    if total is None or not isfinite(total) or total <= 0:
        return f"{done:g}"
    share = min(max(done / total, 0.0), 1.0)
    full = round(share * _BAR)
    return f"[{'#' * full}{'.' * (_BAR - full)}] {share:.0%}"
