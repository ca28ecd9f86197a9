"""Run every `bench_*.py` beside this file, print what it found, and keep the figures in `.cache/bench`."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from goals import Goal, Verdict, judge, share, span, weight
from measure import Broken, Contestant, Outcome, measure
from places import HERE, RESULTS

HEADS = ("what", "ours", "beside", "theirs", "ratio", "goal", "")


class Bench(Protocol):
    """What a `bench_*.py` offers; `contestants` gets an empty folder to use as home.

    One that leaves something running for all rounds has an `end`, which gets the same folder.
    """

    ROUNDS: int
    GOALS: Sequence[Goal]
    contestants: Callable[[Path], Sequence[Contestant]]


def show(name: str, outcome: Outcome, shares: Collection[str]) -> None:
    load = ", others used the machine too" if outcome.loaded else ""
    print(f"\n{name}: medians of {outcome.rounds} rounds in ms{load}")
    print(f"  {'':36} {'wall':>8} {'min':>8} {'max':>8} {'cpu':>8} {'told':>10}")
    for contestant, score in outcome.scores.items():
        times = (score.wall, score.fastest, score.slowest, score.cpu)
        told = figure(score.told, is_share=contestant in shares)
        columns = " ".join(f"{seconds * 1e3:8.1f}" for seconds in times)
        print(f"  {contestant:36} {columns} {told:>10}", flush=True)


def figure(told: float, *, is_share: bool) -> str:
    if is_share:
        return share(told)
    return "" if not told else span(told) if told < 100 else weight(told)


def keep(name: str, outcome: Outcome, verdicts: Sequence[Verdict]) -> None:
    figures = {
        "machine": {"system": platform.platform(), "cores": os.cpu_count(), "load": os.getloadavg()},
        "python": platform.python_version(),
        **asdict(outcome),
        "goals": [{**asdict(each.goal), "value": each.value, "verdict": each.word} for each in verdicts],
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def table(verdicts: Iterable[Verdict]) -> None:
    rows = [HEADS, *(verdict.cells for verdict in verdicts)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
    print()
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def left_behind() -> list[str]:
    """Servers of ours that somebody has started and not ended; where the system does not tell, none."""
    found: list[str] = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().split(b"\0")
        except OSError:
            continue
        if str(RESULTS).encode() in words[0] or str(HERE / "echo").encode() in b" ".join(words[:5]):
            found.append(file.parent.name)
    return found


def main(wanted: Sequence[str]) -> int:
    """Run those whose name holds one of the words, or all of them."""
    found: list[Verdict] = []
    broken = False
    for file in sorted(HERE.glob("bench_*.py")):
        name = file.stem.removeprefix("bench_")
        if wanted and not any(word in name for word in wanted):
            continue
        bench = cast("Bench", import_module(file.stem))
        home = RESULTS / "home" / name
        home.mkdir(parents=True, exist_ok=True)
        try:
            contestants = bench.contestants(home)
            outcome = measure(contestants, bench.ROUNDS)
        except Broken as error:
            print(f"\n{name}: {error}", flush=True)
            broken = True
            continue
        finally:
            getattr(bench, "end", lambda _: None)(home)
        verdicts = [judge(goal, outcome.scores) for goal in bench.GOALS]
        show(name, outcome, {each.name for each in contestants if each.share})
        keep(name, outcome, verdicts)
        found += verdicts
    table(found)
    if left := left_behind():
        print(f"\nstill running: processes {', '.join(left)}")
    return 1 if broken or left else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
