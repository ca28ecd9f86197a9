"""Pins as the terminal sees them: what differs, field by field, and which servers are meant."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mooring.cli.connected import settle
from mooring.cli.render import counted, mark, out, say
from mooring.core.kept import pins
from mooring.core.redact import clean, visible
from mooring.core.values import JSON
from mooring.errors import UsageError

if TYPE_CHECKING:
    from mooring.core.pins import PinChanges
    from mooring.host import Host

__all__ = ["differs", "look", "show", "view", "wanted"]


def wanted(name: str | None, *, every: bool, hint: str) -> str | None:
    """One server, or None for all of them; which of the two has to be said."""
    if name is not None and every:
        raise UsageError("`--all` and a name exclude each other", hint="Keep one of them")
    if name is None and not every:
        raise UsageError("Which server?", hint=hint)
    return name


async def look(host: Host, name: str | None) -> dict[str, PinChanges]:
    """What differs, for each server that works; the one that was named has to."""
    from mooring.core.status import Connected

    if name is not None:
        return {name: await host.pins(name)}
    await settle(host)
    up = [view.name for view in host.servers() if isinstance(view.status, Connected)]
    return {server: await host.pins(server) for server in up}


def differs(changes: PinChanges) -> bool:
    return bool(changes.new or changes.changed or changes.gone)


def show(server: str, changes: PinChanges) -> None:
    """Everything that differs, whole; nothing of it can act on the terminal."""
    if not differs(changes):
        say(f"`{visible(server)}` offers what was approved: {counted(len(changes.same), 'tool')}")
        return
    out(f"{mark(visible(server), 'yellow')}")
    for each in changes.changed:
        out(f"  {mark('changed', 'yellow')} {visible(each.new.tool)}")
        if not each.fields:
            out("    nothing that can be seen: the pin itself was changed")
        for field in each.fields:
            out(f"    {field.field}")
            out("\n".join(_lines(field.old, field.new)))
    for pin in changes.new:
        out(f"  {mark('new', 'yellow')} {visible(pin.tool)}")
        out("\n".join(f"    {key}: {_text(value)}" for key, value in pin.definition.items() if key != "name"))
    for pin in changes.gone:
        out(f"  {mark('gone', 'bright_black')} {visible(pin.tool)}")


def _lines(old: JSON, new: JSON) -> Sequence[str]:
    """Only the lines that differ, with what is hidden in them made visible."""
    before, after = ([visible(line) for line in _whole(value).splitlines()] for value in (old, new))
    colours = {"-": "red", "+": "green"}
    return [
        "      " + mark(line, colours[line[0]], bold=False)
        for line in difflib.ndiff(before, after)
        if line[0] in colours
    ]


def _whole(value: JSON) -> str:
    if value is None:
        return ""
    return (
        value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)
    )


def _text(value: JSON) -> str:
    return visible(" ".join(_whole(value).split()))


def view(server: str, changes: PinChanges) -> dict[str, Any]:
    """The same for a program."""
    return {"server": clean(server), **pins(changes)}
