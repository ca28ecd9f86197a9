"""A cold `list` of five local servers that start at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goals import Goal, Times
from measure import Contestant
from places import echo
from rosters import Roster

ROUNDS = 9
OURS = "mooring list"
GOALS: Sequence[Goal] = (
    Times(OURS, "mcporter list", 1.0, "wall"),
    Times(OURS, "opencode mcp list", 0.35, "wall"),
    Times(OURS, "fastmcp list", 0.2, "wall"),
)


def contestants(home: Path) -> Sequence[Contestant]:
    roster = Roster(home, 5, echo())
    roster.write()
    return (roster.mooring("list"), roster.mcporter(), *roster.opencode_list(), roster.fastmcp())
