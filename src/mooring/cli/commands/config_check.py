"""`mooring config check`: every mistake in every file."""

from __future__ import annotations

from mooring.cli.here import Here
from mooring.cli.render import complain, counted, emit, say
from mooring.core.views import problem_views

__all__ = ["run"]


def run(here: Here, *, as_json: bool) -> int:
    loaded = here.load()
    problems = loaded.config.problems
    errors = sum(problem.severity == "error" for problem in problems)
    if as_json:
        emit(
            {"ok": not errors, "problems": problem_views(problems), "files": [s.name for s in loaded.sources]}
        )
    else:
        for problem in problems:
            complain(problem)
        found = f"{counted(errors, 'error')}, {counted(len(problems) - errors, 'note')}"
        say(f"{counted(len(loaded.sources), 'file')} read: {found}")
    return 2 if errors else 0
