"""`mooring tools`: what can be called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mooring.cli.connected import configured, connected, settle, tell_missing, tell_unapproved
from mooring.cli.here import Here
from mooring.cli.offers import chosen, described, first_line, servers_for
from mooring.cli.render import emit, mark, out, table
from mooring.cli.shapes import field_of, named, properties, required
from mooring.core.intake import tidy
from mooring.core.redact import clean

if TYPE_CHECKING:
    from mooring.core.catalog import Entry
    from mooring.core.items import Tool
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, pattern: str | None, *, full: bool, as_json: bool) -> int:
    config = configured(here)
    only = servers_for(config, pattern)

    async def look(host: Host) -> int:
        await settle(host, only)
        entries = chosen(host.catalog.tools(), pattern)
        if as_json:
            from mooring.core.views import tool

            emit([tool(entry) for entry in entries])
            tell_missing(host, only)
            tell_unapproved(host)
            return 0
        if full and entries:
            out("\n\n".join(_page(entry) for entry in entries))
        elif entries:
            out(table([(entry.name, _claim(entry.item), first_line(entry.item)) for entry in entries]))
        described(len(entries), "tool", pattern, only)
        tell_missing(host, only)
        tell_unapproved(host)
        return 0

    return connected(here, config, look, only)


def _claim(tool: Tool) -> str:
    """What it says of itself; worth as much as its server is trusted."""
    if tool.read_only:
        return mark("reads", "green", bold=False)
    return mark("destroys", "red", bold=False) if tool.destructive and _says_so(tool) else "writes"


def _says_so(tool: Tool) -> bool:
    annotations = tool.raw.get("annotations")
    return isinstance(annotations, dict) and "destructiveHint" in annotations


def _page(entry: Entry[Tool]) -> str:
    """Everything that somebody needs to call it."""
    tool = entry.item
    lines = [f"{mark(entry.name, 'cyan')}  {_claim(tool)}"]
    lines += [f"  {line}" for line in tool.description.splitlines()]
    fields, needed = properties(tool.input_schema), required(tool.input_schema)
    names = sorted(fields, key=lambda name: name not in needed)
    for name in names:
        field = field_of(tool.input_schema, (name,))
        kind = named(field) if name in needed else f"{named(field)}, may be left out"
        about = " ".join(tidy(field.get("description"), 1_000).split())
        lines.append(f"  {mark(tidy(name, 100), 'green', bold=False)} ({kind})  {about}".rstrip())
    example = " ".join(
        ["mooring call", entry.name, *(f"{clean(name)}=…" for name in names if name in needed)]
    )
    lines.append(mark(f"  → {example}", "cyan", bold=False))
    return "\n".join(lines)
