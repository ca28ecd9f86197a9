"""What a login costs calls that are made at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goals import Goal, Times
from measure import Contestant
from places import RUNS, VENV, echo_over_http, surroundings

ROUNDS = 7
BATCHES = "20"
# Where one call has to wait for the other, fifty of them take fifty times as long.
DELAY = ("--delay", "5")
IN, OUT = "50 calls at once, logged in", "50 calls at once, without a login"
GOALS: Sequence[Goal] = (Times(IN, OUT, 1.2, "told"),)


def contestants(home: Path) -> Sequence[Contestant]:
    env = surroundings(home)
    return [
        Contestant(
            name,
            [VENV / "python", RUNS / "auth_ours.py", how, BATCHES, *echo_over_http(), *DELAY],
            env,
            tells=True,
        )
        for name, how in ((IN, "in"), (OUT, "out"))
    ]
