"""What a person sees: tables, marks and errors; stdout is data, stderr is talk."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, TextIO

import click

from mooring.cli.guest import environment, visiting
from mooring.cli.widths import room_of
from mooring.core.redact import clean
from mooring.errors import MooringError, OutputRefused

__all__ = [
    "complain",
    "counted",
    "document",
    "emit",
    "forget",
    "has_signs",
    "mark",
    "out",
    "refused",
    "say",
    "table",
]

_ELSEWHERE = "Send it to a file on another disk, or to the terminal"


def out(text: str) -> None:
    """Data; whoever asked for it has to know when it did not arrive."""
    if _is_closed(sys.stdout):
        raise OutputRefused("stdout is closed", hint=_ELSEWHERE)
    try:
        click.echo(_encodable(text, sys.stdout), color=_colour())
    except BrokenPipeError:
        raise
    except OSError as error:
        raise refused(error) from error


def refused(error: OSError) -> OutputRefused:
    """What the system said when it did not take our output."""
    return OutputRefused(f"stdout cannot be written: {error.strerror}", hint=_ELSEWHERE)


def say(text: str, *, newline: bool = True) -> None:
    """Talk; where nobody can hear it, it changes nothing."""
    if _is_closed(sys.stderr):
        return
    try:
        click.echo(_encodable(text, sys.stderr), nl=newline, err=True, color=_colour())
    except OSError:
        forget(sys.stderr)


def forget(stream: TextIO) -> None:
    """Nobody takes more of it; leave nothing for the interpreter to flush, and to fail at, when it ends."""
    if not _is_closed(stream) and visiting() is None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def emit(value: Any) -> None:
    """One JSON document."""
    out(document(value))


def document(value: Any, indent: int | None = 2) -> str:
    """As a terminal may show it: what cannot be seen, or not be encoded, is an escape inside its string."""
    import json

    encoding = None if _is_closed(sys.stdout) else sys.stdout.encoding
    is_utf8 = (encoding or "utf-8").lower().replace("-", "") == "utf8"
    text = json.dumps(value, indent=indent, ensure_ascii=not is_utf8)
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c == "\n" or c.isprintable() else json.dumps(c)[1:-1] for c in text)


def has_signs() -> bool:
    """Whether stdout can take more than ASCII."""
    encoding = None if _is_closed(sys.stdout) else sys.stdout.encoding
    return (encoding or "utf-8").lower().replace("-", "") == "utf8"


def counted(number: int, what: str) -> str:
    """How many there are, in words."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def mark(text: str, colour: str, *, bold: bool = True) -> str:
    """A word in colour; taken out again where the stream is no terminal."""
    return click.style(text, fg=colour, bold=bold)


def complain(error: MooringError) -> None:
    """An error or a notice: what, where, and what next."""
    kind, colour = ("error", "red") if error.severity == "error" else ("note", "yellow")
    say(f"{mark(kind, colour)} {clean(error.sentence)} {mark(f'({error.code})', 'bright_black', bold=False)}")
    spot = error.spot
    if spot is not None:
        say(f"  {mark('at', 'cyan')} {clean(str(spot))}")
        if spot.text is not None:
            say(f"  | {spot.text}")
            if spot.column is not None:
                say("  | " + " " * (spot.column - 1) + "^")
    if error.hint:
        say(f"  {mark('hint', 'cyan')} {clean(error.hint)}")


def table(rows: Sequence[Sequence[str]], *, indent: int = 0, whole: bool = False) -> str:
    """Aligned columns; on a terminal the last one is cut where that ends, unless it is wanted whole."""
    if not rows:
        return ""
    widths = [max(len(click.unstyle(row[column])) for row in rows) for column in range(len(rows[0]) - 1)]
    is_cut = not (whole or _is_closed(sys.stdout)) and sys.stdout.isatty()
    room = room_of(sys.stdout)[0] if is_cut else 0
    lines: list[str] = []
    for row in rows:
        cells = [
            cell + " " * (width - len(click.unstyle(cell))) for cell, width in zip(row, widths, strict=False)
        ]
        used = indent + sum(widths) + 2 * len(widths)
        last = (
            row[-1] if not room or used + len(row[-1]) <= room else row[-1][: max(room - used - 1, 8)] + "…"
        )
        lines.append(" " * indent + "  ".join([*cells, last]).rstrip())
    return "\n".join(lines)


def _is_closed(stream: TextIO | None) -> bool:
    """Python has no stream at all where a program is started without one."""
    return stream is None


def _encodable(text: str, stream: TextIO) -> str:
    """A terminal of another encoding gets escapes for what it does not have."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _colour() -> bool | None:
    """Never where the user said so, else as the stream allows."""
    return False if environment().get("NO_COLOR") else None
