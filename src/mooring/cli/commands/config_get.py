"""`mooring config get`: one value, and where it was written."""

from __future__ import annotations

from typing import Any

from mooring.cli.commands.config import values
from mooring.cli.here import Here
from mooring.cli.render import document, emit, out, say
from mooring.cli.where import key_path, line_of
from mooring.config.document import dotted
from mooring.config.load import Loaded
from mooring.core.merge import Leaf, Node, find, leaves
from mooring.core.nearest import meant
from mooring.core.redact import visible
from mooring.core.views import origin_view, tree_view
from mooring.errors import BadKey

__all__ = ["run"]


def run(here: Here, *, key: str, as_json: bool) -> int:
    loaded = here.load()
    path = key_path(key, loaded.config.servers)
    node = find(loaded.tree, path)
    if node is None:
        known = (value["key"] for value in values(loaded))
        hint = meant(dotted(path), known, "`mooring config` shows every key")
        raise BadKey(f"`{key}` is not set", hint=hint)
    value = tree_view(loaded.tree, path)
    places = _places(loaded, node)
    if as_json:
        found = places[0] if isinstance(node, Leaf) else {"origins": places}
        emit({"key": dotted(path), "value": value, **found})
        return 0
    out(visible(value) if isinstance(value, str) else document(value))
    say("from " + ", ".join(f"{line_of(here, place)} ({place['layer']})" for place in places))
    return 0


def _places(loaded: Loaded, node: Node) -> list[dict[str, Any]]:
    """Where it was written; of a part, one place for each file that has a say."""
    first = {leaf.origin.source: leaf.origin for _, leaf in reversed(list(leaves(node)))}
    if not first and node.origin is not None:
        first = {node.origin.source: node.origin}
    ranked = [first[source] for source in loaded.sources if source in first]
    return [origin_view(origin, loaded.spots.of(origin)) for origin in ranked]
