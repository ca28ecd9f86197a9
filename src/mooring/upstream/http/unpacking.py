"""Packed bodies unpacked piece by piece, so that a small one cannot become a huge one at once."""

from __future__ import annotations

import zlib

from mooring.errors import BadMessage

__all__ = ["PACKED", "Unpacking"]

PACKED = ("gzip", "x-gzip", "deflate")
PIECE = 256 * 1024
MOST_NOTHINGS = 64
_EITHER = zlib.MAX_WBITS | 32


class Unpacking:
    """We ask for bodies that are not packed; some servers pack all the same."""

    def __init__(self) -> None:
        self._waiting = b""
        self._stream = zlib.decompressobj(_EITHER)
        self._is_fresh = True
        self._nothings = 0

    def put(self, data: bytes) -> None:
        self._waiting += data

    def take(self) -> bytes:
        """The next piece; nothing where more has to come first."""
        while self._waiting:
            if self._stream.eof:
                self._begin()
            piece = self._unpack()
            self._waiting = self._stream.unconsumed_tail or self._stream.unused_data
            self._is_fresh = False
            if piece:
                self._nothings = 0
                return piece
        # What the unpacker itself still holds back.
        return b"" if self._is_fresh or self._stream.eof else self._stream.decompress(b"", PIECE)

    def _begin(self) -> None:
        """One more packed part; parts without anything in them are work for nothing."""
        self._nothings += 1
        if self._nothings > MOST_NOTHINGS:
            raise BadMessage("a packed answer has nothing in it, again and again", hint="Tell its author")
        self._stream = zlib.decompressobj(_EITHER)

    def _unpack(self) -> bytes:
        try:
            return self._stream.decompress(self._waiting, PIECE)
        except zlib.error as error:
            if self._is_fresh:
                # Deflate without its own envelope, as some have understood the standard.
                self._stream = zlib.decompressobj(-zlib.MAX_WBITS)
                self._is_fresh = False
                return self._unpack()
            raise BadMessage("a packed answer cannot be unpacked", hint="Tell its author") from error
