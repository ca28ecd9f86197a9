"""Run every `bench_*.py` beside this file, print what it found, and keep the figures in `.cache/bench`."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from goals import Goal, Verdict, judge
from measure import Contestant, Outcome, measure

HERE = Path(__file__).parent
RESULTS = HERE.parent / ".cache" / "bench"


class Bench(Protocol):
    """What a `bench_*.py` offers; `contestants` gets an empty folder to use as home."""

    ROUNDS: int
    GOALS: Sequence[Goal]
    contestants: Callable[[Path], Sequence[Contestant]]


def show(name: str, outcome: Outcome, verdicts: Sequence[Verdict]) -> None:
    load = ", others used the machine too" if outcome.loaded else ""
    print(f"\n{name}: {outcome.rounds} rounds, medians in ms{load}")
    print(f"  {'':32} {'wall':>8} {'min':>8} {'max':>8} {'cpu':>8}")
    for contestant, score in outcome.scores.items():
        times = (score.wall, score.fastest, score.slowest, score.cpu)
        print(f"  {contestant:32}", *(f"{seconds * 1e3:8.1f}" for seconds in times))
    for verdict in verdicts:
        print(f"  {verdict}")


def keep(name: str, outcome: Outcome, verdicts: Sequence[Verdict]) -> None:
    figures = {
        "machine": {"system": platform.platform(), "cores": os.cpu_count(), "load": os.getloadavg()},
        "python": platform.python_version(),
        **asdict(outcome),
        "goals": [{**asdict(each.goal), "value": each.value, "verdict": each.word} for each in verdicts],
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def main(wanted: Sequence[str]) -> None:
    """Run those whose name holds one of the words, or all of them."""
    for file in sorted(HERE.glob("bench_*.py")):
        name = file.stem.removeprefix("bench_")
        if wanted and not any(word in name for word in wanted):
            continue
        bench = cast("Bench", import_module(file.stem))
        home = RESULTS / "home" / name
        home.mkdir(parents=True, exist_ok=True)
        outcome = measure(bench.contestants(home), bench.ROUNDS)
        verdicts = [judge(goal, outcome.scores) for goal in bench.GOALS]
        show(name, outcome, verdicts)
        keep(name, outcome, verdicts)


if __name__ == "__main__":
    main(sys.argv[1:])
