"""What one call costs the process that makes it, one call after the other, in both eras of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goals import Goal, Times
from measure import Contestant
from places import RUNS, VENV, echo, surroundings

ROUNDS = 7
CALLS = 3000
ERAS = {"2025-11-25": (), "2026-07-28": ("--modern",)}
GOALS: Sequence[Goal] = tuple(
    goal
    for era in ERAS
    for goal in (
        Times(f"typed call, stdio, {era}", f"SDK Client, stdio, {era}", 1 / 4, "told"),
        Times(f"raw call, stdio, {era}", f"SDK Client, stdio, {era}", 1 / 8, "told"),
    )
)


def contestants(home: Path) -> Sequence[Contestant]:
    env = surroundings(home)
    found: list[Contestant] = []
    for era, option in ERAS.items():
        server = (*echo(), *option)
        for name, program in (
            ("typed call", ("call_ours.py", "typed", str(CALLS))),
            ("raw call", ("call_ours.py", "raw", str(CALLS))),
            ("SDK Client", ("call_sdk.py", str(CALLS // 2))),
        ):
            file, *words = program
            command = [VENV / "python", RUNS / file, *words, *server]
            found.append(Contestant(f"{name}, stdio, {era}", command, env, tells=True))
    return found
