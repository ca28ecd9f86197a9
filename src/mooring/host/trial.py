"""One server tried out: connected, asked for everything once, and left again, each step timed."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mooring.auth.accounts import Accounts
from mooring.core.frozen import frozen
from mooring.core.items import Kind
from mooring.core.redact import clean, mask, mask_message, mask_shapes
from mooring.core.spec import BadServer, Config, LocalSpec, RemoteSpec, ServerSpec
from mooring.core.spec import Entry as Configured
from mooring.core.trial import NOT_REACHED, Step, Trial, Verdict
from mooring.core.values import JSON
from mooring.errors import CallTimeout, ListTimeout, MooringError, ServerError, ServerExited, ServerFailure
from mooring.host.answers import ourselves
from mooring.host.beforehand import transport_of
from mooring.host.journals import LOG, end_run, keep_log
from mooring.host.lists import Lists, has
from mooring.host.notices import Logged
from mooring.host.surroundings import Surroundings
from mooring.host.yard import Prepared, Way
from mooring.system.journal import Journal
from mooring.upstream.session import Agreed
from mooring.upstream.trace import Ended, Learned, Line, Took, Trace, Traced

if TYPE_CHECKING:
    from mooring.upstream.order import Dial
    from mooring.upstream.session import Pages, Session

__all__ = ["Audience", "open_way", "try_out"]

STDERR_LINES = 20
NO_METHOD = -32601
_ASKED = {
    Kind.TOOL: "tools",
    Kind.RESOURCE: "resources",
    Kind.TEMPLATE: "templates",
    Kind.PROMPT: "prompts",
}
_AFTER = ("handshake", *_ASKED.values(), "ping", "end")


@frozen
class Audience:
    """Who is told, while it happens, that a step begins, that one is done, and everything that is heard."""

    begins: Callable[[str], None] = lambda _name: None
    done: Callable[[Step], None] = lambda _step: None
    trace: Trace | None = None


@contextmanager
def open_way(
    config: Config,
    *,
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    dial: Dial | None = None,
) -> Generator[Way]:
    """To every server of the configuration, without a host that keeps them connected."""
    place = Surroundings.of(cwd, env)
    with place.dialling(dial, leave=False) as dialled:
        yield Way(
            dialled,
            partial(place.prepare, config.inputs),
            partial(ourselves, folder=place.folder),
            Accounts(place.vault(config.settings), env=place.env),
            place.remembered,
            place.journal,
        )


async def try_out(
    way: Way, entry: Configured, protocol: str | None = None, audience: Audience | None = None
) -> Trial:
    """Whatever goes wrong is part of the result. `protocol` stands for what is remembered of the server."""
    attempt = _Attempt(entry, audience or Audience())
    await attempt.run(way, protocol)
    return attempt.trial()


class _Attempt:
    def __init__(self, entry: Configured, audience: Audience) -> None:
        self._entry = entry
        self._audience = audience
        self._steps: list[Step] = []
        self._since = time.monotonic()
        self._ending = 0.0
        self._secrets: tuple[str, ...] = ()
        self._said: deque[str] = deque(maxlen=STDERR_LINES)
        self._exit_code: int | None = None
        self._transport = transport_of(entry)
        self._agreed = Agreed("")

    def trial(self) -> Trial:
        done = {step.name for step in self._steps}
        left = [Step(name, "skipped", says=NOT_REACHED) for name in self._names() if name not in done]
        is_over = bool(self._steps) and self._steps[-1].name == "end"
        before, after = (self._steps[:-1], self._steps[-1:]) if is_over else (self._steps, [])
        agreed = self._agreed
        error = next((step.error for step in self._steps if step.error is not None), None)
        failure = error if isinstance(error, ServerFailure) else None
        return Trial(
            server=self._entry.name,
            transport=self._transport,
            protocol=agreed.protocol,
            server_name=agreed.name,
            server_version=agreed.version,
            capabilities=mask_message(agreed.capabilities, self._secrets),
            instructions=self._safe(agreed.instructions),
            steps=(*before, *left, *after),
            stderr=failure.stderr if failure and failure.stderr else tuple(self._said),
            exit_code=failure.exit_code if failure and failure.exit_code is not None else self._exit_code,
        )

    def _names(self) -> tuple[str, ...]:
        match self._entry:
            case RemoteSpec(headers_command=command):
                return ("configuration", *(("headers",) if command else ()), "connect", *_AFTER)
            case _:
                return ("configuration", "start", *_AFTER)

    # --- what is done

    async def run(self, way: Way, protocol: str | None) -> None:
        prepared = self._prepared(way)
        if prepared is None:
            return
        self._hear(Learned(prepared.expanded.secrets))
        spec = prepared.expanded.spec
        journal = way.journal(spec.name)
        try:
            await self._connect(way, prepared, protocol or spec.protocol, journal)
        finally:
            error = next((step.error for step in self._steps if step.error is not None), None)
            end_run(journal, error, self._secrets)

    async def _connect(self, way: Way, prepared: Prepared, protocol: str, journal: Journal) -> None:
        logged = Logged(self._secrets)

        def noticed(method: str, params: Mapping[str, JSON], _cause: object) -> None:
            if method == LOG and (message := logged.heard(params)) is not None:
                keep_log(journal, message)

        order = way.order(prepared, protocol, notice=noticed, trace=self._hear, journal=journal)
        self._begins(self._next())
        is_met = False
        try:
            async with way.dial(order) as session:
                is_met = True
                self._meet(session)
                await self._ask(session, order.spec)
                is_there = not session.wire.ended.done()
                self._begins("end")
        except MooringError as error:
            self._fail("end" if is_met else self._next(), error)
            if self._exit_code is not None and not isinstance(error, ServerExited):
                self._leave()
        else:
            if is_there:
                self._leave()

    def _prepared(self, way: Way) -> Prepared | None:
        self._begins("configuration")
        entry = self._entry
        if isinstance(entry, BadServer):
            self._fail("configuration", entry.errors[0], tuple(error.sentence for error in entry.errors[1:]))
            return None
        try:
            prepared = way.prepare(entry)
        except MooringError as error:
            self._fail("configuration", error)
            return None
        self._done("configuration", entry.sources[-1].name if entry.sources else "")
        return prepared

    def _meet(self, session: Session) -> None:
        agreed = session.agreed
        self._transport = session.wire.transport or self._transport
        self._agreed = agreed
        who = f"{agreed.name} {agreed.version}".strip()
        self._done("handshake", f"{agreed.protocol} · {who}" if who else agreed.protocol)

    async def _ask(self, session: Session, spec: LocalSpec | RemoteSpec) -> None:
        for kind, name in _ASKED.items():
            if not has(session, kind):
                self._add(Step(name, "skipped", says="not offered"))
                continue
            self._begins(name)
            try:
                pages = await session.all(kind)
            except MooringError as error:
                if kind is Kind.TEMPLATE and isinstance(error, ServerError) and error.number == NO_METHOD:
                    # Resources alone are enough to say that one has resources.
                    self._add(Step(name, "skipped", self._spent(), "not offered"))
                    continue
                self._fail(name, error)
                if session.wire.ended.done() or isinstance(error, (CallTimeout, ListTimeout)):
                    return
            else:
                self._list(name, kind, pages, spec)
        await self._ping(session, spec)

    def _list(self, name: str, kind: Kind, pages: Pages, spec: ServerSpec) -> None:
        """How many there are, and what is wrong with those that cannot be used as they are."""
        listing = Lists({kind: pages.items}).listing(spec.name, spec.tools)
        count = len(getattr(listing, name))
        notes = [finding.sentence for finding in listing.findings]
        if pages.cut:
            notes.append(pages.cut)
        out = len(pages.items) - count
        says = f"{count}, and {out} left out" if out > 0 else str(count)
        self._done(name, says, "note" if notes else "ok", tuple(notes))

    async def _ping(self, session: Session, spec: ServerSpec) -> None:
        self._begins("ping")
        try:
            await session.ping(spec.timeouts.list)
        except ServerError:
            self._done("ping", "it answers, but knows no `ping`", "note")
        except MooringError as error:
            self._fail("ping", error)
        else:
            self._done("ping")

    def _leave(self) -> None:
        self._ending = 0.0
        match self._exit_code:
            case None:
                self._done("end")
            case 0:
                self._done("end", "exit code 0")
            case code if code > 0:
                self._done("end", f"exit code {code}", "note")
            case code:
                name = _signal_name(-code)
                self._done("end", f"it did not leave by itself, and was ended with {name}", "note")

    # --- what is heard meanwhile

    def _hear(self, traced: Traced) -> None:
        match traced:
            case Took(step="start") if self._has("start"):
                self._done("start", "it ended at the first question of the new era: started again", "note")
                self._begins("handshake")
            case Took(step="fallback"):
                self._done("connect", "refused as Streamable HTTP: tried as HTTP+SSE", "note")
                self._begins("handshake")
            case Took(step="handshake"):
                pass
            case Took(step="end"):
                self._ending = time.monotonic()
            case Took(step=name):
                self._done(name)
                self._begins(self._next())
            case Line(text=text):
                self._said.append(text)
            case Ended(code=code):
                self._exit_code = code
            case Learned(secrets=secrets):
                self._secrets = (*self._secrets, *secrets)
            case _:
                pass
        if self._audience.trace is not None:
            self._audience.trace(traced)

    # --- how it is told

    def _next(self) -> str:
        return next((name for name in self._names() if not self._has(name)), "end")

    def _has(self, name: str) -> bool:
        return any(step.name == name for step in self._steps)

    def _begins(self, name: str) -> None:
        self._audience.begins(name)

    def _done(self, name: str, says: str = "", verdict: Verdict = "ok", notes: tuple[str, ...] = ()) -> None:
        self._add(Step(name, verdict, self._spent(), self._safe(says), tuple(map(self._safe, notes))))

    def _fail(self, name: str, error: MooringError, notes: tuple[str, ...] = ()) -> None:
        """An error may repeat what the server said, and a server may say what it was given."""
        safe = copy(error)
        safe.sentence, safe.hint = self._safe(error.sentence), self._safe(error.hint)
        notes = tuple(map(self._safe, notes))
        self._add(Step(name, "failed", self._spent(), safe.sentence, notes, safe))

    def _add(self, step: Step) -> None:
        self._steps.append(step)
        self._audience.done(step)

    def _safe(self, text: str) -> str:
        return mask_shapes(mask(clean(text), self._secrets))

    def _spent(self) -> float:
        """Until now, or until it began to end, if that is what has happened since."""
        now = self._ending or time.monotonic()
        self._ending = 0.0
        spent, self._since = now - self._since, now
        return spent


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
