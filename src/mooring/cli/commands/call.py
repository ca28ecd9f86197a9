"""`mooring call`: one tool, once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mooring.cli.arguments import Typed, arguments
from mooring.cli.connected import configured, connected, tell_unapproved
from mooring.cli.here import Here
from mooring.cli.stdin import whole_stdin
from mooring.core.catalog import Entry
from mooring.core.names import Names
from mooring.errors import UsageError

if TYPE_CHECKING:
    from mooring.core.items import Tool
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, words: tuple[str, ...], as_json: tuple[str, ...], *, save: str | None) -> int:
    """`--json` alone asks for JSON; with a value it gives the arguments as well."""
    documents = [each for each in as_json if each.startswith(("{", "[", "@")) or each == "-"]
    # a word after `--json` that is no document is one of the others
    stray = [each for each in as_json if each and each not in documents]
    all_words = [*words, *stray] if _is_tool(words) else [*stray, *words]
    if not all_words:
        raise UsageError("Which tool?", hint="mooring tools")
    name, *given = all_words
    config = configured(here)
    folder = None if save is None else here.cwd / Path(save).expanduser()
    typed = Typed(given, documents, here.cwd, whole_stdin)
    owners = Names(tuple(config.servers)).owners(name)

    async def call(host: Host) -> int:
        from mooring.cli.form import terminal_ask
        from mooring.cli.progress import progress_line
        from mooring.core.questions import Caller, Face

        entry = await _found(host, owners, name)
        passed = arguments(entry.name, entry.item.input_schema, typed) if entry else {}
        with progress_line(name) as line:
            caller = Caller("mooring call", Face.TERMINAL, ask=terminal_ask(line.held))
            result = await host.call(caller, name, passed, progress=line)
        if as_json:
            from mooring.cli.render import emit
            from mooring.core.views import result as result_view

            emit(result_view(result.value))
        else:
            from mooring.cli.keep import Keep
            from mooring.cli.result import Paper, show

            keep = None if folder is None else Keep(folder, name)
            show(result.value, Paper.of(here.env, keep))
        tell_unapproved(host)
        return 1 if result.is_error else 0

    return connected(here, config, call, owners)


def _is_tool(words: tuple[str, ...]) -> bool:
    return bool(words) and "=" not in words[0]


async def _found(host: Host, owners: tuple[str, ...], name: str) -> Entry[Tool] | None:
    """The tool, from the first server that turns out to have it; without one the call itself says why."""
    for owner in owners:
        entry = host.catalog.tool(name)
        if entry is not None:
            return entry
        await host.settled([owner])
    return host.catalog.tool(name)
