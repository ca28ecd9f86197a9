"""What can go wrong while a browser is away to log somebody in."""

from __future__ import annotations

from mooring.errors.base import MooringError

__all__ = ["BadCallback", "CallbackBusy", "LoginGivenUp", "NoLogin", "NobodyCame"]


class CallbackBusy(MooringError):
    """The port that the browser comes back to is taken, and no other may be used."""

    code = "MOOR-LOGIN-001"


class BadCallback(MooringError):
    """An address to come back to that cannot be used, or that belongs to another login."""

    code = "MOOR-LOGIN-002"


class NobodyCame(MooringError):
    """The browser did not come back in time."""

    code = "MOOR-LOGIN-003"


class LoginGivenUp(MooringError):
    """Whoever was to log in did not want to."""

    code = "MOOR-LOGIN-004"


class NoLogin(MooringError):
    """A server that one cannot log in to, the way it is configured."""

    code = "MOOR-LOGIN-005"
