"""`mooring search`: what answers a request, among everything that servers offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mooring.cli.connected import configured, connected, settle, tell_missing, tell_unapproved
from mooring.cli.here import Here
from mooring.cli.offers import first_line
from mooring.cli.render import emit, mark, out, say, table
from mooring.core.redact import visible

if TYPE_CHECKING:
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, words: tuple[str, ...], *, limit: int, kind: str | None, as_json: bool) -> int:
    config = configured(here)
    query = " ".join(words)

    async def look(host: Host) -> int:
        from mooring.core.items import Kind
        from mooring.core.search import Index

        await settle(host)
        hits = Index.of(host.catalog).find(query, limit, Kind(kind) if kind else None)
        if as_json:
            from mooring.core.views import hit

            emit([hit(found) for found in hits])
            tell_missing(host)
            tell_unapproved(host)
            return 0
        rows = [
            (
                visible(hit.entry.name),
                mark(hit.kind.value, "bright_black", bold=False),
                first_line(hit.entry.item),
            )
            for hit in hits
        ]
        if rows:
            out(table(rows))
        else:
            say(f"Nothing answers `{visible(query)}`")
        tell_missing(host)
        tell_unapproved(host)
        return 0

    return connected(here, config, look)
