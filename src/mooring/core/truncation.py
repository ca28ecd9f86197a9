"""Long text cut to what a model can use: its head, its tail, and how much is missing between them."""

from __future__ import annotations

from mooring.core.frozen import frozen

__all__ = ["Truncated", "truncate"]


@frozen
class Truncated:
    """What is left, and how much was left out."""

    text: str
    omitted_lines: int = 0
    omitted_bytes: int = 0


def truncate(text: str, max_lines: int = 2000, max_bytes: int = 51200) -> Truncated:
    """Three quarters of the room for the head, one for the tail; the marker between them comes on top."""
    # Lone surrogates can arrive in JSON; they must not make the cut fail.
    raw = text.encode("utf-8", "surrogatepass")
    open_line = bool(raw) and not raw.endswith(b"\n")
    if len(raw) <= max_bytes and raw.count(b"\n") + open_line <= max_lines:
        return Truncated(text)
    head_lines, head_room = max_lines * 3 // 4, max_bytes * 3 // 4
    head = _head(raw, head_lines, head_room)
    tail = _tail(raw, max_lines - head_lines, max_bytes - head_room)
    missing = raw[len(head) : len(raw) - len(tail)]
    lines = missing.count(b"\n")
    amount = f"{lines} line{'s' * (lines > 1)}, {len(missing)} bytes" if lines else f"{len(missing)} bytes"
    joint = "\n" if head and not head.endswith(b"\n") else ""
    return Truncated(f"{_text(head)}{joint}... {amount} left out ...\n{_text(tail)}", lines, len(missing))


def _head(raw: bytes, lines: int, room: int) -> bytes:
    piece = raw[:room]
    rest = piece.split(b"\n", lines)
    whole = piece[: len(piece) - len(rest[-1])]
    if len(rest) > lines or _is_enough(whole, room):
        return whole
    end = len(piece)
    while 0 < end < len(raw) and _is_inside(raw[end]):
        end -= 1
    return raw[:end]


def _tail(raw: bytes, lines: int, room: int) -> bytes:
    piece = raw[max(len(raw) - room, 0) :]
    rest = piece.removesuffix(b"\n").rsplit(b"\n", lines)
    whole = piece[len(rest[0]) + 1 :]
    if len(rest) > lines or _is_enough(whole, room):
        return whole
    start = 0
    while start < len(piece) and _is_inside(piece[start]):
        start += 1
    return piece[start:]


def _is_enough(whole: bytes, room: int) -> bool:
    """Whole lines read better, unless one endless line would then hide nearly everything."""
    return len(whole) * 2 >= room


def _is_inside(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")
