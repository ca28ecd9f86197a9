"""What can be wrong with a request that somebody makes to us over HTTP."""

from __future__ import annotations

from mooring.errors.base import MooringError

__all__ = [
    "BadRequest",
    "BodyTooLarge",
    "ForeignHost",
    "ForeignOrigin",
    "HeadersTooLarge",
    "NoCredential",
    "NoForgeryToken",
    "NoSuchRoute",
    "NotJson",
    "PortBusy",
    "RequestRefused",
    "RoleMissing",
    "TooManyRequests",
    "TooSlow",
    "WrongMethod",
]


class RequestRefused(MooringError):
    """A request over HTTP that is not carried out."""

    code = "MOOR-HTTP-001"


class NoCredential(RequestRefused):
    """A request without a credential, or with one that is not known here."""

    code = "MOOR-HTTP-002"


class RoleMissing(RequestRefused):
    """A credential that does not allow what was asked for."""

    code = "MOOR-HTTP-003"


class ForeignHost(RequestRefused):
    """A request for a name that is not ours: a web page elsewhere may have sent it here."""

    code = "MOOR-HTTP-004"


class ForeignOrigin(RequestRefused):
    """A request that a page of another origin has made."""

    code = "MOOR-HTTP-005"


class NoForgeryToken(RequestRefused):
    """A change wanted with nothing but the browser's cookie, which any page can make it send."""

    code = "MOOR-HTTP-006"


class BadRequest(RequestRefused):
    """A request that cannot be understood."""

    code = "MOOR-HTTP-007"


class BodyTooLarge(RequestRefused):
    """A request whose body is larger than the limit; the rest of it was not read."""

    code = "MOOR-HTTP-008"


class HeadersTooLarge(RequestRefused):
    """A request whose headers are larger than the limit."""

    code = "MOOR-HTTP-009"


class NotJson(RequestRefused):
    """A body that is not said to be JSON."""

    code = "MOOR-HTTP-010"


class TooSlow(RequestRefused):
    """A request whose body did not arrive in time."""

    code = "MOOR-HTTP-011"


class TooManyRequests(RequestRefused):
    """More requests or connections at once, or more wrong passwords, than may be."""

    code = "MOOR-HTTP-012"


class NoSuchRoute(RequestRefused):
    """A path that leads nowhere."""

    code = "MOOR-HTTP-013"


class WrongMethod(RequestRefused):
    """A path that is there, and does not know the method."""

    code = "MOOR-HTTP-014"


class PortBusy(MooringError):
    """The port that was asked for cannot be listened on."""

    code = "MOOR-HTTP-015"
