"""One value or address as it may be shown to anybody."""

from __future__ import annotations

import re
from urllib.parse import unquote

from mooring.core.redact.secrets import HIDDEN
from mooring.core.redact.shapes import is_random, mask_literal, mask_shapes, names_secret

__all__ = ["mask_url", "mask_value"]

_HARMLESS = re.compile(
    r"|(?i:true|false|yes|no|on|off|none|null|trace|debug|verbose|info|notice|warn|warning|error|critical|fatal"
    r"|silent|dev|development|prod|production|staging|test|local)|[0-9]{1,5}"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,31}")
# Only with one of these before it an `@` in the path is surely no end of a password with a `/` in it.
_CERTAIN_HOST = re.compile(
    r"(?:[A-Za-z0-9_-]+\.)+(?:com|org|net|io|dev|ai|app|cloud|sh|edu|gov)(?::[0-9]{1,5})?"
)
_LONG_SEGMENT = 16
_PLAIN_WORDS = re.compile(r"[a-z]{0,16}(?:[_,-][a-z]{1,16}){0,3}")
_QUERY_PART = re.compile(r"([&;])")


def mask_value(key: str, value: str) -> str:
    """A header, variable or option for display: templates, words that cannot be a secret, else `***`."""
    if _HARMLESS.fullmatch(value) and (not value or not names_secret(key)):
        return value
    return mask_literal(value)


def mask_url(url: str) -> str:
    """An address without user, password, secret parameters and fragment; garbage is masked the same way."""
    scheme, separator, rest = url.partition("://")
    if not _SCHEME.fullmatch(scheme) or not separator:
        scheme, separator, rest = "", "", url
    user, at, behind = _split_user(rest, has_scheme=bool(separator))
    address, sharp, fragment = behind.partition("#")
    before, mark, query = address.partition("?")
    return (
        scheme
        + separator
        + (mask_literal(user) if user else "")
        + at
        + "/".join(map(_mask_segment, before.split("/")))
        + mark
        + _mask_query(query)
        + sharp
        + (mask_literal(fragment) if fragment else "")
    )


def _split_user(rest: str, *, has_scheme: bool) -> tuple[str, str, str]:
    """User, `@`, what follows; a password may hold a raw `/`, `?` or `#`, and in doubt all is hidden."""
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    host = authority.rpartition("@")[2]
    in_path = "@" in rest[len(authority) :]
    if not in_path or _CERTAIN_HOST.fullmatch(host) or (not has_scheme and not set(authority) & set("@:")):
        user, at, _ = authority.rpartition("@")
        return user, at, rest[len(user) + len(at) :]
    user, at, behind = rest.rpartition("@")
    return (rest, "", "") if "?" in user or "#" in user else (user, at, behind)


def _mask_segment(segment: str) -> str:
    """A part of the path; some servers are called by an address that is itself the key to them."""
    return HIDDEN if len(segment) >= _LONG_SEGMENT and is_random(segment) else mask_shapes(segment)


def _mask_parameter(name: str, value: str) -> str:
    return mask_value(unquote(name), value) if value else value


def _mask_query(query: str) -> str:
    parts = _QUERY_PART.split(query)
    hiding = False
    for index in range(0, len(parts), 2):
        name, equals, value = parts[index].partition("=")
        if equals:
            hiding = names_secret(unquote(name))
            shown = value if not hiding and _PLAIN_WORDS.fullmatch(value) else _mask_parameter(name, value)
            parts[index] = f"{mask_shapes(name)}={shown}"
            if hiding and not value and index + 1 < len(parts):
                # No secret, or one that begins with an unescaped `&`.
                return "".join(parts[: index + 1]) + HIDDEN
        elif name:
            # A secret with an unescaped `&` in it goes on here.
            parts[index] = HIDDEN if hiding else mask_shapes(name)
    return "".join(parts)
