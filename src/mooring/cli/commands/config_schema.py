"""`mooring config schema`: what an editor needs to complete and check a configuration file."""

from __future__ import annotations

from mooring.cli.here import Here
from mooring.cli.render import emit
from mooring.config.schema import schema

__all__ = ["run"]


def run(_: Here, *, as_json: bool) -> int:  # noqa: ARG001 - a schema is JSON in any case
    emit(schema())
    return 0
