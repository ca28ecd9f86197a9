"""Servers by the names that somebody typed, or all of them."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING

from mooring.cli.connected import configured
from mooring.cli.here import Here
from mooring.cli.render import mark, say
from mooring.core.nearest import no_server
from mooring.core.redact import visible
from mooring.core.spec import BadServer, Layer
from mooring.errors import NotConnected

if TYPE_CHECKING:
    from mooring.config.load import Loaded
    from mooring.core.spec import Config, Entry

__all__ = ["named"]


def named(here: Here, names: Sequence[str], *, anew: bool = False) -> tuple[Config, list[Entry]]:
    """Without a name all that are switched on; one that is off, and named, is wanted all the same."""
    loaded = here.load(anew=anew)
    config = configured(here, loaded)
    if not names:
        off = [name for name, entry in config.servers.items() if _is_off(entry)]
        if off:
            say(f"{mark('note', 'yellow')} switched off, and left out: {', '.join(map(visible, off))}")
        return config, [entry for entry in config.servers.values() if not _is_off(entry)]
    found = [_one(loaded, config, name) for name in dict.fromkeys(names)]
    for entry in found:
        if _is_off(entry):
            say(f"{mark('note', 'yellow')} `{visible(entry.name)}` is switched off, and stays so")
            say(f"  {mark('hint', 'cyan')} mooring enable {quote(visible(entry.name))}")
    return config, found


def _one(loaded: Loaded, config: Config, name: str) -> Entry:
    from mooring.core.merge import find, plain

    entry = config.servers.get(name)
    if entry is None:
        raise no_server(name, config.servers)
    switch = find(loaded.tree, ("mcp", name, "enabled"))
    if switch is not None and switch.origin is not None and plain(switch) is False:
        source = switch.origin.source
        if source.layer is Layer.MANAGED:
            raise NotConnected(
                f"`{name}` is switched off by the owner of this machine", hint=f"It says so in {source}"
            )
    return entry


def _is_off(entry: Entry) -> bool:
    return not isinstance(entry, BadServer) and not entry.enabled
