"""What became of a login that was given up."""

from __future__ import annotations

from mooring.core.frozen import frozen

__all__ = ["Farewell"]


@frozen
class Farewell:
    """Whether there was anything, and whether the authorization server knows; `note` says why it does not."""

    had: bool
    revoked: bool
    note: str = ""
