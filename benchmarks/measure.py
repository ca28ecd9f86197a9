"""Wall and processor time of commands, taken in interleaved rounds on a machine as quiet as it gets."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

ENOUGH = 5  # medians of fewer rounds say nothing about a cold start
QUIET = 0.05  # the share of the machine that others may use in a round that counts
WITHIN = 120.0  # seconds; no contestant takes longer, whatever became of it


class Broken(Exception):
    """There is nothing to measure."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """One command, and the whole environment it runs in.

    `says` must all stand in its output, or it has done no work; with `tells` its last word is its figure,
    a part of one where it is a `share`.
    """

    name: str
    program: Sequence[str | Path]
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    says: tuple[str, ...] = ()
    tells: bool = False
    share: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """What one run took, in seconds; `cpu` counts the children that it waited for."""

    wall: float
    cpu: float
    told: float = 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """Medians, because every machine has bad moments, and the span they were found in."""

    wall: float
    cpu: float
    told: float
    fastest: float
    slowest: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """One measurement; `loaded` when others kept the machine busy and only processor times mean something."""

    scores: Mapping[str, Score]
    rounds: int
    loaded: bool


def busy_seconds() -> float:
    """Processor seconds that the whole machine has spent so far; 0 where the system does not tell."""
    try:
        line = Path("/proc/stat").read_text("ascii").partition("\n")[0]
    except FileNotFoundError:
        return 0.0
    user, nice, system, _idle, _waiting, *interrupts = (int(part) for part in line.split()[1:9])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def bounded(group: int) -> Iterator[None]:
    """Its whole process group is gone afterwards, and long before if it hangs."""
    alarm = threading.Timer(WITHIN, os.killpg, (group, signal.SIGKILL))
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


def run_once(contestant: Contestant) -> Run:
    null = subprocess.DEVNULL
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as talk:
        started = time.perf_counter()
        process = subprocess.Popen(
            list(contestant.program),
            env=dict(contestant.env),
            stdin=null,
            stdout=said,
            stderr=talk,
            process_group=0,
        )
        with bounded(process.pid):
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        talk.seek(0)
        out, err = said.read().decode(errors="replace"), talk.read().decode(errors="replace")
    if process.returncode != 0:
        raise Broken(f"`{contestant.name}` ended with {process.returncode}: {' '.join(err.split())[-600:]}")
    missing = [words for words in contestant.says if words not in out]
    if missing:
        raise Broken(f"`{contestant.name}` did not say {missing[0]!r}")
    told = float(out.split()[-1]) if contestant.tells else 0.0
    return Run(wall, usage.ru_utime + usage.ru_stime, told)


def run_round(contestants: Sequence[Contestant]) -> tuple[dict[str, Run], float]:
    """Each contestant once, and the share of the machine that others used meanwhile."""
    busy, started = busy_seconds(), time.perf_counter()
    runs = {contestant.name: run_once(contestant) for contestant in contestants}
    capacity = (time.perf_counter() - started) * (os.cpu_count() or 1)
    foreign = busy_seconds() - busy - sum(run.cpu for run in runs.values())
    return runs, max(0.0, foreign / capacity)


def measure(contestants: Sequence[Contestant], rounds: int) -> Outcome:
    """Round after round, so that a slow minute hits all alike; the first one only warms the caches."""
    run_round(contestants)
    taken = [run_round(contestants) for _ in range(rounds)]
    quiet = [runs for runs, foreign in taken if foreign <= QUIET]
    loaded = len(quiet) < min(ENOUGH, rounds)
    counted = [runs for runs, _ in taken] if loaded else quiet
    scores = {each.name: score_of([runs[each.name] for runs in counted]) for each in contestants}
    return Outcome(scores, len(counted), loaded)


def score_of(runs: Sequence[Run]) -> Score:
    walls = [run.wall for run in runs]
    cpu = statistics.median(run.cpu for run in runs)
    told = statistics.median(run.told for run in runs)
    return Score(statistics.median(walls), cpu, told, min(walls), max(walls))
