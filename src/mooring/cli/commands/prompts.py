"""`mooring prompts`: texts that servers write for you."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mooring.cli.connected import configured, connected, settle, tell_missing
from mooring.cli.here import Here
from mooring.cli.offers import chosen, described, first_line, servers_for
from mooring.cli.render import emit, out, table
from mooring.core.intake import tidy

if TYPE_CHECKING:
    from mooring.core.items import Prompt
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, pattern: str | None, *, as_json: bool) -> int:
    config = configured(here)
    only = servers_for(config, pattern)

    async def look(host: Host) -> int:
        await settle(host, only)
        entries = chosen(host.catalog.prompts(), pattern)
        if as_json:
            from mooring.core.views import prompt

            emit([prompt(entry) for entry in entries])
            tell_missing(host, only)
            return 0
        if entries:
            out(table([(entry.name, _gaps(entry.item), first_line(entry.item)) for entry in entries]))
        described(len(entries), "prompt", pattern, only)
        tell_missing(host, only)
        return 0

    return connected(here, config, look, only)


def _gaps(prompt: Prompt) -> str:
    """As they are typed; what may be left out stands in brackets."""
    gaps = ((tidy(gap.name, 60), gap.required) for gap in prompt.arguments)
    return " ".join(f"{name}=…" if is_needed else f"[{name}=…]" for name, is_needed in gaps)
