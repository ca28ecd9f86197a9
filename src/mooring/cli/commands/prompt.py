"""`mooring prompt`: one prompt, filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mooring.cli.arguments import Typed, texts
from mooring.cli.connected import configured, connected, must_work
from mooring.cli.here import Here
from mooring.cli.stdin import whole_stdin

if TYPE_CHECKING:
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, name: str, words: tuple[str, ...], *, as_json: bool) -> int:
    config = configured(here)
    server = name.partition(":")[0]
    only = {server} if server in config.servers else None
    typed = Typed(words, (), here.cwd, whole_stdin)

    async def fill(host: Host) -> int:
        from mooring.cli.form import terminal_ask
        from mooring.core.questions import Caller, Face

        if host.catalog.prompt(name) is None:
            await host.settled(only)
            must_work(host, only)
        entry = host.catalog.prompt(name)
        gaps = entry.item.arguments if entry else ()
        needed = [gap.name for gap in gaps if gap.required]
        passed = texts(name, [gap.name for gap in gaps], needed, typed) if entry else {}
        result = await host.prompt(Caller("mooring prompt", Face.TERMINAL, ask=terminal_ask()), name, passed)
        if as_json:
            from mooring.cli.render import emit
            from mooring.core.views import messages

            emit(messages(result.value))
        else:
            from mooring.cli.result import Paper, show_messages

            show_messages(result.value, Paper.of(here.env))
        return 0

    return connected(here, config, fill, only)
