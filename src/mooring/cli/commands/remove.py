"""`mooring remove`: a server taken out of the file that owns it."""

from __future__ import annotations

from typing import Any

from mooring.cli.here import Here
from mooring.cli.render import emit, say
from mooring.cli.where import chosen, short
from mooring.config.edit import remove, sources_of
from mooring.errors import UnknownServer

__all__ = ["run"]


def run(here: Here, *, name: str, as_json: bool, **scope: Any) -> int:
    change = remove(here.load(), name, chosen(here, **scope))
    after = here.load()
    try:
        left = [source.name for source in sources_of(after, name)]
    except UnknownServer:
        left = []
    if as_json:
        emit({"removed": name, "file": change.file, "stillIn": left})
        return 0
    say(f"Removed `{name}` from {short(here, change.file)}")
    for file in left:
        say(f"  note {short(here, file)} still has it")
    return 0
