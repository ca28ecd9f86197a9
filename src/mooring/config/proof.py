"""An entry tried out before it is written anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mooring.config.build import build
from mooring.config.dialects import read_tree
from mooring.config.places import Place
from mooring.core.merge import Branch, laid
from mooring.core.spec import BadServer, Layer, LocalSpec, RemoteSpec
from mooring.errors import BadValue
from mooring.system.dirs import Dirs

__all__ = ["proven"]


def proven(name: str, entry: Mapping[str, Any], dirs: Dirs) -> LocalSpec | RemoteSpec:
    """What the entry would be once it is read; an error says what the next reading would say."""
    place = Place(Layer.GLOBAL, "the new entry", str(dirs.config))
    reading = read_tree({"mcp": {name: dict(entry)}}, place, str(dirs.home))
    config = build(laid(Branch({}), reading.tree), lambda _: None)
    match config.servers.get(name):
        case LocalSpec() | RemoteSpec() as spec:
            return spec
        case BadServer(errors=(first, *_)):
            raise BadValue(first.sentence, hint=first.hint)
        case _:
            raise BadValue(
                f"`{name}` says neither what to start nor what to call", hint="Give a command or a url"
            )
