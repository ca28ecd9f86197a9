"""`mooring logs`: what a server said beside its answers."""

from __future__ import annotations

from datetime import datetime
from shlex import quote
from typing import Any

from mooring.cli.here import Here
from mooring.cli.render import document, emit, mark, out, say
from mooring.core.nearest import no_server
from mooring.core.redact import visible
from mooring.core.views import log_record
from mooring.system.journal import journal_file, older
from mooring.system.readback import Tail, come, kept

__all__ = ["run"]

PAUSE = 0.2
COLOURS = {"warning": "yellow", "error": "red", "critical": "red", "alert": "red", "emergency": "red"}


def run(here: Here, name: str, *, lines: int, follow: bool, as_json: bool) -> int:
    file = journal_file(here.dirs.state / "logs", name)
    if not (file.exists() or older(file).exists()):
        _must_be_configured(here, name)
    tail = Tail(file)
    try:
        records = kept(file, tail, lines)
        if as_json and not follow:
            emit([log_record(record) for record in records])
            return 0
        if not records and lines:
            hint = "waiting" if follow else f"mooring list {quote(name)}"
            say(f"`{visible(name)}` has said nothing so far")
            say(f"  {mark('hint', 'cyan')} {hint}")
        for record in records:
            _show(record, as_json=as_json)
        if follow:
            for record in come(tail, PAUSE):
                _show(record, as_json=as_json)
    finally:
        tail.close()
    return 0


def _must_be_configured(here: Here, name: str) -> None:
    """Of one that is no longer configured the journal may still be there, and may be looked at."""
    known = here.load().config.servers
    if name not in known:
        raise no_server(name, known)


def _show(record: dict[str, Any], *, as_json: bool) -> None:
    view = log_record(record)
    if as_json:
        out(document(view, None))
        return
    at = datetime.fromtimestamp(view["at"]).astimezone()
    time = mark(f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03}", "bright_black", bold=False)
    text = view["text"].replace("\n", "\n    ")
    if view["from"] == "mooring":
        text = mark(text, "cyan")
    elif view["from"] == "log":
        logger = f" {visible(view['logger'])}" if view["logger"] else ""
        text = f"{mark(view['level'], COLOURS.get(view['level'], 'green'))}{logger}: {text}"
    out(f"{time}  {text}")
