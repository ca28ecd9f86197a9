"""How often a request finds a tool among five: ours by words, ours also by meaning, and FastMCP's search.

`MOORING_BENCH_TOOLS` is a catalogue, `{server: [tool, ...]}`, with descriptions as their servers wrote them,
which are not ours to bring along. `MOORING_BENCH_MODEL` is the folder of the model. What is missing is not
measured.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from goals import AtLeast, AtMost, Goal
from measure import Contestant
from places import FASTMCP, ROOT, RUNS, VENV, surroundings
from wishes import SETS

ROUNDS = 1
RESIDENT = "words, its index in memory"
GOALS: Sequence[Goal] = (
    AtLeast("words, seen", 2.0, "fastmcp, seen"),
    AtLeast("words, fresh", 2.0, "fastmcp, fresh"),
    AtLeast("meaning, seen", 2.0, "fastmcp, seen"),
    AtLeast("meaning, fresh", 2.0, "fastmcp, fresh"),
    AtLeast("words, keywords", 0.97),
    AtLeast("words, typo", 0.90),
    AtLeast("meaning, keywords", 0.97),
    AtLeast("meaning, typo", 0.90),
    AtMost(RESIDENT, 64 * 1024 * 1024),
)
COSTS = {"words, its index in processor time": "build", "words, one request": "query", RESIDENT: "resident"}


def contestants(home: Path) -> Sequence[Contestant]:
    file, model = os.environ.get("MOORING_BENCH_TOOLS"), os.environ.get("MOORING_BENCH_MODEL")
    if not file:
        return ()
    env = {**surroundings(home), **({"MOORING_BENCH_MODEL": model} if model else {})}

    def contestant(name: str, program: Sequence[str | Path], *, share: bool = True) -> Contestant:
        return Contestant(name, [*program, file], env, tells=True, share=share)

    ours, peer = RUNS / "search_ours.py", RUNS / "search_fastmcp.py"
    installed, developed = VENV / "python", ROOT / ".venv" / "bin" / "python"
    found = [contestant(f"words, {which}", [installed, ours, "words", which]) for which in SETS]
    # numpy is where we are developed, and not in what users install without the extra.
    if model:
        found += [contestant(f"meaning, {which}", [developed, ours, "meaning", which]) for which in SETS]
    found += [contestant(f"fastmcp, {which}", [FASTMCP / "python", peer, which]) for which in SETS]
    found += [contestant(name, [installed, ours, "words", what], share=False) for name, what in COSTS.items()]
    return found
