"""`mooring serve --open`: the page of the one that runs, in the user's browser; without one it is started."""

from __future__ import annotations

import asyncio
from typing import Any

from mooring.cli.background import begin
from mooring.cli.browser import open_browser
from mooring.cli.here import Here
from mooring.cli.render import emit, out, say
from mooring.cli.served import running
from mooring.errors import NotStarted

__all__ = ["open_page"]


def open_page(here: Here, *, as_json: bool, **how: Any) -> int:
    """The link is printed too: not every machine has a browser, and not every browser comes up."""
    about = _about(here)
    if about is None:
        begin(here, **how)
        about = _about(here)
    if about is None or "link" not in about:
        raise NotStarted("The `serve` of this project does not answer", hint="mooring serve --stop")
    opened = asyncio.run(open_browser(about["link"], here.env))
    if as_json:
        emit({"url": about["url"], "link": about["link"], "opened": opened})
    else:
        say("A browser was opened" if opened else "No browser could be opened: the link works once")
        out(about["link"])
    return 0


def _about(here: Here) -> dict[str, Any] | None:
    with running(here) as found:
        return None if found is None else found.about or {}
