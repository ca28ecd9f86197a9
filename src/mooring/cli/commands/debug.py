"""`mooring debug`: one connection, with everything that goes over the wire."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from mooring.cli.here import Here
from mooring.cli.named import named
from mooring.cli.render import emit, mark, out, say
from mooring.cli.run import exit_code
from mooring.core.redact import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from mooring.core.spec import Config, Entry
    from mooring.core.transcript import Note, Record
    from mooring.core.trial import Step
    from mooring.errors import MooringError
    from mooring.host.yard import Way

__all__ = ["run"]


def run(here: Here, name: str, *, full: bool, as_json: bool) -> int:
    import asyncio

    config, (entry,) = named(here, [name])
    if as_json:
        from mooring.core.transcript_view import record

        written = asyncio.run(_written(here, config, entry, lambda _note: None))
        emit(record(written))
    else:
        written = asyncio.run(_shown(here, config, entry, full=full))
    error = written.trial.error
    return 0 if error is None else exit_code(error)


async def _shown(here: Here, config: Config, entry: Entry, *, full: bool) -> Record:
    """Line by line as it happens, and then what came of it."""
    from mooring.cli.negotiated import agreed
    from mooring.cli.steps import failure, head, looked, summary
    from mooring.cli.transcript import shown
    from mooring.core.transcript_view import record

    out(head(entry))
    written = await _written(here, config, entry, lambda note: out(shown(here, note, full=full)))
    for line in agreed(record(written)):
        out(line)
    for line in (*failure(written.trial), *looked(written.login)):
        out(line)
    out(summary(written.trial))
    known = written.known
    if written.trial.error is not None and known is not None and known.protocol != "auto":
        say(f"{mark('note', 'yellow')} the handshake began with what is remembered of earlier runs")
        say(f"  {mark('hint', 'cyan')} mooring reload {quote(visible(entry.name))}")
    return written


async def _written(here: Here, config: Config, entry: Entry, show: Callable[[Note], None]) -> Record:
    """What is heard is shown from here: where it is heard nobody can deal with a terminal that is gone."""
    import asyncio

    from mooring.core.transcript import Record
    from mooring.host.transcript import Transcript, known_of
    from mooring.host.trial import Audience, open_way, try_out
    from mooring.system.tasks import beside, let_go

    notes: list[Note] = []
    heard: asyncio.Queue[Note | None] = asyncio.Queue()
    transcript = Transcript(heard.put_nowait)
    with open_way(config, cwd=here.cwd, env=here.env) as way:
        known = known_of(way, entry)
        audience = Audience(done=transcript.step, trace=transcript.hear)
        trial = beside(try_out(way, entry, known.protocol if known else None, audience))
        trial.add_done_callback(lambda _: heard.put_nowait(None))
        try:
            while (note := await heard.get()) is not None:
                notes.append(note)
                show(note)
            tried = await trial
            login = await _login(way, entry, tried.error)
            return Record(entry, tried, tuple(notes), known, login)
        finally:
            await let_go(trial)


async def _login(way: Way, entry: Entry, error: MooringError | None) -> tuple[Step, ...]:
    """What it answers is in the wire already; what is behind that is asked only where a login is wanted."""
    from mooring.core.spec import BadServer
    from mooring.errors import NeedsLogin
    from mooring.host.doors import way_in

    if isinstance(entry, BadServer) or not isinstance(error, NeedsLogin):
        return ()
    return await way_in(error, way.prepare(entry).expanded.spec, way.accounts)
