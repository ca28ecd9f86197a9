"""What a request brought back: the bytes as they arrived, looked into only by those who need to."""

from __future__ import annotations

from collections.abc import Mapping

from mooring.core.parts import Part, parts
from mooring.core.results import as_text, is_error
from mooring.core.values import JSON, is_map
from mooring.errors import BadMessage
from mooring.upstream.wire import decode

__all__ = ["Result"]


class Result:
    """A result of any verb; `raw` is its JSON object."""

    __slots__ = ("_value", "raw")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self._value: Mapping[str, JSON] | None = None

    @property
    def value(self) -> Mapping[str, JSON]:
        """All of it, with fields that nobody here knows."""
        if self._value is None:
            value = decode(self.raw)
            if not is_map(value):
                raise BadMessage("a result is not a map", hint="Tell the author of the server")
            self._value = value
        return self._value

    @property
    def is_error(self) -> bool:
        """Whether the tool itself said that it failed."""
        return b'"isError"' in self.raw and is_error(self.value)

    @property
    def text(self) -> str:
        """As a model should read it."""
        return as_text(self.value)

    @property
    def parts(self) -> tuple[Part, ...]:
        return parts(self.value)

    @property
    def structured(self) -> JSON:
        return self.value.get("structuredContent")

    def __repr__(self) -> str:
        return f"Result({len(self.raw)} bytes)"
