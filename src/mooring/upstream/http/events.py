"""An event stream, cut into events: in linear time, within a limit, however its pieces fall."""

from __future__ import annotations

import re
from collections.abc import Callable

from mooring.core.frozen import frozen

__all__ = ["LIMIT", "Event", "Events"]

LIMIT = 16 * 1024 * 1024
HEAD = 256
_MARK = b"\xef\xbb\xbf"
_EMPTY = re.compile(rb"\n{3,}")


@frozen
class Event:
    """`id` and `retry` (in milliseconds) where this event names them; one may come without data."""

    data: bytes = b""
    kind: str = ""
    id: str | None = None
    retry: int | None = None


class Events:
    """`too_long` hears the head of an event that is over the limit; the rest of that event is skipped."""

    def __init__(
        self, deliver: Callable[[Event], None], too_long: Callable[[bytes], None], limit: int = LIMIT
    ) -> None:
        self._deliver = deliver
        self._too_long = too_long
        self._limit = limit
        self._open: list[bytes] = []
        self._after_return = False
        self._is_start = True
        self._size = 0
        self._is_skipping = False
        self._data: list[bytes] = []
        self._kind = ""
        self._id: str | None = None
        self._retry: int | None = None

    def feed(self, piece: bytes) -> None:
        if self._after_return or b"\r" in piece:
            piece = self._with_plain_ends(piece)
        if b"\n\n\n" in piece:
            # Empty lines end nothing twice, and a flood of them would take long to look at.
            piece = _EMPTY.sub(b"\n\n", piece)
        first, *others = piece.split(b"\n")
        self._open.append(first)
        self._grow(len(first))
        for other in others:
            self._line(self._open[0] if len(self._open) == 1 else b"".join(self._open))
            self._open = [other]
            self._grow(len(other))

    def _with_plain_ends(self, piece: bytes) -> bytes:
        """A line ends with either character or with both, and both may come in two pieces."""
        if self._after_return and piece[:1] == b"\n":
            piece = piece[1:]
        if piece:
            self._after_return = piece[-1:] == b"\r"
        return piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size > self._limit and not self._is_skipping:
            self._is_skipping = True
            self._too_long(self._head())
            self._data.clear()
        if self._is_skipping and len(self._open) > 1:
            # Whether it is empty is all that still has to be known of this line.
            self._open = [b"".join(self._open)[:1]]

    def _head(self) -> bytes:
        if self._data:
            return self._data[0][:HEAD]
        return b"".join(self._open)[: HEAD + 6].partition(b":")[2].lstrip(b" ")[:HEAD]

    def _line(self, line: bytes) -> None:
        if self._is_start:
            self._is_start = False
            line = line.removeprefix(_MARK)
        if not line:
            self._end()
        elif not self._is_skipping:
            name, _, value = line.partition(b":")
            self._field(name, value.removeprefix(b" "))

    def _field(self, name: bytes, value: bytes) -> None:
        match name:
            case b"data":
                self._data.append(value)
            case b"event":
                self._kind = value.decode("utf-8", "replace")
            case b"id" if b"\0" not in value:
                self._id = value.decode("utf-8", "replace")
            case b"retry" if value.isdigit() and len(value) < 10:
                self._retry = int(value)
            case _:
                # A comment has no name.
                pass

    def _end(self) -> None:
        has_something = self._data or self._id is not None or self._retry is not None
        event = Event(b"\n".join(self._data), self._kind, self._id, self._retry) if has_something else None
        self._data, self._kind, self._id, self._retry = [], "", None, None
        self._size = 0
        self._is_skipping = False
        if event is not None:
            self._deliver(event)
