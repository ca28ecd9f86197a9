"""`mooring resources`: what can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mooring.cli.connected import configured, connected, settle, tell_missing
from mooring.cli.here import Here
from mooring.cli.offers import chosen, described, first_line, servers_for
from mooring.cli.render import emit, out, table
from mooring.core.redact import visible

if TYPE_CHECKING:
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, pattern: str | None, *, as_json: bool) -> int:
    config = configured(here)
    only = servers_for(config, pattern)

    async def look(host: Host) -> int:
        await settle(host, only)
        resources = chosen(host.catalog.resources(), pattern)
        templates = chosen(host.catalog.templates(), pattern)
        if as_json:
            from mooring.core.views import resource, template

            emit({"resources": list(map(resource, resources)), "templates": list(map(template, templates))})
            tell_missing(host, only)
            return 0
        # gaps in braces tell a template from a resource
        rows = [
            (visible(entry.server), visible(address), visible(entry.item.mime), _about(entry.item.name, text))
            for entry, address, text in (
                *((entry, entry.item.uri, first_line(entry.item)) for entry in resources),
                *((entry, entry.item.uri_template, first_line(entry.item)) for entry in templates),
            )
        ]
        if rows:
            out(table(rows))
        described(len(rows), "resource", pattern, only)
        tell_missing(host, only)
        return 0

    return connected(here, config, look, only)


def _about(name: str, text: str) -> str:
    return f"{name}: {text}" if name and text else name or text
