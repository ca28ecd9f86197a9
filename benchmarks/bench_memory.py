"""What a thousand tools occupy in the process of a host, and what one connected server more does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goals import AtMost, Goal
from measure import Contestant
from places import RUNS, VENV, echo, surroundings

ROUNDS = 5
WHAT = {"tools": "1,000 tools more", "server": "one server more"}
LIMITS = {"tools": 2 * 1024 * 1024, "server": 60 * 1024}
HOW = ("traced", "resident")
GOALS: Sequence[Goal] = tuple(AtMost(f"{WHAT[what]}, {how}", LIMITS[what]) for what in WHAT for how in HOW)


def contestants(home: Path) -> Sequence[Contestant]:
    env = surroundings(home)
    program = [VENV / "python", RUNS / "memory_ours.py"]
    return [
        Contestant(f"{WHAT[what]}, {how}", [*program, what, how, *echo()], env, tells=True)
        for what in WHAT
        for how in HOW
    ]
