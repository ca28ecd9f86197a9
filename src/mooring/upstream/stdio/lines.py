"""Bytes from a pipe, cut into lines: in linear time, within a limit, whatever is in them."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Lines"]

HEAD = 256


class Lines:
    """`too_long` hears the head of a line that is over the limit, and its tail; the rest of it is skipped.

    Servers differ in where they write what a message answers: first, or last.
    """

    def __init__(
        self, limit: int, deliver: Callable[[bytes], None], too_long: Callable[[bytes, int], None]
    ) -> None:
        self._limit = limit
        self._deliver = deliver
        self._too_long = too_long
        self._pieces: list[bytes] = []
        self._size = 0
        self._skipping = False
        self._tail = b""

    def feed(self, data: bytes) -> None:
        cut = data.rfind(b"\n")
        if cut < 0:
            self._keep(data)
            return
        whole, rest = data[:cut], data[cut + 1 :]
        first, *others = whole.split(b"\n")
        self._finish(first)
        for line in others:
            self._line(line)
        if rest:
            self._keep(rest)

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._skipping:
            self._tail = (self._tail + piece[-HEAD:])[-HEAD:]
            self._too_long(b"", self._size)
            return
        self._pieces.append(piece)
        if self._size > self._limit:
            head = b""
            for each in self._pieces:
                head += each[: HEAD - len(head)]
                if len(head) == HEAD:
                    break
            self._pieces.clear()
            self._skipping = True
            self._tail = piece[-HEAD:]
            self._too_long(head, self._size)

    def _finish(self, piece: bytes) -> None:
        if self._skipping:
            self._skipping = False
            self._too_long((self._tail + piece)[-HEAD:], self._size)
        elif self._pieces:
            self._pieces.append(piece)
            self._line(b"".join(self._pieces))
        else:
            self._line(piece)
        self._pieces.clear()
        self._size = 0

    def _line(self, line: bytes) -> None:
        if len(line) > self._limit:
            self._too_long(line[:HEAD], len(line))
            self._too_long(line[-HEAD:], len(line))
        elif line and not line.isspace():
            self._deliver(line)
