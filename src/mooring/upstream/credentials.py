"""What proves to a remote server who we are, where headers of the configuration do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

__all__ = ["Credentials"]


class Credentials(Protocol):
    """Asked before each request, so it must be quick where nothing is to be renewed."""

    async def headers(self) -> Mapping[str, str]:
        """What to add; these win over headers of the same name in the configuration."""
        ...

    async def refused(self, status: int, challenge: str, sent: Mapping[str, str]) -> bool:
        """The server wants others than `sent`; True where there are new ones, and one more try is due."""
        ...
