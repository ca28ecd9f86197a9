"""Whole results that clients were given only a part of, kept for a while in memory."""

from __future__ import annotations

from secrets import token_urlsafe

from mooring.core.shortened import contents, shortened
from mooring.errors import UnknownItem
from mooring.upstream.session import Result
from mooring.upstream.wire import encode

__all__ = ["TEMPLATE", "Results"]

PREFIX = "mooring://results/"
TEMPLATE = {
    "uriTemplate": f"{PREFIX}{{id}}",
    "name": "whole-result",
    "title": "The whole of a result that was cut",
    "description": "What a call brought back, where the answer was too long; it says the id",
}
_MOST = 64 * 1024 * 1024
_FEWEST_BYTES_PER_TOKEN = 3


class Results:
    """An id cannot be guessed, so that whoever has it was given it. The oldest make room for the newest."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: dict[str, Result] = {}
        self._size = 0

    def shortened(self, result: Result, most: int) -> bytes:
        """The same bytes where they cost no more than so many tokens."""
        if len(result.raw) <= most * _FEWEST_BYTES_PER_TOKEN:
            return result.raw
        uri = f"{PREFIX}{token_urlsafe(16)}"
        short = shortened(result.value, most, uri)
        if short is None:
            return result.raw
        self._keep(uri, result)
        return encode(short)

    def read(self, uri: str) -> bytes | None:
        """None where the address is nobody's of ours."""
        if not uri.startswith(PREFIX):
            return None
        whole = uri.partition("#")[0]
        result = self._kept.get(whole)
        if result is None:
            raise UnknownItem("this result is not kept any more", hint="Call the tool again")
        return encode({"contents": contents(result.value, whole)})

    def _keep(self, uri: str, result: Result) -> None:
        # Read anew when it is asked for: the values of a long result take several times its bytes.
        self._kept[uri] = Result(result.raw)
        self._size += len(result.raw)
        while self._size > self._most and len(self._kept) > 1:
            oldest = next(iter(self._kept))
            self._size -= len(self._kept.pop(oldest).raw)
