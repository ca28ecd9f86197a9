"""What is sent to a server that somebody has logged in to, renewed before it runs out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from math import inf
from typing import Protocol

from mooring.auth.clocks import seconds_ahead
from mooring.auth.dpop import Prover
from mooring.auth.fit import kept_for
from mooring.auth.renew import stale_at
from mooring.auth.vault import Record, Vault
from mooring.core.spec import RemoteSpec
from mooring.errors import MooringError

__all__ = ["Bearer", "Refusal", "Renewal"]

PAUSE = 10.0
UNKNOWN = 401


class Refusal(Protocol):
    """What a server answers that will not let us in; the names of its headers are in small letters."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...


class Renewal(Protocol):
    """How new tokens are had; it blocks."""

    def can(self, record: Record) -> bool: ...

    def run(self, seen: Record, challenge: str, now: float) -> Record | None: ...


class Bearer:
    """Of one server. Nothing is held while a request runs, so calls do not wait for each other.

    Nobody is asked to log in from here: without tokens nothing is sent, and the server says what it wants.
    """

    def __init__(
        self,
        vault: Vault,
        spec: RemoteSpec,
        record: Record,
        renewal: Renewal,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._vault = vault
        self._spec = spec
        self._renewal = renewal
        self._clock = clock
        self._renewing: asyncio.Task[Record | None] | None = None
        self._forced_at = -inf
        self._key: str | None = None
        self._prover: Prover | None = None
        self._take(record)

    @property
    def record(self) -> Record:
        """What it goes by now."""
        return self._record

    async def headers(self, method: str, url: str) -> Mapping[str, str]:
        if self._clock() >= self._stale_at and self._renewal.can(self._record):
            await self._renew_early()
        tokens = self._record.tokens
        if self._prover is None or tokens is None:
            return self._shown
        return {**self._shown, "dpop": self._prover.proof(method, url, self._clock(), tokens.access)}

    async def refused(self, url: str, refusal: Refusal, sent: Mapping[str, str]) -> bool:
        """More scope is a person's to give; a token that is too old, or was taken back, may be renewed."""
        if refusal.status != UNKNOWN:
            return False
        if self._prover is not None and self._can_prove_better(self._prover, url, refusal, sent):
            return True
        if self._adopted(sent):
            return True
        if not self._is_renewing:
            now = time.monotonic()
            if not self._renewal.can(self._record) or now - self._forced_at < PAUSE:
                return False
            if self._shown:
                # The first token is not one too many.
                self._forced_at = now
        await self._renew(refusal.headers.get("www-authenticate", ""))
        return self._has_others_than(sent)

    def _can_prove_better(self, prover: Prover, url: str, refusal: Refusal, sent: Mapping[str, str]) -> bool:
        number = refusal.headers.get("dpop-nonce")
        if prover.learn(url, number) or (number and prover.knows_more(url, sent.get("dpop", ""))):
            return True
        is_doubted = "invalid_dpop_proof" in refusal.headers.get("www-authenticate", "")
        return is_doubted and prover.set_clock(seconds_ahead(refusal.headers, self._clock()))

    def _adopted(self, sent: Mapping[str, str]) -> bool:
        """Whether there are newer ones already: renewed here, or by another process, or after a new login."""
        if self._has_others_than(sent):
            return True
        kept = kept_for(self._vault, self._spec)
        if kept is None or kept.generation <= self._record.generation:
            return False
        self._take(kept)
        return self._has_others_than(sent)

    def _has_others_than(self, sent: Mapping[str, str]) -> bool:
        return bool(self._shown) and self._shown.get("authorization") != sent.get("authorization")

    @property
    def _is_renewing(self) -> bool:
        return self._renewing is not None and not self._renewing.done()

    async def _renew_early(self) -> None:
        """A failure matters only once the old token is worth nothing."""
        try:
            await self._renew()
        except MooringError:
            tokens = self._record.tokens
            if tokens is None or tokens.expires_at is None or self._clock() >= tokens.expires_at:
                raise
            self._stale_at = self._clock() + PAUSE

    async def _renew(self, challenge: str = "") -> None:
        """Who comes while it is under way waits for the same; who stops waiting does not stop it."""
        task = self._renewing
        if task is None or task.done():
            work = asyncio.to_thread(self._renewal.run, self._record, challenge, self._clock())
            task = self._renewing = asyncio.create_task(work)
            task.add_done_callback(_heard)
        record = await asyncio.shield(task)
        if record is not self._record:
            self._take(record or Record(self._spec.name, self._spec.url))

    def _take(self, record: Record) -> None:
        self._record = record
        tokens = record.tokens
        if record.key != self._key:
            self._key, self._prover = record.key, Prover(record.key) if record.key else None
        kind = "DPoP" if record.key else "Bearer"
        self._shown: Mapping[str, str] = {"authorization": f"{kind} {tokens.access}"} if tokens else {}
        self._stale_at = stale_at(tokens) if tokens else inf


def _heard(task: asyncio.Task[Record | None]) -> None:
    """Perhaps nobody waits any more."""
    if not task.cancelled():
        task.exception()
