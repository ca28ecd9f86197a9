"""Whether a command may run in a `serve`: whether it would see there what it sees where it was typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mooring.config.places import global_places, managed_places, user_places
from mooring.config.watch import seen
from mooring.core.redact import visible
from mooring.core.spec import BadServer, Config, Entry, LocalSpec
from mooring.core.template import texts, variables
from mooring.system.rendezvous import root_of

if TYPE_CHECKING:
    from mooring.cli.here import Here

__all__ = ["difference", "named", "unlike"]

OURS = ("OPENCODE_", "MOORING_")
# They say how a `serve` is reached over HTTP, and nothing of what it does.
DOORS = frozenset(
    {
        "MOORING_TOKEN",
        "MOORING_SERVER_PASSWORD",
        "OPENCODE_SERVER_PASSWORD",
        "OPENCODE_SERVER_USERNAME",
    }
)


def difference(there: Here, here: Here) -> str:
    """What is not as it is in the `serve`, in words and without a value; empty where nothing is."""
    if root_of(str(here.cwd)) != root_of(str(there.cwd)):
        return "it serves another project"
    if here.dirs != there.dirs:
        return "it has other folders (`HOME`, `XDG_…`)"
    names = {name for env in (here.env, there.env) for name in env if name.startswith(OURS)} - DOORS
    if name := unlike(names, here.env, there.env):
        return f"`{visible(name)}` has another value there"
    ours, theirs = _sources(there), _sources(here)
    if ours != theirs:
        odd = next(iter(ours.keys() ^ theirs.keys()), None) or next(iter(ours))
        return f"`{visible(odd[0])}` does not count for both"
    return ""


def unlike(names: set[str], here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """The first of these variables that differs."""
    return next((name for name in sorted(names) if here.get(name) != there.get(name)), "")


def named(config: Config) -> set[str]:
    """The variables that a configuration refers to."""
    return {name for entry in config.servers.values() for name in _named(entry)}


def _named(entry: Entry) -> Iterator[str]:
    if isinstance(entry, BadServer):
        return
    for _, text in texts(entry):
        yield from (each.name for each in variables(text) if each.kind == "env")
    if isinstance(entry, LocalSpec) and entry.inherit is not True:
        yield from entry.inherit


def _sources(here: Here) -> dict[tuple[str, str], str]:
    """Every place where something is written, in its order, with a mark of what it is."""
    places = [
        *global_places(here.dirs),
        *user_places(here.cwd, here.dirs, here.env),
        *managed_places(here.dirs),
    ]
    marks = seen(places)
    found: dict[tuple[str, str], str] = {}
    for place in places:
        mark = marks.get(place, "") if place.text is None else place.text
        if mark:
            found[place.name, place.folder] = mark
    return found
