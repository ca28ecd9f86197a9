"""All tools of fifty servers, each of which needs 200 ms to start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goals import Goal, Times
from measure import Contestant
from places import RUNS, VENV, echo, surroundings
from rosters import Roster

ROUNDS = 5
SERVERS = 50
ALONE = "one such server alone"
OURS = ("mooring tools", "open_host")
GOALS: Sequence[Goal] = tuple(
    goal
    for ours in OURS
    for goal in (
        Times(ours, ALONE, 1.6, "wall"),
        Times(ours, "mcporter list", 0.5, "wall"),
        Times(ours, "fastmcp list", 0.1, "wall"),
    )
)


def contestants(home: Path) -> Sequence[Contestant]:
    server = (*echo(), "--startup", "200")
    roster = Roster(home, SERVERS, server)
    roster.write()
    env = surroundings(home)
    python = VENV / "python"
    return (
        Contestant(ALONE, [python, "-S", "-E", RUNS / "alone.py", *server], env, ("5 tools",)),
        roster.mooring("tools"),
        roster.open_host(),
        roster.mcporter(),
        roster.fastmcp(),
    )
