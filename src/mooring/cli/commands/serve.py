"""`mooring serve`: every server of this project over HTTP, for as long as it runs."""

from __future__ import annotations

from typing import Any

from mooring.cli.here import Here
from mooring.errors import UsageError

__all__ = ["run"]


def run(here: Here, *, as_json: bool, **how: Any) -> int:
    background, stop, status = how.pop("background"), how.pop("stop"), how.pop("status")
    opens = how.pop("opens")
    if background + stop + status + opens > 1:
        raise UsageError(
            "`--background`, `--open`, `--stop` and `--status` exclude each other", hint="Keep one of them"
        )
    if stop:
        from mooring.cli.stopping import stop_it

        return stop_it(here, as_json=as_json)
    if status:
        from mooring.cli.stopping import tell

        return tell(here, as_json=as_json)
    if opens:
        from mooring.cli.opening import open_page

        return open_page(here, as_json=as_json, **how)
    if background:
        from mooring.cli.background import start

        return start(here, as_json=as_json, **how)
    from mooring.cli.serving import serve

    return serve(here, as_json=as_json, **how)
