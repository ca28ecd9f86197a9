"""`mooring disable`."""

from __future__ import annotations

from typing import Any

from mooring.cli.here import Here
from mooring.cli.switch import switch

__all__ = ["run"]


def run(here: Here, *, name: str, as_json: bool, **scope: Any) -> int:
    return switch(here, name, False, as_json=as_json, **scope)
