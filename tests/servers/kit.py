"""How tests start the faulty server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mooring.core.spec import LocalSpec, Timeouts

FAULTY = Path(__file__).with_name("faulty.py")


def faulty(
    *faults: str, name: str = "it", era: str = "both", args: tuple[str, ...] = (), **more: Any
) -> LocalSpec:
    """`faults` as on its command line; `more` is whatever else an entry can have."""
    words = [word for fault in faults for word in ("--fault", fault)]
    times = {"timeouts": Timeouts(start=20, list=20, call=20, ceiling=40)}
    command = (str(FAULTY), "--era", era, *words, *args)
    return LocalSpec(name=name, command=sys.executable, args=("-S", "-E", *command), **{**times, **more})
