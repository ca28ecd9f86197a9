"""`mooring enable` and `mooring disable`: one switch in the file that owns it."""

from __future__ import annotations

from typing import Any

from mooring.cli.here import Here
from mooring.cli.render import emit, say
from mooring.cli.where import chosen, short
from mooring.config.edit import set_value
from mooring.core.merge import find, plain
from mooring.core.nearest import no_server

__all__ = ["switch"]


def switch(here: Here, name: str, enabled: bool, *, as_json: bool, **scope: Any) -> int:
    """Ends with 1 where a stronger layer still says the opposite."""
    loaded = here.load()
    path = ("mcp", name, "enabled")
    if find(loaded.tree, path[:2]) is None:
        raise no_server(name, loaded.config.servers)
    change = set_value(loaded, path, enabled, chosen(here, **scope))
    after = here.load()
    node = find(after.tree, path)
    is_done = node is not None and plain(node) is enabled
    if as_json:
        emit({"name": name, "enabled": enabled if is_done else not enabled, "file": change.file})
    else:
        say(f"{'Enabled' if enabled else 'Disabled'} `{name}` in {short(here, change.file)}")
        if not is_done and node is not None and node.origin is not None:
            say(f"  note {node.origin.source} ({node.origin.source.layer}) is stronger and says the opposite")
    return 0 if is_done else 1
