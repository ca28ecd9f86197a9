"""What can be wrong between us and an authorization server."""

from __future__ import annotations

from mooring.errors.base import MooringError

__all__ = ["LoginDenied", "LoginFailed", "UnsafeAddress"]


class LoginFailed(MooringError):
    """A login that came to nothing; `step` is how far it got."""

    code = "MOOR-AUTH-003"

    def __init__(self, sentence: str, *, hint: str = "", step: str = "") -> None:
        super().__init__(sentence, hint=hint)
        self.step = step


class LoginDenied(LoginFailed):
    """The authorization server, or the person in front of it, said no."""

    code = "MOOR-AUTH-004"


class UnsafeAddress(LoginFailed):
    """An address that a login must not touch, named by whoever answered the step before."""

    code = "MOOR-AUTH-005"
