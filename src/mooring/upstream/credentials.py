"""What proves to a remote server who we are, where headers of the configuration do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

__all__ = ["Credentials", "Refusal"]


class Refusal(Protocol):
    """What the server answers that will not let us in; the names of its headers are in small letters."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...


class Credentials(Protocol):
    """Asked before each request, so it must be quick where nothing is to be renewed."""

    async def headers(self, method: str, url: str) -> Mapping[str, str]:
        """What to add to this one request; these win over headers of the same name in the configuration."""
        ...

    async def refused(self, url: str, refusal: Refusal, sent: Mapping[str, str]) -> bool:
        """The server wants others than `sent`; True where there are new ones, and one more try is due."""
        ...
