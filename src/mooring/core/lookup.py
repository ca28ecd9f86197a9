"""What a model is told when it looks for tools: lines or whole definitions, never too much at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mooring.core.exposure import DESCRIBE
from mooring.core.intake import tidy
from mooring.core.nearest import nearest
from mooring.core.outline import MOST
from mooring.core.tokens import fitting, tokens

__all__ = ["described", "found", "nothing", "unknown"]

_MOST_LISTED = 10 * MOST
_MOST_DESCRIBED = 12_000
_SERVERS = 200


def found(lines: Sequence[str]) -> str:
    """The best first; what would make the whole too long is counted, not shown."""
    shown: list[str] = []
    room = _MOST_LISTED
    for line in lines:
        room -= tokens(line) + 1
        if room < 0:
            break
        shown.append(line)
    left = len(lines) - len(shown)
    return "\n".join([*shown, f"({left} more: ask more precisely)"] if left else shown)


def nothing(query: str, servers: Mapping[str, int]) -> str:
    there = ", ".join(f"{name} ({count})" for name, count in servers.items())
    hint = f" There are tools of: {fitting(there, _SERVERS)}" if there else " There are no tools at all now."
    return f"No tool fits `{tidy(query, 100)}`. Other words may find one.{hint}"


def described(definitions: Mapping[str, str], missing: Iterable[str], known: Sequence[str]) -> str:
    """Whole definitions only: what has no room is named, so that it can be asked for alone."""
    shown: list[str] = []
    late: list[str] = []
    room = _MOST_DESCRIBED
    for name, definition in definitions.items():
        cost = tokens(definition)
        if shown and cost > room:
            late.append(name)
        else:
            room -= cost
            shown.append(definition)
    if late:
        shown.append(f"Too long for one answer, use `{DESCRIBE}` again for: {', '.join(late)}")
    return "\n".join([*shown, *(unknown(name, known) for name in missing)])


def unknown(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    hint = f" Did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
    return f"There is no tool `{tidy(name, 100)}`.{hint}"
