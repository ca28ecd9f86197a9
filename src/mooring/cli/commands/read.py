"""`mooring read`: one resource."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mooring.cli.connected import configured, connected
from mooring.cli.here import Here

if TYPE_CHECKING:
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, uri: str, *, server: str | None, save: str | None, as_json: bool) -> int:
    config = configured(here)
    folder = None if save is None else here.cwd / Path(save).expanduser()
    prefix = uri.partition(":")[0]
    named = server or (prefix if prefix in config.servers else None)

    async def read(host: Host) -> int:
        from mooring.cli.form import terminal_ask
        from mooring.cli.progress import progress_line
        from mooring.core.questions import Caller, Face

        with progress_line(uri) as line:
            caller = Caller("mooring read", Face.TERMINAL, ask=terminal_ask(line.held))
            result = await host.read(caller, uri, server=server, progress=line)
        if as_json:
            from mooring.cli.render import emit
            from mooring.core.views import contents

            emit(contents(result.value))
        else:
            from mooring.cli.keep import Keep
            from mooring.cli.result import Paper, show_contents

            name = uri.rstrip("/").rpartition("/")[2] or "resource"
            keep = None if folder is None else Keep(folder, name)
            show_contents(result.value, Paper.of(here.env, keep))
        return 0

    return connected(here, config, read, None if named is None else {named})
