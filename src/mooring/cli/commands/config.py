"""`mooring config`: what holds here, and where each value was written."""

from __future__ import annotations

from typing import Any

from mooring.cli.here import Here
from mooring.cli.render import complain, document, emit, out, say, table
from mooring.cli.where import line_of
from mooring.config.document import dotted
from mooring.config.load import Loaded
from mooring.core.redact import clean, visible
from mooring.core.views import entry_view, problem_views, value_views

__all__ = ["run", "values"]


def run(here: Here, *, as_json: bool) -> int:
    loaded = here.load()
    if as_json:
        emit(
            {
                "values": values(loaded),
                "servers": [entry_view(entry) for entry in loaded.config.servers.values()],
                "files": [{"layer": source.layer.value, "file": source.name} for source in loaded.sources],
                "problems": problem_views(loaded.config.problems),
            }
        )
        return 0
    rows = [
        (clean(value["key"]), line_of(here, value), visible(document(value["value"], indent=None)))
        for value in values(loaded)
    ]
    if rows:
        out(table(rows))
    else:
        say("Nothing is configured yet")
        say("  hint mooring add NAME -- COMMAND, or mooring import")
    for problem in loaded.config.problems:
        complain(problem)
    return 0


def values(loaded: Loaded) -> list[dict[str, Any]]:
    return value_views(loaded.tree, loaded.spots.of, dotted)
