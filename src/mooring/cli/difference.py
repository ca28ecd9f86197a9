"""What is different about a server that was met anew, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from mooring.cli.listing import unapproved
from mooring.cli.render import counted, has_signs, mark
from mooring.cli.widths import columns, cut
from mooring.core.changes import Delta
from mooring.core.redact import mask_shapes, visible
from mooring.core.renewal import Renewal
from mooring.core.server_view import ServerView

__all__ = ["difference"]

_MOST = 30


def difference(found: Renewal) -> str:
    """One line where there is none; else what was added, removed and changed below it."""
    name = mark(visible(found.view.name), "cyan")
    return "\n".join([f"{name}  {_in_short(found)}", *_fitted(_below(found))])


def _in_short(found: Renewal) -> str:
    view = found.view
    match view.word:
        case "connected" if found.known is None:
            return f"nothing was remembered of it: {_counts(view)}"
        case "connected" if found.is_different:
            return mark("has changed", "yellow", bold=False)
        case "connected":
            return f"as it was: {_counts(view)}"
        case "disabled":
            return "switched off; what was remembered of it is forgotten"
        case _:
            return mark("does not work", "red", bold=False)


def _below(found: Renewal) -> Iterator[str]:
    view, changes = found.view, found.changes
    if view.reason:
        arrow = "→" if has_signs() else ">"
        yield f"    {visible(mask_shapes(view.reason))}"
        yield f"    {arrow} {visible(view.hint)}"
    if view.unapproved.tools:
        yield f"    {unapproved(view)}"
        yield f"    {'→' if has_signs() else '>'} mooring pins diff {visible(quote(view.name))}"
    if view.word != "connected" or found.known is None:
        return
    for what, pair in (("version", found.version), ("protocol", found.protocol)):
        if pair is not None:
            yield f"  ~ {what} {visible(pair[0]) or 'none'}, now {visible(pair[1]) or 'none'}"
    for what, delta in (
        ("tool", changes.tools),
        ("resource", changes.resources),
        ("template", changes.templates),
        ("prompt", changes.prompts),
    ):
        yield from _listed(what, delta)
    if changes.instructions:
        yield "  ~ its instructions"


def _listed(what: str, delta: Delta) -> Iterator[str]:
    marked = [("+", name) for name in delta.added]
    marked += [("-", name) for name in delta.removed]
    marked += [("~", name) for name in delta.changed]
    for sign, name in marked[:_MOST]:
        yield f"  {sign} {what} {visible(name)}"
    if len(marked) > _MOST:
        yield f"    and {counted(len(marked) - _MOST, what)} more: --json has them all"


def _counts(view: ServerView) -> str:
    counts = {
        "tool": view.tools,
        "resource": view.resources,
        "template": view.templates,
        "prompt": view.prompts,
    }
    told = [counted(count, what) for what, count in counts.items() if count]
    return ", ".join(told) or "it offers nothing"


def _fitted(lines: Iterator[str]) -> Iterator[str]:
    room = columns()
    for line in lines:
        yield line if room is None else cut(line, room)
