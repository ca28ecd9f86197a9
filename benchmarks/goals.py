"""What a benchmark wants to reach: always relative to another contestant of the same run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from measure import Score


@dataclass(frozen=True, slots=True)
class Times:
    """`one` takes at most so many times the processor time of `other`; no limit: it is only reported."""

    one: str
    other: str
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Beyond:
    """`one` takes at most so many seconds of processor time more than `other`."""

    one: str
    other: str
    limit: float


Goal: TypeAlias = Times | Beyond


@dataclass(frozen=True, slots=True)
class Verdict:
    goal: Goal
    value: float

    @property
    def word(self) -> str:
        if self.goal.limit is None:
            return ""
        return "reached" if self.value <= self.goal.limit else "missed"

    def __str__(self) -> str:
        match self.goal:
            case Times(one, other, limit):
                wanted = "" if limit is None else f"(goal <= {limit:g}x)"
                return f"{one}: {self.value:.2f}x {other} {wanted} {self.word}".rstrip()
            case Beyond(one, other, limit):
                wanted = f"(goal <= {limit * 1e3:g} ms)"
                return f"{one}: {self.value * 1e3:.1f} ms beyond {other} {wanted} {self.word}"


def judge(goal: Goal, scores: Mapping[str, Score]) -> Verdict:
    one, other = scores[goal.one].cpu, scores[goal.other].cpu
    match goal:
        case Times():
            return Verdict(goal, one / other)
        case Beyond():
            return Verdict(goal, one - other)
