"""What a server that turns us away is waiting for: a login, a client id, or another key in its headers."""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote

from mooring.auth.accounts import Accounts
from mooring.auth.challenge import Challenge
from mooring.core.redact import visible
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.status import Failed, Status
from mooring.core.trial import Step, Verdict
from mooring.errors import BadValue, MooringError, NeedsLogin
from mooring.host.verdict import status_of

__all__ = ["asking_for", "is_keyed", "more", "waiting", "way_in"]

_VERDICTS: dict[str, Verdict] = {"ok": "ok", "absent": "note", "failed": "failed"}


async def waiting(
    error: NeedsLogin,
    spec: LocalSpec | RemoteSpec,
    accounts: Accounts,
    meanwhile: Callable[[Status], None] | None = None,
) -> Status:
    """Found by looking: nothing is registered, nothing stored, and nobody asked. That may take a while."""
    if not isinstance(spec, RemoteSpec):
        return status_of(error)
    name = spec.name
    if spec.oauth is None:
        error.hint = f"`oauth` is off: give it a key, `mcp.{name}.headers`"
        return Failed(error)
    if is_keyed(spec):
        error.hint = f"Correct `Authorization` in `mcp.{name}.headers`, or remove it to log in"
        return Failed(error)
    if error.status == 401 or "insufficient_scope" in error.challenge:
        if meanwhile is not None:
            meanwhile(status_of(error))
        return await accounts.look(spec, error.challenge)
    return status_of(error)


def is_keyed(spec: RemoteSpec) -> bool:
    """Whether the configuration itself says who we are; a login would never be sent beside that."""
    return any(name.lower() == "authorization" for name in spec.headers)


def more(name: str, error: NeedsLogin) -> bool:
    """Whether the login is known and may not do enough; then the hint says how to get one that may."""
    asked = Challenge.of(error.challenge)
    if not asked.wants_more:
        return False
    what = f" --scope {quote(asked.scope)}" if asked.scope else ""
    error.hint = f"mooring auth {quote(name)}{what}"
    return True


def asking_for(scope: str, challenge: str) -> str:
    """The challenge of a server that wants this scope as well; of what it really said the rest stays."""
    words = " ".join(scope.split())
    if not words or not words.isascii() or not words.isprintable() or set(words) & set('"\\'):
        raise BadValue(f"`{visible(scope)}` is no scope", hint="Scopes are words with spaces between them")
    return f'Bearer error="insufficient_scope", scope="{words}", {challenge}'.rstrip(", ")


async def way_in(
    error: MooringError | None, spec: LocalSpec | RemoteSpec, accounts: Accounts
) -> tuple[Step, ...]:
    """How far a login would come at a server that wants one, found by looking as well."""
    if not isinstance(error, NeedsLogin) or not isinstance(spec, RemoteSpec) or is_keyed(spec):
        return ()
    if spec.oauth is None:
        return ()
    looked = await accounts.walk(spec, error.challenge)
    return tuple(Step(step.name, _VERDICTS[step.outcome], says=step.said) for step in looked)
