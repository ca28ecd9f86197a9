"""`mooring config path`: every file that is read, and those that would be."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from mooring.cli.here import Here
from mooring.cli.render import emit, out, table
from mooring.cli.where import short
from mooring.config.places import global_places, managed_places, user_places

__all__ = ["run"]


def run(here: Here, *, as_json: bool) -> int:
    """Files that are there carry a mark; an organisation's address is among them where one is asked."""
    loaded = here.load()
    read = {source.name for source in loaded.sources}
    asked = [(source.layer, source.name) for source in loaded.sources if source.layer == "organisation"]
    places = chain(
        global_places(here.dirs), user_places(here.cwd, here.dirs, here.env), managed_places(here.dirs)
    )
    found = [*asked, *((place.layer, place.name) for place in places)]
    states = [(layer.value, name, "read" if name in read else _state(name)) for layer, name in found]
    if as_json:
        emit([{"layer": layer, "file": name, "state": state} for layer, name, state in states])
    else:
        out(table([(layer, state, short(here, name)) for layer, name, state in states]))
    return 0


def _state(name: str) -> str:
    try:
        return "broken" if Path(name).exists() else "-"
    except OSError:
        return "broken"
