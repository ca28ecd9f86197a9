"""What can be heard of a connection while it is made and used; nobody pays for it who does not ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Literal, TypeAlias

from mooring.core.frozen import frozen

__all__ = ["Ended", "Frame", "HttpAnswer", "HttpRequest", "Learned", "Line", "Took", "Trace", "Traced"]

Headers: TypeAlias = tuple[tuple[str, str], ...]


@frozen
class Took:
    """A step on the way to a session is done: `start`, `headers`, `connect`, `fallback`, `handshake`.

    `end` is the one that only begins: nothing more is asked.
    """

    step: str


@frozen
class Frame:
    """One message, as it was written or as it arrived."""

    way: Literal["out", "in"]
    message: bytes = field(repr=False)


@frozen
class HttpRequest:
    """`number` is that of its answer, if there comes one; nothing here is masked."""

    number: int
    method: str
    url: str = field(repr=False)
    headers: Headers = field(default=(), repr=False)


@frozen
class HttpAnswer:
    """Status and headers; what follows them are frames, or part of an error."""

    number: int
    status: int
    headers: Headers = field(default=(), repr=False)


@frozen
class Line:
    """What a local server says on stderr; secrets that are known are masked in it."""

    text: str


@frozen
class Ended:
    """A local server has ended; the code is negative where a signal did it."""

    code: int


@frozen
class Learned:
    """Values that came up on the way and must not be shown, told before anything that may hold them."""

    secrets: tuple[str, ...] = field(repr=False)


Traced: TypeAlias = Took | Frame | HttpRequest | HttpAnswer | Line | Ended | Learned
Trace: TypeAlias = Callable[[Traced], None]
