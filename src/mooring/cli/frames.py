"""What a command and the `serve` that carries it out say to each other: a kind, a length, some bytes."""

from __future__ import annotations

from struct import Struct

TYPE_CHECKING = False  # as in `mooring/__init__.py`: every attached command waits for this import
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["ATTACH", "HEAD", "frame", "frames", "packed", "unpacked"]

# The first byte of a connection; no request of HTTP begins with it.
ATTACH = b"\0"
HEAD = Struct(">cI")
_SIZE = Struct(">I")
LONGEST = 64 * 1024 * 1024


def frame(kind: bytes, content: bytes = b"") -> bytes:
    return HEAD.pack(kind, len(content)) + content


def frames(buffer: bytearray) -> Iterator[tuple[bytes, bytes]]:
    """Those that have arrived whole; they are taken out of the buffer."""
    while len(buffer) >= HEAD.size:
        kind, size = HEAD.unpack_from(buffer)
        if size > LONGEST:
            raise ValueError("a frame longer than any of ours")
        if len(buffer) < HEAD.size + size:
            return
        content = bytes(buffer[HEAD.size : HEAD.size + size])
        del buffer[: HEAD.size + size]
        yield kind, content


def packed(parts: Sequence[bytes]) -> bytes:
    """Several texts as one, whatever is in them."""
    return b"".join(_SIZE.pack(len(part)) + part for part in parts)


def unpacked(content: bytes) -> list[bytes]:
    found: list[bytes] = []
    at = 0
    while at < len(content):
        (size,) = _SIZE.unpack_from(content, at)
        found.append(content[at + _SIZE.size : at + _SIZE.size + size])
        at += _SIZE.size + size
    return found
