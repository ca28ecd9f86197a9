"""`mooring test`: servers tried out, every step of the way timed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mooring.cli.here import Here
from mooring.cli.named import named
from mooring.cli.render import emit, out
from mooring.cli.run import exit_code, worst

if TYPE_CHECKING:
    from mooring.core.spec import Entry
    from mooring.core.trial import Step, Trial
    from mooring.host.yard import Way

__all__ = ["run"]


def run(here: Here, names: tuple[str, ...], *, as_json: bool) -> int:
    import asyncio

    from mooring.host.trial import open_way

    config, entries = named(here, names)

    async def whole() -> list[Trial]:
        with open_way(config, cwd=here.cwd, env=here.env) as way:
            if len(entries) == 1 and not as_json:
                return [await _watched(here, way, entries[0])]
            return await _together(here, way, entries, is_shown=not as_json)

    tried = asyncio.run(whole())
    if as_json:
        from mooring.core.views import trial

        emit([trial(each) for each in tried])
    return worst(exit_code(each.error) for each in tried if each.error is not None)


async def _watched(here: Here, way: Way, entry: Entry) -> Trial:
    """One alone is shown step by step, as it goes."""
    from mooring.cli.progress import progress_line
    from mooring.cli.steps import failure, head, line, summary
    from mooring.host.trial import Audience, try_out

    out(head(entry))
    with progress_line("") as passing:

        def begins(name: str) -> None:
            passing.draw(f"  … {name}")

        def done(step: Step) -> None:
            passing.clear()
            out(line(here, step))

        tried = await try_out(way, entry, audience=Audience(begins, done))
    for each in failure(tried):
        out(each)
    out(summary(tried))
    return tried


async def _together(here: Here, way: Way, entries: list[Entry], *, is_shown: bool) -> list[Trial]:
    """All at once, so that none waits for another; told one after the other."""
    from mooring.cli.progress import progress_line
    from mooring.host.trial import try_out
    from mooring.system.tasks import beside, let_go

    trials = [beside(try_out(way, entry)) for entry in entries]
    try:
        with progress_line("") as passing:
            for entry, trial in zip(entries, trials, strict=True):
                waits = [each.name for each, other in zip(entries, trials, strict=True) if not other.done()]
                passing.draw(f"… {', '.join(waits)}")
                tried = await trial
                passing.clear()
                if is_shown:
                    _show(here, entry, tried, is_first=entry is entries[0])
        return [trial.result() for trial in trials]
    finally:
        await let_go(*trials)


def _show(here: Here, entry: Entry, tried: Trial, *, is_first: bool) -> None:
    from mooring.cli.steps import failure, head, line, summary
    from mooring.core.trial import NOT_REACHED

    steps = [line(here, step) for step in tried.steps if step.says != NOT_REACHED]
    report = [head(entry), *steps, *failure(tried), summary(tried)]
    out("\n".join(report if is_first else ["", *report]))
