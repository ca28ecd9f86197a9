"""`mooring export`: Mooring as one server in another client's file."""

from __future__ import annotations

import sys

from mooring.cli.here import Here
from mooring.cli.render import complain, emit, mark, out, say
from mooring.cli.where import program, short
from mooring.config.clients import Around, Client, own_shelf
from mooring.config.foreign import text_of
from mooring.config.outward import Export, entry_for
from mooring.core.redact import source_line
from mooring.core.views import error_view
from mooring.errors import UsageError
from mooring.system.files import edit_text

__all__ = ["run"]

_CONTEXT = 3


def run(here: Here, *, client: str, name: str, apply: bool, remove: bool, as_json: bool) -> int:
    if not name.strip() or not name.isprintable():
        raise UsageError("A server needs a name", hint="--name mooring")
    shelf = own_shelf(Client(client), Around(here.cwd, here.dirs, here.env))
    export = Export(shelf, name, None if remove else entry_for(Client(client), _command(here)))
    before = text_of(shelf.file)
    conflict, after = export.conflict(before), export.apply(before)
    is_changed = after != (before or "")
    if apply and is_changed:
        _write(export)
    if as_json:
        emit(
            {
                "client": client,
                "file": str(shelf.file),
                "name": name,
                "changed": is_changed,
                "applied": apply and is_changed,
                "diff": _diff(before or "", after),
                "problem": error_view(conflict) if conflict else None,
            }
        )
        return 2 if conflict else 0
    if not is_changed:
        say(f"Nothing to do: {short(here, str(shelf.file))} {'has no' if remove else 'has'} `{name}`")
        return 0
    out(f"{mark(client, 'cyan')}  {short(here, str(shelf.file))}{'' if before is not None else '  (new)'}")
    for line in _diff(before or "", after):
        out(mark(line, {"+": "green", "-": "red"}[line[0]], bold=False) if line[0] in "+-" else line)
    if conflict:
        complain(conflict)
        return 2
    say(f"Done; {client} sees it when it starts next" if apply else "Nothing is written yet: --apply")
    return 0


def _command(here: Here) -> list[str]:
    """A client that is a desktop program knows nothing of a shell's PATH."""
    ours = program(here, "mooring")
    return [*([ours] if ours else [sys.executable, "-m", "mooring"]), "gateway"]


def _write(export: Export) -> None:
    def change(text: str | None) -> str:
        conflict = export.conflict(text)
        if conflict is not None:
            raise conflict
        return export.apply(text)

    edit_text(export.shelf.file, change)


def _diff(before: str, after: str) -> list[str]:
    """The one place that differs, with some lines around it, every line as it may be shown."""
    if before == after:
        return []
    old, new = before.splitlines(), after.splitlines()
    top = _alike(old, new)
    bottom = _alike(old[top:][::-1], new[top:][::-1])
    old_end, new_end = len(old) - bottom, len(new) - bottom
    # In a file of one long line, the part to look at is where the two begin to differ.
    column = _alike([*"".join(old[top : top + 1])], [*"".join(new[top : top + 1])]) + 1
    lines = [f"@@ line {top + 1} @@"]
    lines += [f" {_shown(line)}" for line in old[max(top - _CONTEXT, 0) : top]]
    lines += [f"-{_shown(line, column)}" for line in old[top:old_end]]
    lines += [f"+{_shown(line, column)}" for line in new[top:new_end]]
    return [*lines, *(f" {_shown(line)}" for line in old[old_end : old_end + _CONTEXT])]


def _alike(one: list[str], other: list[str]) -> int:
    """How many lines at the beginning are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _shown(line: str, column: int = 1) -> str:
    return source_line(line, min(column, len(line) + 1))[0]
