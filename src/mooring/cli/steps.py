"""The steps on the way to a server, as a person reads them: each with its time, and why it went wrong."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Sequence

from mooring.cli.here import Here
from mooring.cli.render import has_signs, mark
from mooring.cli.where import short
from mooring.cli.widths import columns, cut, padded
from mooring.core.redact import mask_shapes, visible
from mooring.core.spec import Entry
from mooring.core.trial import Step, Trial
from mooring.core.views import entry_view

__all__ = ["failure", "head", "line", "looked", "summary", "took"]

_SIGNS = {
    "ok": ("✓", "+", "green"),
    "note": ("!", "!", "yellow"),
    "failed": ("✗", "x", "red"),
    "skipped": ("-", "-", "bright_black"),
}
_NAME, _TIME = 13, 8
_MOST_NOTES = 5
_STDERR_LINES = 10


def line(here: Here, step: Step) -> str:
    """One step; what has to be known of it stands below."""
    sign, ascii_sign, colour = _SIGNS[step.verdict]
    shown = mark(sign if has_signs() else ascii_sign, colour)
    time = "" if step.verdict == "skipped" else took(step.seconds)
    says = "" if step.error else short(here, step.says) if step.name == "configuration" else step.says
    says = visible(mask_shapes(says))
    head = f"  {shown} {padded(step.name, _NAME)} {padded(time, _TIME, right=True)}"
    room = columns()
    if room is not None:
        says = cut(says, max(room - _NAME - _TIME - 8, 10))
    lines = [f"{head}  {says}".rstrip()]
    lines += _folded(step.notes[:_MOST_NOTES], "")
    if len(step.notes) > _MOST_NOTES:
        lines += _folded([f"and {len(step.notes) - _MOST_NOTES} more like these: --json has them all"], "")
    return "\n".join(lines)


def failure(tried: Trial) -> Iterator[str]:
    """Why it does not work, what it said last, and what to do about it."""
    error = tried.error
    if error is None:
        return
    yield from _folded([f"{error.sentence} ({error.code})"], "", "red")
    bar, arrow = ("│", "→") if has_signs() else ("|", ">")
    room = columns()
    for said in [each for each in tried.stderr if each.strip()][-_STDERR_LINES:]:
        text = f"    {bar} {visible(mask_shapes(said))}"
        yield mark(text if room is None else cut(text, room), "bright_black", bold=False)
    if error.spot is not None:
        yield from _folded([str(error.spot)], "at ")
    if error.hint:
        yield from _folded([error.hint], f"{arrow} ", "cyan")


def looked(steps: Sequence[Step]) -> Iterator[str]:
    """What was found on the way to a login, without a step of it being taken."""
    if steps:
        yield "  The way to a login:"
    for step in steps:
        sign, ascii_sign, colour = _SIGNS[step.verdict]
        yield f"  {mark(sign if has_signs() else ascii_sign, colour)} {visible(step.name)}"
        yield from _folded([step.says], "")


def _folded(texts: Sequence[str], before: str, colour: str = "") -> Iterator[str]:
    room = columns()
    for text in texts:
        shown = visible(mask_shapes(text))
        first, then = f"    {before}", "    " + " " * len(before)
        whole = (
            [first + shown]
            if room is None
            else textwrap.wrap(
                shown, room, initial_indent=first, subsequent_indent=then, break_on_hyphens=False
            )
        )
        for part in whole:
            yield mark(part, colour, bold=False) if colour else part


def took(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 9.9995 else f"{seconds:.1f} s"


def head(entry: Entry) -> str:
    """Which server it is, and how it is reached, as far as anybody may see that."""
    view = entry_view(entry)
    how = f"stdio  {shlex.join(view['command'])}" if "command" in view else view.get("url", "")
    room = columns()
    shown = visible(f"{entry.name}  {how}".rstrip())
    name = visible(entry.name)
    shown = shown if room is None else cut(shown, room)
    return mark(shown[: len(name)], "cyan") + shown[len(name) :]


def summary(tried: Trial) -> str:
    """The last word on it."""
    if tried.error is None:
        return mark(f"  works, {took(tried.seconds)} in all", "green", bold=False)
    where = next(step.name for step in tried.steps if step.error is not None)
    return mark(f"  does not work: {where}", "red", bold=False)
