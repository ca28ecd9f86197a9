"""`mooring config set`: one value changed in the file that owns it."""

from __future__ import annotations

import json
from typing import Any

from mooring.cli.here import Here
from mooring.cli.render import complain, emit, say
from mooring.cli.where import chosen, key_path, short
from mooring.config.document import dotted
from mooring.config.edit import set_value
from mooring.config.targets import global_place
from mooring.core.merge import find, plain
from mooring.core.views import problem_views, tree_view

__all__ = ["run"]


def run(here: Here, *, key: str, value: str, as_json: bool, **scope: Any) -> int:
    loaded = here.load()
    path = key_path(key, loaded.config.servers)
    place = chosen(here, **scope)
    if place is None and path[0] != "mcp" and find(loaded.tree, path) is None:
        place = global_place(here.dirs)
    wanted = _typed(value)
    change = set_value(loaded, path, wanted, place)
    after = here.load()
    node = find(after.tree, path)
    origin = node.origin if node else None
    is_effective = node is not None and plain(node) == wanted
    known = {problem.sentence for problem in loaded.config.problems}
    problems = [problem for problem in after.config.problems if problem.sentence not in known]
    if as_json:
        emit(
            {
                "key": dotted(path),
                "file": change.file,
                "effective": tree_view(after.tree, path),
                "overruled": not is_effective,
                "problems": problem_views(problems),
            }
        )
        return 0
    say(f"{dotted(path)} written to {short(here, change.file)}")
    if origin is not None and origin.source.name != change.file:
        say(f"  note {origin.source} ({origin.source.layer}) is stronger and still holds another value")
    for problem in problems:
        complain(problem)
    return 0


def _typed(text: str) -> Any:
    """JSON where it is JSON, else the text as it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text
