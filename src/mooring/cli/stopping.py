"""`mooring serve --stop` and `--status`: the one that runs already, told to end or looked at."""

from __future__ import annotations

import time
from typing import Any

from mooring.cli.here import Here
from mooring.cli.render import counted, emit, mark, out, say
from mooring.cli.served import Running, running
from mooring.cli.where import short
from mooring.core.redact import visible

__all__ = ["stop_it", "tell"]


def stop_it(here: Here, *, as_json: bool) -> int:
    """Also where nothing ran it is 0: afterwards nothing does."""
    with running(here) as found:
        ended = None if found is None else found.stop()
    process = None if found is None else found.process
    if as_json:
        emit({"running": False, "stopped": found is not None, "process": process, "calls": ended})
    elif found is None:
        say("Nothing serves this project")
    else:
        say(f"{mark('✓', 'green')} Stopped process {process}{_drained(ended)}")
    return 0


def tell(here: Here, *, as_json: bool) -> int:
    """Ends with 1 where nothing runs, or where it does not answer."""
    with running(here) as found:
        view: dict[str, Any] = {"running": False} if found is None else _view(found)
    if as_json:
        emit(view)
    elif found is None:
        say("Nothing serves this project")
        say(f"  {mark('hint', 'cyan')} mooring serve --background")
    elif found.about is None:
        out(f"Process {found.process} serves this project, and does not answer")
        say(f"  {mark('hint', 'cyan')} mooring serve --stop")
    else:
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(view["since"]))
        out(f"mooring {view['version']} is listening on {view['url']}")
        out(f"  process {view['process']}, since {since}, {counted(view['calls'], 'call')} running")
        out(f"  project {visible(short(here, view['project']))}")
        out(f"  page {view['link']}")
    return 0 if found is not None and found.about is not None else 1


def _view(found: Running) -> dict[str, Any]:
    known: dict[str, Any] = found.about or {"running": True, "process": found.process}
    return {**known, "answers": found.about is not None}


def _drained(ended: dict[str, int] | None) -> str:
    if not ended or not (ended["finished"] or ended["cut"]):
        return ""
    parts = [
        f"{counted(ended['finished'], 'call')} finished" if ended["finished"] else "",
        f"{counted(ended['cut'], 'call')} cut off" if ended["cut"] else "",
    ]
    return f"; {', '.join(filter(None, parts))}"
