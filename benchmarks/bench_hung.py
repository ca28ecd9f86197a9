"""A server that never answers, and what it adds to calls of another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goals import Goal, Times
from measure import Contestant
from places import RUNS, VENV, echo, surroundings

ROUNDS = 7
CALLS = "3000"
ALONE, BESIDE, UNSTARTED = "call of one server", "beside a hung call", "beside a hung start"
# Nothing is added; the rest is what two runs of the same thing differ by.
GOALS: Sequence[Goal] = (Times(BESIDE, ALONE, 1.1, "told"), Times(UNSTARTED, ALONE, 1.1, "told"))


def contestants(home: Path) -> Sequence[Contestant]:
    env = surroundings(home)
    return [
        Contestant(name, [VENV / "python", RUNS / "hung_ours.py", how, CALLS, *echo()], env, tells=True)
        for name, how in ((ALONE, "alone"), (BESIDE, "call"), (UNSTARTED, "start"))
    ]
