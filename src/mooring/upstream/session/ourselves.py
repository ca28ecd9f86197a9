"""Who we say we are, what we can be asked, and by whom the answers are given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from typing import TypeAlias

from mooring import __version__
from mooring.core.frozen import frozen
from mooring.core.values import JSON
from mooring.errors import ServerError

__all__ = ["Answer", "Ourselves"]

Answer: TypeAlias = Callable[[str, Mapping[str, JSON], object], Awaitable[Mapping[str, JSON]]]
Capabilities: TypeAlias = Callable[[object], Mapping[str, JSON]]


async def _nobody(method: str, params: Mapping[str, JSON], cause: object) -> Mapping[str, JSON]:  # noqa: ARG001
    raise ServerError(f"no method `{method[:60]}` here", number=-32601)


def _nothing(cause: object) -> Mapping[str, JSON]:  # noqa: ARG001 - nothing is the same for everybody
    return {}


@frozen
class Ourselves:
    """`capabilities` and `answer` are told the cause: whose request it is that the server asks about.

    With no cause at all the question is about the connection.
    """

    capabilities: Capabilities = _nothing
    answer: Answer = _nobody
    about: Mapping[str, JSON] = field(
        default_factory=lambda: {"name": "mooring", "title": "Mooring", "version": __version__}
    )
    log_level: str | None = None
