"""What an authorization server answers: tokens, or why there are none."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mooring.auth.fetch import Fetched
from mooring.auth.vault import Tokens
from mooring.core.frozen import frozen
from mooring.core.redact import clean, mask, mask_shapes
from mooring.core.values import JSON, is_number
from mooring.errors import HttpRefused, LoginFailed

__all__ = ["Asked", "Refusal", "refusal", "reworded", "tokens_in"]

LONGEST = 200
MOST_SECONDS = 366 * 86400.0
_CODE = re.compile(r"[A-Za-z0-9_.-]{1,60}")


@frozen
class Refusal:
    """A no that asking again would not change; `code` is "" where it was not said in OAuth's words."""

    status: int
    code: str
    said: str


@frozen
class Asked:
    """What was asked for, at which step and where."""

    step: str
    origin: str
    kind: str
    now: float


def tokens_in(asked: Asked, answer: Fetched, before: Tokens | None = None) -> Tokens:
    """`before` are those that were renewed: what the answer does not mention stays as it was."""
    step, origin, now = asked.step, asked.origin, asked.now
    given = answer.json or {}
    access, kind = given.get("access_token"), given.get("token_type", "bearer")
    if not isinstance(access, str) or not access or not access.isascii() or not access.isprintable():
        raise LoginFailed(f"{step}: `{origin}` answers {answer.status} without a token", step=step)
    if not isinstance(kind, str) or kind.lower() != asked.kind:
        raise LoginFailed(f"{step}: `{origin}` gives a token of a kind that nobody asked for", step=step)
    lasts = _seconds(given.get("expires_in"))
    return Tokens(
        access,
        refresh=_text(given.get("refresh_token")) or (before.refresh if before else None),
        expires_at=None if lasts is None else now + lasts,
        scope=_text(given.get("scope")) or (before.scope if before else None),
        issued_at=now,
    )


def refusal(step: str, answer: Fetched, origin: str, secrets: Iterable[str | None]) -> Refusal | None:
    """None for a success. A server in trouble is an error that passes, not an answer."""
    if answer.status in (200, 201) and not _is_no(answer):
        return None
    if answer.status == 429 or answer.status >= 500:
        raise HttpRefused(
            f"{step}: `{origin}` answers {answer.status}",
            hint="Try again later",
            status=answer.status,
            headers=answer.headers,
        )
    given = answer.json or {}
    error = given.get("error")
    code = error if isinstance(error, str) and _CODE.fullmatch(error) else ""
    more = reworded(given.get("error_description"), secrets)
    said = f"{code}: {more}" if code and more else code or more or f"status {answer.status}"
    return Refusal(answer.status, code, said)


def _is_no(answer: Fetched) -> bool:
    """Some well-known ones say no with a status that says yes."""
    given = answer.json or {}
    return isinstance(given.get("error"), str) and "access_token" not in given and "client_id" not in given


def reworded(text: JSON, secrets: Iterable[str | None] = ()) -> str:
    """Words of others on one line, without anything that is secret or moves a cursor."""
    if not isinstance(text, str):
        return ""
    line = " ".join(clean(text[:4096]).split())
    return mask_shapes(mask(line, tuple(secret for secret in secrets if secret)))[:LONGEST]


def _seconds(value: JSON) -> float | None:
    if isinstance(value, str) and value.isdigit() and len(value) < 12:
        value = int(value)
    return min(max(float(value), 0.0), MOST_SECONDS) if is_number(value) else None


def _text(value: JSON) -> str | None:
    return value if isinstance(value, str) and value and value.isprintable() else None
