"""`mooring serve` beside OpenCode's server, and a command that uses a running one beside mcporter."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from goals import Goal, Times
from measure import Contestant
from places import OPENCODE, RUNS, VENV, echo, surroundings
from rosters import Roster

ROUNDS = 7
COUNT = 5
LIMITS = {"request": 0.2, "ready": 0.5, "memory": 0.3}
WORDS = {"request": "a GET /mcp", "ready": "ready", "memory": "idle memory"}
ATTACHED = "mooring list, attached"
GOALS: Sequence[Goal] = (
    *(
        Times(f"mooring serve, {WORDS[what]}", f"opencode serve, {WORDS[what]}", limit, "told")
        for what, limit in LIMITS.items()
    ),
    Times(ATTACHED, "mcporter list", 0.35, "wall"),
    Times(ATTACHED, "mooring list", None, "wall"),
)


def contestants(home: Path) -> Sequence[Contestant]:
    roster = Roster(home, COUNT, echo())
    roster.write()
    served = _project(home)
    _mooring(served, "--background", "--port", "0")
    env = surroundings(home)
    attached = Contestant(
        ATTACHED,
        ["/bin/sh", "-c", f"cd {served} && exec {VENV}/mooring list"],
        env,
        roster.last(),
    )
    alone = Contestant(
        "mooring list",
        ["/bin/sh", "-c", f"cd {served} && exec {VENV}/mooring list --no-attach"],
        env,
        roster.last(),
    )
    figures = [each for what in LIMITS for each in _both(roster, what)]
    return (attached, roster.mcporter(), alone, *figures)


def end(home: Path) -> None:
    """The one that commands were attached to is not needed any more."""
    _mooring(_project(home), "--stop")


def _both(roster: Roster, what: str) -> Sequence[Contestant]:
    script = [VENV / "python", RUNS / "served.py", what, str(COUNT)]
    env = {**surroundings(roster.home), "MOORING_TOKEN": "of-the-benchmark"}
    ours = Contestant(f"mooring serve, {WORDS[what]}", [*script, VENV / "mooring", "serve"], env, tells=True)
    if not OPENCODE.exists():
        return (ours,)
    env = {**surroundings(roster.home), "XDG_CONFIG_HOME": str(roster.opencode)}
    theirs = [*script, OPENCODE, "serve", "--hostname", "127.0.0.1"]
    return (ours, Contestant(f"opencode serve, {WORDS[what]}", theirs, env, tells=True))


def _project(home: Path) -> Path:
    """Not where the others stand: a project has one `serve`."""
    found = home / "project"
    (found / ".git").mkdir(parents=True, exist_ok=True)
    return found


def _mooring(folder: Path, *words: str) -> None:
    subprocess.run(
        [VENV / "mooring", "serve", *words],
        cwd=folder,
        env=dict(surroundings(folder.parent)),
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=60,
    )
