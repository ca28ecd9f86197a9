"""What a key of the configuration says about the value under it."""

from __future__ import annotations

from enum import Enum, auto

from mooring.core.redact.shapes import names_secret

__all__ = ["Kind", "kind_of"]


class Kind(Enum):
    VALUES = auto()  # headers, variables: each value is a secret unless it says otherwise
    SECRET = auto()
    URL = auto()
    ARGUMENTS = auto()
    HARMLESS = auto()
    UNKNOWN = auto()


_VALUES = frozenset({"headers", "http_headers", "httpHeaders", "environment", "env", "variables"})
_URLS = frozenset({"url", "uri", "serverUrl", "httpUrl", "server_url", "endpoint", "issuer"})
_ARGUMENTS = frozenset({"command", "args"})
_HARMLESS = frozenset(
    {
        "$schema",
        "type",
        "transport",
        "name",
        "title",
        "description",
        "version",
        "enabled",
        "disabled",
        "timeout",
    }
    | {"cwd", "scope", "mode"}
)


def kind_of(key: str) -> Kind:
    for known, kind in (
        (_VALUES, Kind.VALUES),
        (_URLS, Kind.URL),
        (_ARGUMENTS, Kind.ARGUMENTS),
        (_HARMLESS, Kind.HARMLESS),
    ):
        if key in known:
            return kind
    return Kind.SECRET if names_secret(key) else Kind.UNKNOWN
