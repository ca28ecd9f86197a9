"""The files that a configuration is read from, and those of them that may be written over HTTP."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

from mooring.config.load import Loaded, load
from mooring.config.places import Place, global_places, managed_places, user_places
from mooring.config.targets import global_place, project_place
from mooring.config.wellknown import organisation
from mooring.core.spec import Layer
from mooring.errors import NotEditable
from mooring.host.surroundings import Surroundings

__all__ = ["editable", "files", "loaded"]


def loaded(place: Surroundings) -> Loaded:
    """What holds now; it reads the disk."""
    return load(place.cwd, place.dirs, place.env, organisation(place.dirs, place.env))


def files(place: Surroundings) -> list[dict[str, Any]]:
    """An organisation's address is among them where one is asked."""
    sources = loaded(place).sources
    read = {source.name for source in sources}
    asked = [(source.layer, source.name) for source in sources if source.layer is Layer.ORGANISATION]
    rows = [*asked, *((each.layer, each.name) for each in _places(place))]
    return [
        {"layer": layer.value, "file": name, "state": "read" if name in read else _state(name)}
        for layer, name in rows
    ]


def editable(place: Surroundings, file: str) -> Place:
    """By `global`, `project`, or the path of one that is read here: nothing else is anybody's to write."""
    match file:
        case "global":
            return global_place(place.dirs)
        case "project":
            return project_place(place.cwd)
        case _:
            pass
    mine = chain(global_places(place.dirs), user_places(place.cwd, place.dirs, place.env))
    for each in mine:
        if each.name == file and each.layer is not Layer.INLINE:
            return each
    raise NotEditable("This is no configuration file that is read here", hint="GET /api/v1/config/files")


def _places(place: Surroundings) -> chain[Place]:
    user = user_places(place.cwd, place.dirs, place.env)
    return chain(global_places(place.dirs), user, managed_places(place.dirs))


def _state(name: str) -> str:
    try:
        return "broken" if Path(name).exists() else "-"
    except OSError:
        return "broken"
