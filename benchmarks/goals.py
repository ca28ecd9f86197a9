"""What a benchmark wants to reach: relative to another contestant of the same run wherever there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from measure import Score

Measure: TypeAlias = Literal["cpu", "wall", "told"]


@dataclass(frozen=True, slots=True)
class Times:
    """`one` takes at most so many times what `other` takes; no limit: it is only reported."""

    one: str
    other: str
    limit: float | None = None
    of: Measure = "cpu"


@dataclass(frozen=True, slots=True)
class Beyond:
    """`one` takes at most so many seconds of processor time more than `other`."""

    one: str
    other: str
    limit: float


@dataclass(frozen=True, slots=True)
class AtMost:
    """What `one` tells is at most so many bytes."""

    one: str
    limit: float


@dataclass(frozen=True, slots=True)
class AtLeast:
    """What `one` tells, a share, is at least so much; beside another, so many times what that tells."""

    one: str
    limit: float
    other: str = ""


Goal: TypeAlias = Times | Beyond | AtMost | AtLeast


@dataclass(frozen=True, slots=True)
class Verdict:
    """One line of the last table; without a value the other contestant does not exist here."""

    goal: Goal
    ours: float = 0.0
    theirs: float = 0.0
    value: float | None = None

    @property
    def word(self) -> str:
        if self.value is None:
            return "not measured"
        if self.goal.limit is None:
            return ""
        is_met = (
            self.value >= self.goal.limit if isinstance(self.goal, AtLeast) else self.value <= self.goal.limit
        )
        return "met" if is_met else "missed"

    @property
    def cells(self) -> tuple[str, ...]:
        """What, ours, the peer, the peer's, the ratio, the goal, whether it is met."""
        match self.goal:
            case Times(one, other, limit, of):
                ours = theirs = ratio = ""
                if self.value is not None:
                    ours, theirs, ratio = told(self.ours), told(self.theirs), f"{self.value:.2f}x"
                label = one if of == "told" else f"{one} ({of})"
                goal = "" if limit is None else f"<= {limit:.4g}x"
                return (label, ours, other, theirs, ratio, goal, self.word)
            case Beyond(one, other, limit):
                found = f"+{span(self.value or 0.0)}"
                wanted = f"<= +{span(limit)}"
                return (f"{one} (cpu)", span(self.ours), other, span(self.theirs), found, wanted, self.word)
            case AtLeast(one, limit, other) if other:
                times = f"{self.value or 0:.2f}x"
                return (
                    one,
                    share(self.ours),
                    other,
                    share(self.theirs),
                    times,
                    f">= {limit:.4g}x",
                    self.word,
                )
            case AtLeast(one, limit):
                return (one, share(self.ours), "", "", "", f">= {share(limit)}", self.word)
            case AtMost(one, limit):
                return (one, weight(self.ours), "", "", "", f"<= {weight(limit)}", self.word)


def share(part: float) -> str:
    return f"{part:.1%}"


def span(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def weight(size: float) -> str:
    return f"{size / 1024:.1f} KB" if size < 1024 * 1024 else f"{size / 1024 / 1024:.2f} MB"


def told(figure: float) -> str:
    """Seconds, or bytes where it is too much for those."""
    return span(figure) if figure < 100 else weight(figure)


def judge(goal: Goal, scores: Mapping[str, Score]) -> Verdict:
    other = "" if isinstance(goal, AtMost) else goal.other
    if goal.one not in scores or (other and other not in scores):
        return Verdict(goal)
    match goal:
        case Times(one, other, _, of):
            ours, theirs = getattr(scores[one], of), getattr(scores[other], of)
            return Verdict(goal, ours, theirs, ours / theirs)
        case Beyond(one, other):
            ours, theirs = scores[one].cpu, scores[other].cpu
            return Verdict(goal, ours, theirs, ours - theirs)
        case AtLeast(one, _, other):
            ours, theirs = scores[one].told, scores[other].told if other else 0.0
            return Verdict(goal, ours, theirs, ours / theirs if theirs else ours)
        case AtMost(one):
            return Verdict(goal, scores[one].told, 0.0, scores[one].told)
