"""The servers as a table that a person reads in a second."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import NamedTuple

from mooring.cli.render import has_signs, mark
from mooring.cli.widths import columns, cut, folded, padded, width
from mooring.core.redact import mask_shapes, visible
from mooring.core.server_view import ServerView
from mooring.core.status import Connecting, Failed

__all__ = ["listing", "plain_listing", "summary", "unapproved"]

# State is told by sign, word and colour, so that it is told by each of them alone.
_SIGNS = {
    "connected": ("●", "+", "green"),
    "connecting": ("◐", "~", "cyan"),
    "pending": ("○", ".", "bright_black"),
    "disabled": ("○", "-", "bright_black"),
    "needs_approval": ("!", "!", "yellow"),
    "needs_auth": ("!", "!", "yellow"),
    "needs_client_registration": ("!", "!", "yellow"),
    "failed": ("✗", "x", "red"),
}
_WORDS = {
    "needs_approval": "needs approval",
    "needs_auth": "needs login",
    "needs_client_registration": "needs client id",
}
_STDERR_LINES = 3


class _Column(NamedTuple):
    title: str
    cells: list[str]
    is_number: bool
    # the higher, the sooner it goes where there is no room; 0 stays
    goes: int


def listing(views: Sequence[ServerView], room: int | None = None) -> str:
    """For a person: under a server that does not work why, and what to type next."""
    room = room or columns() or 100
    table = _fitted(_table(views), room)
    widths = [max(map(width, [column.title, *column.cells])) for column in table]
    title = "  ".join(
        padded(column.title, wide, right=column.is_number) for column, wide in zip(table, widths, strict=True)
    )
    lines = [mark(cut(title.rstrip(), room), "bright_black", bold=False)]
    for row, view in enumerate(views):
        cells = [
            padded(column.cells[row], wide, right=column.is_number)
            for column, wide in zip(table, widths, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
        lines += _below(view, room)
    return "\n".join(lines)


def plain_listing(views: Sequence[ServerView]) -> str:
    """For a program without JSON: one line each, the reason last."""
    rows = [
        (
            visible(view.name),
            view.word,
            view.transport or "-",
            view.protocol or "-",
            str(view.tools),
            str(view.resources + view.templates),
            str(view.prompts),
            _latency(view).replace(" ", "") or "-",
            visible(mask_shapes(view.reason)) or unapproved(view),
        )
        for view in views
    ]
    if not rows:
        return ""
    widths = [max(width(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    return "\n".join("  ".join([*map(padded, row[:-1], widths), row[-1]]).rstrip() for row in rows)


def summary(views: Sequence[ServerView]) -> str:
    """Whether everything is well, in one line: what works first, then what needs somebody."""
    order = [word for word in _SIGNS if any(view.word == word for view in views)]
    counts = ((word, sum(view.word == word for view in views)) for word in order)
    return " · ".join(
        mark(f"{count} {_WORDS.get(word, word)}", _SIGNS[word][2], bold=False) for word, count in counts
    )


def unapproved(view: ServerView) -> str:
    """How many of its tools are not what was approved; empty where all are."""
    found = view.unapproved
    counts = ((len(found.changed), "changed"), (len(found.new), "new"))
    words = " and ".join(f"{count} {word}" for count, word in counts if count)
    return f"tools not approved: {words}{', kept back' if found.blocked else ''}" if words else ""


def _table(views: Sequence[ServerView]) -> list[_Column]:
    found = [
        _Column("", [_sign(view) for view in views], is_number=False, goes=0),
        _Column("SERVER", [visible(view.name) for view in views], is_number=False, goes=0),
        _Column("STATE", [_state(view) for view in views], is_number=False, goes=0),
        _Column("VIA", [view.transport for view in views], is_number=False, goes=4),
        _Column("PROTOCOL", [view.protocol for view in views], is_number=False, goes=5),
        _Column("TOOLS", [_count(view, view.tools) for view in views], is_number=True, goes=1),
        _Column(
            "RESOURCES",
            [_count(view, view.resources + view.templates) for view in views],
            is_number=True,
            goes=3,
        ),
        _Column("PROMPTS", [_count(view, view.prompts) for view in views], is_number=True, goes=2),
        _Column("LATENCY", [_latency(view) for view in views], is_number=True, goes=6),
    ]
    # a column that says nothing is only in the way
    return [column for column in found if column.goes == 0 or any(cell.strip("0") for cell in column.cells)]


def _fitted(table: list[_Column], room: int) -> list[_Column]:
    """Without the columns that there is no room for; a name that is too long is cut at the very end."""
    while True:
        taken = sum(max(map(width, [column.title, *column.cells])) for column in table) + 2 * (len(table) - 1)
        last = max(table, key=lambda column: column.goes)
        if taken <= room:
            return table
        if last.goes == 0:
            name = table[1]
            longest = max(map(width, name.cells)) - (taken - room)
            cells = [cut(cell, max(longest, 8)) for cell in name.cells]
            return [table[0], name._replace(title=cut(name.title, max(longest, 8)), cells=cells), table[2]]
        table = [column for column in table if column is not last]


def _below(view: ServerView, room: int) -> list[str]:
    lines = _said("", view.reason, room) if view.reason else []
    if isinstance(view.status, Failed):
        said = [line for line in view.status.stderr if line.strip()][-_STDERR_LINES:]
        lines += [
            mark(cut(f"    │ {visible(mask_shapes(line))}", room), "bright_black", bold=False)
            for line in said
        ]
    if view.hint:
        lines += [mark(line, "cyan", bold=False) for line in _said("→ ", view.hint, room)]
    if view.unapproved.tools:
        lines.append(mark(cut(f"    {unapproved(view)}", room), "yellow", bold=False))
        lines.append(
            mark(cut(f"    → mooring pins diff {visible(quote(view.name))}", room), "cyan", bold=False)
        )
    return lines if has_signs() else [line.replace("│", "|").replace("→", ">") for line in lines]


def _said(lead: str, text: str, room: int) -> list[str]:
    """Whole, for what to do next is often the end of it."""
    first, *rest = folded(visible(mask_shapes(text)), room - 4 - len(lead))
    return [f"    {lead}{first}", *(f"    {' ' * len(lead)}{line}" for line in rest)]


def _sign(view: ServerView) -> str:
    sign, ascii_sign, colour = _SIGNS[view.word]
    return mark(sign if has_signs() else ascii_sign, colour)


def _state(view: ServerView) -> str:
    word = _WORDS.get(view.word, view.word)
    if isinstance(view.status, Connecting) and view.status.attempt > 1:
        word = f"{word}, try {view.status.attempt}"
    if view.word == "pending" and view.lazy:
        word = "starts when used"
    return mark(word, _SIGNS[view.word][2], bold=False)


def _count(view: ServerView, count: int) -> str:
    return str(count) if count or view.word == "connected" else ""


def _latency(view: ServerView) -> str:
    if view.latency is None:
        return ""
    return f"{view.latency * 1000:.0f} ms" if view.latency < 9.9995 else f"{view.latency:.0f} s"
