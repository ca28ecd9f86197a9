"""What a local server says on stderr: its last lines at hand, all of it that is bearable in a journal."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from mooring.core.redact import clean, mask, mask_shapes
from mooring.system.journal import Journal

__all__ = ["Said"]

LINES = 200
LONGEST = 4096


class Said:
    """To look for secrets takes time, so that is done for what is kept or shown, and for nothing else.

    `hear` is told each line as it comes; what is too much for the journal is too much there, too.
    """

    def __init__(
        self,
        journal: Journal | None = None,
        secrets: tuple[str, ...] = (),
        hear: Callable[[str], None] | None = None,
    ) -> None:
        self._journal = journal
        self._secrets = secrets
        self._hear = hear
        self._most = LONGEST + 4 * max(map(len, secrets), default=0)
        self._recent: deque[bytes] = deque(maxlen=LINES)
        self._open = b""

    def feed(self, data: bytes) -> None:
        *whole, rest = (self._open + data).split(b"\n")
        self._open = rest[: self._most]
        self._recent.extend(line[: self._most] for line in whole[-LINES:])
        if whole and (self._journal is not None or self._hear is not None):
            self._tell(whole)

    def _tell(self, lines: list[bytes]) -> None:
        if self._journal is not None:
            lines = lines[: self._journal.admit([min(len(line), self._most) + 1 for line in lines])]
        tidy = [self._tidy(line) for line in lines]
        if self._journal is not None:
            self._journal.write("stderr", tidy)
        if self._hear is not None:
            for line in tidy:
                self._hear(line)

    def end(self) -> None:
        """What a flood has drowned may be the very reason for it: the last lines are always kept."""
        if self._open.strip():
            self.feed(b"\n")
        if self._journal is not None and self._journal.close_gap():
            self._journal.write("stderr", self.last())
        self._journal = None

    def last(self, count: int = 20) -> tuple[str, ...]:
        found = [line for line in self._recent if line.strip()][-count:]
        return tuple(self._tidy(line) for line in found)

    def _tidy(self, line: bytes) -> str:
        """Cut after it was masked: half a secret would be none that is known."""
        text = line[: self._most].decode("utf-8", "replace").rstrip("\r")
        text = mask_shapes(mask(clean(text), self._secrets))
        if len(line) > LONGEST:
            margin = max(map(len, self._secrets), default=0)
            text = text[: max(min(len(text) - margin, LONGEST), 0)]
        return text
