"""Lists of what servers offer: which of it is wanted, and how much that was."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from mooring.cli.render import mark, say
from mooring.core.catalog import Entry
from mooring.core.items import Prompt, Resource, Template, Tool
from mooring.core.redact import visible

if TYPE_CHECKING:
    from mooring.core.spec import Config

__all__ = ["chosen", "described", "first_line", "servers_for"]

T = TypeVar("T", Tool, Resource, Template, Prompt)


def chosen(entries: Iterable[Entry[T]], pattern: str | None) -> list[Entry[T]]:
    """A server's name chooses all of its own; `*` is any text; everything else a part of the name."""
    from mooring.core.wildcard import matches

    if pattern is None:
        return list(entries)
    found = list(entries)
    if any(entry.server == pattern for entry in found):
        return [entry for entry in found if entry.server == pattern]
    if "*" in pattern or "?" in pattern:
        return [entry for entry in found if matches(pattern, entry.name)]
    part = pattern.casefold()
    return [entry for entry in found if part in f"{entry.name}\n{entry.item.name}".casefold()]


def servers_for(config: Config, pattern: str | None) -> frozenset[str] | None:
    """The only servers that need be started for it; None for all of them."""
    return frozenset({pattern}) if pattern is not None and pattern in config.servers else None


def first_line(item: Tool | Resource | Template | Prompt) -> str:
    text = item.description.strip() or item.title
    return visible(text.partition("\n")[0])


def described(count: int, what: str, pattern: str | None, only: frozenset[str] | None) -> None:
    """Nothing is said where the list says it."""
    if count:
        return
    if only:
        say(f"`{visible(pattern or '')}` offers no {what}")
    elif pattern is not None:
        say(f"No {what} is called like `{visible(pattern)}`")
        say(f"  {mark('hint', 'cyan')} mooring search WORDS")
    else:
        say(f"No server offers a {what}")
