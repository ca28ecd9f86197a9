"""`mooring doctor list-codes`: every error code with what it means."""

from __future__ import annotations

import inspect

from mooring.cli.here import Here
from mooring.cli.render import emit, out, table
from mooring.errors import codes

__all__ = ["run"]


def run(_: Here, *, as_json: bool) -> int:
    found = [
        {
            "code": code,
            "severity": kind.severity,
            "means": inspect.cleandoc(kind.__doc__ or "").splitlines()[0],
        }
        for code, kind in codes().items()
    ]
    if as_json:
        emit(found)
    else:
        out(table([(item["code"], item["severity"], item["means"]) for item in found]))
    return 0
